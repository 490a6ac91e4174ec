package jobs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"slotd/internal/store/sqlcgen"
)

// directory is which workspaces have jobs that are due, as it was when last looked: looking costs
// as much as there is due.
type directory struct {
	workspaces []int64 // those whose turn is next come first
	lookedAt   time.Time
	servedAt   map[int64]time.Time // when each of them had its last turn
}

const lookEvery = time.Second

// claim leases some jobs, of each workspace in turn.
func (r *Runner) claim(ctx context.Context, now time.Time) ([]sqlcgen.Job, error) {
	looked := false
	for {
		if len(r.due.workspaces) == 0 || now.Sub(r.due.lookedAt).Abs() >= lookEvery {
			if looked { // the rest is being claimed by others
				return nil, nil
			}
			if err := r.look(ctx, now); err != nil || len(r.due.workspaces) == 0 {
				return nil, err
			}
			looked = true
		}
		rows, err := r.claimNext(ctx, now)
		if err != nil || len(rows) > 0 {
			return rows, err
		}
	}
}

func (r *Runner) look(ctx context.Context, now time.Time) (err error) {
	r.due.lookedAt = now
	r.due.workspaces, err = r.db.Read().WorkspacesWithDueJobs(ctx,
		sqlcgen.WorkspacesWithDueJobsParams{Queue: string(r.queue), RunAt: now.UnixMilli()})
	if err != nil {
		return fmt.Errorf("look for due jobs: %w", err)
	}
	r.due.keepTurns()
	return nil
}

// keepTurns lets those go first who were not served for longest, not those with the oldest jobs:
// a few who are far behind would otherwise be served alone, look after look.
func (d *directory) keepTurns() {
	slices.SortStableFunc(d.workspaces, func(a, b int64) int { return d.servedAt[a].Compare(d.servedAt[b]) })
	servedAt := map[int64]time.Time{} // without those who have nothing left
	for _, id := range d.workspaces {
		if at, ok := d.servedAt[id]; ok {
			servedAt[id] = at
		}
	}
	d.servedAt = servedAt
}

// claimNext serves the first workspaces and puts those that had something at the end.
func (r *Runner) claimNext(ctx context.Context, now time.Time) ([]sqlcgen.Job, error) {
	n := min(r.size, len(r.due.workspaces))
	next := r.due.workspaces[:n]
	// Not to be stopped in mid-commit: what was claimed then would wait for its lease to end.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.writeFor)
	defer cancel()
	rows, err := r.db.ClaimJobs(ctx, next, string(r.queue), now.UnixMilli(), now.Add(lease).UnixMilli(), r.size)
	if err != nil {
		return nil, err
	}
	r.due.workspaces = r.due.workspaces[n:]
	for _, id := range next {
		if slices.ContainsFunc(rows, func(j sqlcgen.Job) bool { return j.WorkspaceID == id }) {
			r.due.workspaces = append(r.due.workspaces, id)
			r.due.servedAt[id] = now
		}
	}
	// RETURNING has no order. What happened first is told first.
	slices.SortFunc(rows, func(a, b sqlcgen.Job) int {
		return cmp.Or(cmp.Compare(a.DueAt, b.DueAt), cmp.Compare(a.CreatedAt, b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return rows, nil
}
