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
	// leaseDuration is how long other runners leave a claimed job alone. The lease is renewed while its server lives.
	leaseDuration = time.Minute
	// handlerTimeout is how long a handler may take. A mail server may take minutes to accept a mail it has received,
	// and hanging up before it answers sends the mail twice.
	handlerTimeout = 6 * time.Minute
	// A round is small, because jobs claimed by a server that dies wait until their lease ends. Rounds are spaced out
	// to leave time for the requests that are answered meanwhile.
	roundSize  = 10
	roundEvery = 50 * time.Millisecond
	batchEvery = 200 * time.Millisecond
	pollEvery  = time.Second
	// writeTimeout bounds writes that nobody can cancel: a database that hangs must not keep the program from
	// exiting.
	writeTimeout = 10 * time.Second
)

// Runner runs the jobs of one queue, one at a time, so that a server that dies leaves at most one mail that is sent
// but not recorded as sent. Several runners, here or on other servers, share a queue.
type Runner struct {
	db       *store.DB
	queue    Queue
	handlers map[string]Handler
	now      func() time.Time
	log      *slog.Logger

	wake         chan struct{}
	due          dueWorkspaces
	batched      bool // save the results of a round in one transaction
	claimSize    int  // how many jobs a round claims
	interval     time.Duration
	writeTimeout time.Duration
	outage       outage
}

// New returns a runner. The handlers are keyed by kind.
func New(db *store.DB, queue Queue, handlers map[string]Handler, now func() time.Time, log *slog.Logger) *Runner {
	return &Runner{db: db, queue: queue, handlers: handlers, now: now, log: log, wake: make(chan struct{}, 1),
		claimSize: roundSize, interval: roundEvery, writeTimeout: writeTimeout}
}

// SaveInBatches saves the results of a round in one transaction and runs fewer rounds. Use it for jobs that may safely
// run twice and that only our own disk slows down.
func (r *Runner) SaveInBatches() { r.batched, r.interval = true, batchEvery }

// ClaimOneAtATime claims each job on its own. Use it for jobs that may wait long for remote servers: jobs claimed
// together with such a job would wait too. Several runners then work in parallel.
func (r *Runner) ClaimOneAtATime() { r.claimSize = 1 }

// Wake signals that a job may be due. It never blocks.
func (r *Runner) Wake() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Run runs jobs until ctx ends. It then finishes the running job, unless handlerCtx ends too, and releases the jobs
// that were claimed with it.
func (r *Runner) Run(ctx, handlerCtx context.Context) {
	poll := time.NewTicker(pollEvery) // for other servers' jobs, reminders and expired leases
	defer poll.Stop()
	stuck := false // logged once
	for ctx.Err() == nil {
		pace := time.After(r.interval)
		claimed, err := r.round(ctx, handlerCtx)
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

// RunDue runs due jobs until none is left.
func (r *Runner) RunDue(ctx context.Context) error {
	for {
		if claimed, err := r.round(ctx, context.WithoutCancel(ctx)); err != nil || claimed == 0 {
			return err
		}
	}
}

// round claims a few due jobs, taking workspaces in turn, and runs them.
func (r *Runner) round(ctx, handlerCtx context.Context) (claimed int, err error) {
	if err := ctx.Err(); err != nil { // jobs claimed now would only be released again
		return 0, err
	}
	rows, err := r.claim(ctx, r.now())
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	holder := r.holdLease(rows)
	defer holder.release()
	var results []result
	for i, row := range rows {
		results = append(results, r.run(handlerCtx, jobFromRow(row), ctx.Err() != nil))
		if last := i == len(rows)-1; r.batched && !last {
			continue
		}
		if err := holder.saveResults(results, rows[i+1:]); err != nil {
			return 0, err
		}
		results = nil
	}
	return len(rows), nil
}

// run runs one claimed job, or releases it unchanged if the runner is stopping.
func (r *Runner) run(ctx context.Context, j *Job, stopping bool) result {
	if stopping {
		return r.postpone(j, r.now(), j.lastError)
	}
	ctx, cancel := context.WithTimeout(ctx, handlerTimeout)
	defer cancel()
	write, err := r.handle(ctx, j)
	if err != nil {
		return r.failed(j, err)
	}
	if write != nil { // there was something to do
		r.outage.logSuccess(r)
	}
	return finish(j, write)
}

// handle turns a panic into an error: a later version of the program may handle the job.
func (r *Runner) handle(ctx context.Context, j *Job) (done func(context.Context, *store.Tx) error, err error) {
	defer func() {
		if p := recover(); p != nil {
			r.log.Error("a job panicked", "job", j.ID, "panic", p, "stack", string(debug.Stack()))
			err = errors.New("the handler panicked; the log says where")
		}
	}()
	handler := r.handlers[j.Kind]
	if handler == nil { // the kind of a newer server, which will claim it
		return nil, fmt.Errorf("this server knows no jobs of kind %s", j.Kind)
	}
	return handler(ctx, j)
}
