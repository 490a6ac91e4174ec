package jobs

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"slotd/internal/store"
)

// As many workspaces as a round serves have more jobs than they can run, their mail server is slow, and their jobs
// have waited longer. Another workspace's only mail must still be served soon.
func TestRunDue_ASlowFloodInManyWorkspacesLeavesOthersTheirTurn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var list []Job
		for i := range 10 * roundSize {
			j := w.job(fmt.Sprintf("flood%03d", i))
			j.WorkspaceID, j.DueAt = int64(10+i%roundSize), monday.Add(-time.Hour)
			list = append(list, j)
		}
		w.enqueue(append(list, w.job("small"))...)
		ctx, stop := context.WithCancel(background)
		defer stop()
		var ran record
		w.runner(func(_ context.Context, j *Job) (func(context.Context, *store.Tx) error, error) {
			if ran.add(j); j.ID == "small" || len(ran.jobs) == 4*roundSize {
				stop()
			}
			w.clock.Advance(time.Second)
			return nil, nil
		}).RunDue(ctx)
		if n := slices.Index(ran.ids(), "small"); n < 0 || n > 2*roundSize {
			t.Errorf("%d jobs ran before it (-1: more than %d)", n, 4*roundSize)
		}
	})
}
