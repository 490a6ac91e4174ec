package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"slotd/internal/store"
)

const (
	// lease is for how long others leave a claimed job alone. It is renewed while its server lives.
	lease = time.Minute
	// atMost is how long a handler may take: a mail server may think long about a mail that it has got,
	// and who hangs up then sends it twice.
	atMost = 6 * time.Minute
	// A round is small: what a server has claimed when it dies waits for its lease to end. And it
	// takes its time, for the sake of the requests that are answered meanwhile.
	roundSize     = 10
	roundEvery    = 50 * time.Millisecond
	togetherEvery = 200 * time.Millisecond
	pollEvery     = time.Second
	// writeFor bounds what is written when nobody can be told any more: a database that hangs must not
	// keep the program from ending.
	writeFor = 10 * time.Second
)

// Runner runs one queue's jobs, one at a time, so that a server that dies has at most one mail sent
// and not yet written off. Several runners, here or on other servers, share a queue.
type Runner struct {
	db       *store.DB
	queue    Queue
	handlers map[string]Handler
	now      func() time.Time
	log      *slog.Logger

	wake     chan struct{}
	due      directory
	together bool // a round's jobs are finished in one transaction
	size     int  // how many jobs a round claims
	pace     time.Duration
	writeFor time.Duration
	trouble  trouble
}

// New prepares a runner. The handlers are by kind.
func New(db *store.DB, queue Queue, handlers map[string]Handler, now func() time.Time, log *slog.Logger) *Runner {
	return &Runner{db: db, queue: queue, handlers: handlers, now: now, log: log, wake: make(chan struct{}, 1),
		size: roundSize, pace: roundEvery, writeFor: writeFor}
}

// Together has the jobs of a round written off in one transaction, and fewer rounds. It is for jobs
// that leave no trace when they are done a second time, and that nothing but our own disk slows down.
func (r *Runner) Batched() { r.together, r.pace = true, togetherEvery }

// Singly has each job claimed for itself. It is for jobs that may wait long for others' servers: what is
// claimed with such a one would wait too. Several runners then work side by side.
func (r *Runner) OneAtATime() { r.size = 1 }

// Wake tells that there may be something due. It never waits.
func (r *Runner) Wake() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Run runs jobs until the context ends. The job under way is then finished, unless the handlers'
// own context ends too; those that were claimed with it are given back.
func (r *Runner) Run(ctx, handling context.Context) {
	poll := time.NewTicker(pollEvery) // other servers' jobs, reminders, and leases that ended
	defer poll.Stop()
	stuck := false // said once
	for ctx.Err() == nil {
		pace := time.After(r.pace)
		claimed, err := r.round(ctx, handling)
		if err != nil && ctx.Err() == nil && !stuck {
			r.log.Error("jobs cannot be run", "queue", r.queue, "error", err)
		}
		stuck = err != nil
		if claimed > 0 {
			wait(ctx, pace)
			continue // there may be more
		}
		select {
		case <-ctx.Done():
		case <-r.wake:
		case <-poll.C:
		}
	}
}

func wait(ctx context.Context, pace <-chan time.Time) {
	select {
	case <-ctx.Done():
	case <-pace:
	}
}

// RunDue runs what is due until nothing is.
func (r *Runner) RunDue(ctx context.Context) error {
	for {
		if claimed, err := r.round(ctx, context.WithoutCancel(ctx)); err != nil || claimed == 0 {
			return err
		}
	}
}

// round claims some of what is due, of each workspace in turn, and does it.
func (r *Runner) round(ctx, handling context.Context) (claimed int, err error) {
	if err := ctx.Err(); err != nil { // what is claimed now would only be given back
		return 0, err
	}
	rows, err := r.claim(ctx, r.now())
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	held := r.hold(rows)
	defer held.release()
	var ends []ending
	for i, row := range rows {
		ends = append(ends, r.run(handling, jobOf(row), ctx.Err() != nil))
		if last := i == len(rows)-1; r.together && !last {
			continue
		}
		if err := held.end(ends, rows[i+1:]); err != nil {
			return 0, err
		}
		ends = nil
	}
	return len(rows), nil
}

// run does one claimed job, or gives it back untouched.
func (r *Runner) run(ctx context.Context, j *Job, stopping bool) ending {
	if stopping {
		return r.postpone(j, r.now(), j.lastError)
	}
	ctx, cancel := context.WithTimeout(ctx, atMost)
	defer cancel()
	write, err := r.handle(ctx, j)
	if err != nil {
		return r.failed(j, err)
	}
	if write != nil { // something was there to be done
		r.trouble.over(r)
	}
	return finish(j, write)
}

// handle turns a panic into a failure: the next try may meet a mended program.
func (r *Runner) handle(ctx context.Context, j *Job) (done func(context.Context, *store.Tx) error, err error) {
	defer func() {
		if p := recover(); p != nil {
			r.log.Error("a job panicked", "job", j.ID, "panic", p, "stack", string(debug.Stack()))
			err = errors.New("the handler panicked; the log says where")
		}
	}()
	handler := r.handlers[j.Kind]
	if handler == nil { // a newer server's; it will come for it
		return nil, fmt.Errorf("this server knows no jobs of kind %s", j.Kind)
	}
	return handler(ctx, j)
}
