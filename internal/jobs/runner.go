package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"time"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

const (
	lease = time.Minute
	// atMost is how long a handler may take. Every job of a claim begins while its lease outlives it.
	atMost = 30 * time.Second
	// claimSize is small: what a server has claimed when it dies waits for its lease to end.
	claimSize = 8
	pollEvery = time.Second
)

// Runner runs one queue's jobs, one at a time, so that a server that dies has at most one mail sent
// and not yet written off. Several runners, here or on other servers, share a queue.
type Runner struct {
	db       *store.DB
	queue    Queue
	handlers map[string]Handler
	now      func() time.Time
	log      *slog.Logger

	wake    chan struct{}
	failing bool // the last try failed
}

// New prepares a runner. The handlers are by kind.
func New(db *store.DB, queue Queue, handlers map[string]Handler, now func() time.Time, log *slog.Logger) *Runner {
	return &Runner{db: db, queue: queue, handlers: handlers, now: now, log: log, wake: make(chan struct{}, 1)}
}

// Wake tells that there may be something due. It never waits.
func (r *Runner) Wake() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Run runs jobs until the context ends. The job under way is then finished; those that were claimed
// with it are given back.
func (r *Runner) Run(ctx context.Context) {
	tick := time.NewTicker(pollEvery) // other servers' jobs, reminders, and leases that ended
	defer tick.Stop()
	stuck := false // said once
	for ctx.Err() == nil {
		if err := r.RunDue(ctx); err != nil && ctx.Err() == nil && !stuck {
			r.log.Error("jobs cannot be run", "queue", r.queue, "error", err)
			stuck = true
		} else if err == nil {
			stuck = false
		}
		select {
		case <-ctx.Done():
		case <-r.wake:
		case <-tick.C:
		}
	}
}

// RunDue runs what is due, some of each workspace in turn, until nothing is.
func (r *Runner) RunDue(ctx context.Context) error {
	for ctx.Err() == nil {
		workspaces, err := r.db.Read().WorkspacesWithDueJobs(ctx, sqlcgen.WorkspacesWithDueJobsParams{Queue: string(r.queue), RunAt: r.now().UnixMilli()})
		if err != nil {
			return fmt.Errorf("look for due jobs: %w", err)
		}
		ran := 0
		for _, id := range workspaces {
			n, err := r.runSome(ctx, id)
			if err != nil {
				return err
			}
			ran += n
		}
		if ran == 0 { // the rest is being claimed by others
			return nil
		}
	}
	return ctx.Err()
}

func (r *Runner) runSome(ctx context.Context, workspaceID int64) (int, error) {
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	now := r.now()
	leaseEnd := now.Add(lease)
	rows, err := r.db.ClaimJobs(ctx, workspaceID, string(r.queue), now.UnixMilli(), leaseEnd.UnixMilli(), claimSize)
	if err != nil {
		return 0, err
	}
	// RETURNING has no order. What happened first is told first.
	slices.SortFunc(rows, func(a, b sqlcgen.Job) int {
		return cmp.Or(cmp.Compare(a.DueAt, b.DueAt), cmp.Compare(a.CreatedAt, b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	for _, row := range rows {
		if err := r.run(context.WithoutCancel(ctx), jobOf(row), leaseEnd, ctx.Err() != nil); err != nil {
			return 0, err
		}
	}
	return len(rows), nil
}

// run does one claimed job, or gives it back untouched.
func (r *Runner) run(ctx context.Context, j *Job, leaseEnd time.Time, stopping bool) error {
	if stopping || r.now().Add(atMost).After(leaseEnd) {
		return r.giveBack(ctx, j)
	}
	handling, cancel := context.WithTimeout(ctx, atMost)
	done, err := r.handle(handling, j)
	cancel()
	if err == nil {
		return r.finish(ctx, j, done)
	}
	return r.failed(ctx, j, err)
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
