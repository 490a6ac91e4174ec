package jobs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"slotd/internal/store/sqlcgen"
)

// dueWorkspaces caches which workspaces have due jobs, because the query costs as much as there are due jobs.
type dueWorkspaces struct {
	ids         []int64 // the next to serve first
	refreshedAt time.Time
	servedAt    map[int64]time.Time // when each workspace was last served
}

// refreshEvery is how long the cached list is used.
const refreshEvery = time.Second

// claim leases a few due jobs, taking workspaces in turn.
func (r *Runner) claim(ctx context.Context, now time.Time) ([]sqlcgen.Job, error) {
	refreshed := false
	for {
		if len(r.due.ids) == 0 || now.Sub(r.due.refreshedAt).Abs() >= refreshEvery {
			if refreshed { // other runners are claiming the rest
				return nil, nil
			}
			if err := r.refreshDue(ctx, now); err != nil || len(r.due.ids) == 0 {
				return nil, err
			}
			refreshed = true
		}
		rows, err := r.claimNext(ctx, now)
		if err != nil || len(rows) > 0 {
			return rows, err
		}
	}
}

// refreshDue reads which workspaces have due jobs.
func (r *Runner) refreshDue(ctx context.Context, now time.Time) (err error) {
	r.due.refreshedAt = now
	r.due.ids, err = r.db.Read().WorkspacesWithDueJobs(ctx,
		sqlcgen.WorkspacesWithDueJobsParams{Queue: string(r.queue), RunAt: now.UnixMilli()})
	if err != nil {
		return fmt.Errorf("look for due jobs: %w", err)
	}
	r.due.sortByLastServed()
	return nil
}

// sortByLastServed puts the workspaces first that have waited longest since they were last served. Sorting by the
// oldest job instead would let a few workspaces that are far behind starve the others.
func (d *dueWorkspaces) sortByLastServed() {
	slices.SortStableFunc(d.ids, func(a, b int64) int { return d.servedAt[a].Compare(d.servedAt[b]) })
	servedAt := map[int64]time.Time{} // forget the workspaces that have no due jobs
	for _, id := range d.ids {
		if at, ok := d.servedAt[id]; ok {
			servedAt[id] = at
		}
	}
	d.servedAt = servedAt
}

// claimNext claims jobs of the first workspaces and moves those that had any to the end.
func (r *Runner) claimNext(ctx context.Context, now time.Time) ([]sqlcgen.Job, error) {
	n := min(r.claimSize, len(r.due.ids))
	next := r.due.ids[:n]
	// A commit must not be interrupted: jobs it had claimed would wait until their lease ends.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.writeTimeout)
	defer cancel()
	rows, err := r.db.ClaimJobs(ctx, next, string(r.queue), now.UnixMilli(), now.Add(leaseDuration).UnixMilli(),
		r.claimSize)
	if err != nil {
		return nil, err
	}
	r.due.ids = r.due.ids[n:]
	for _, id := range next {
		if slices.ContainsFunc(rows, func(j sqlcgen.Job) bool { return j.WorkspaceID == id }) {
			r.due.ids = append(r.due.ids, id)
			r.due.servedAt[id] = now
		}
	}
	// RETURNING has no order. Mails go out in the order in which things happened.
	slices.SortFunc(rows, func(a, b sqlcgen.Job) int {
		return cmp.Or(cmp.Compare(a.DueAt, b.DueAt), cmp.Compare(a.CreatedAt, b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return rows, nil
}
