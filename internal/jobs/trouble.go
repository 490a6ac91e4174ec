package jobs

import "time"

// trouble is a time in which jobs fail. It is logged when it begins and when it is over, without a
// line for each job; if some fail and some do not, once a minute.
type trouble struct{ since time.Time }

const troubleLasts = time.Minute

func (t *trouble) begins(r *Runner, j *Job, cause error) {
	if t.since.IsZero() {
		t.since = r.now()
		r.log.Warn("a job failed and will be tried again; so will others, without a line for each", "job", j.ID, "kind",
			j.Kind, "error", cause)
	}
}

func (t *trouble) over(r *Runner) {
	if !t.since.IsZero() && r.now().Sub(t.since) >= troubleLasts {
		t.since = time.Time{}
		r.log.Info("jobs succeed again", "queue", r.queue)
	}
}
