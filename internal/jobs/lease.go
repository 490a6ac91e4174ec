package jobs

import (
	"context"
	"sync"
	"time"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// held are the jobs of a round whose end is not written yet. Their lease is renewed as long as it
// takes.
type held struct {
	runner *Runner
	mu     sync.Mutex // renewing and writing an end exclude each other
	rows   []sqlcgen.Job
	timer  *time.Timer
}

func (r *Runner) hold(ctx context.Context, rows []sqlcgen.Job) *held {
	h := &held{runner: r, rows: rows}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.timer = time.AfterFunc(lease/3, func() { h.renew(ctx) })
	return h
}

// except writes the ends of all but the rest.
func (h *held) except(rest []sqlcgen.Job, write func() error) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	err := write()
	h.rows = rest
	return err
}

// release leaves what is not ended to whoever comes when its lease does.
func (h *held) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.timer.Stop()
	h.rows = nil
}

func (h *held) renew(ctx context.Context) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.rows) == 0 {
		return
	}
	until := h.runner.now().Add(lease).UnixMilli()
	err := h.runner.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		for _, j := range h.rows {
			err := tx.ExtendLease(ctx, sqlcgen.ExtendLeaseParams{WorkspaceID: j.WorkspaceID, BookingID: j.BookingID, ID: j.ID, Fence: j.Fence, RunAt: until})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		h.runner.log.Warn("the lease of jobs under way cannot be renewed", "queue", h.runner.queue, "error", err)
	}
	h.timer.Reset(lease / 3)
}
