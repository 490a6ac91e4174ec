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

func (r *Runner) hold(rows []sqlcgen.Job) *held {
	h := &held{runner: r, rows: rows}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.timer = time.AfterFunc(lease/3, h.renew)
	return h
}

// end writes what became of some jobs. From then on only the rest is renewed.
func (h *held) end(ends []ending, rest []sqlcgen.Job) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.rows = rest
	return h.runner.end(ends)
}

// release leaves what is not ended to whoever comes when its lease does.
func (h *held) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.timer.Stop()
	h.rows = nil
}

// renew keeps the mutex over its transaction: an end that is written meanwhile would be undone.
func (h *held) renew() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.rows) == 0 {
		return
	}
	until := h.runner.now().Add(lease).UnixMilli()
	ctx, cancel := context.WithTimeout(context.Background(), h.runner.writeFor)
	defer cancel()
	err := h.runner.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		for _, j := range h.rows {
			err := tx.ExtendLease(ctx, sqlcgen.ExtendLeaseParams{WorkspaceID: j.WorkspaceID, BookingID: j.BookingID,
				ID: j.ID, Fence: j.Fence, RunAt: until})
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
