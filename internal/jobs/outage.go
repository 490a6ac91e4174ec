package jobs

import "time"

// outage is a period in which jobs fail. It is logged when it starts and when it ends, not for each job. If some jobs
// fail and others succeed, it is logged at most once a minute.
type outage struct{ since time.Time }

// minOutage is how long an outage lasts at least.
const minOutage = time.Minute

func (t *outage) logFailure(r *Runner, j *Job, cause error) {
	if t.since.IsZero() {
		t.since = r.now()
		r.log.Warn("a job failed and will be tried again; so will others, without a line for each", "job", j.ID, "kind",
			j.Kind, "error", cause)
	}
}

func (t *outage) logSuccess(r *Runner) {
	if !t.since.IsZero() && r.now().Sub(t.since) >= minOutage {
		t.since = time.Time{}
		r.log.Info("jobs succeed again", "queue", r.queue)
	}
}
