package jobs

import (
	"context"
	"sync"
	"time"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// leaseHolder renews the lease of the jobs of a round until their results are saved.
type leaseHolder struct {
	runner *Runner
	mu     sync.Mutex // renewing and saving results exclude each other
	rows   []sqlcgen.Job
	timer  *time.Timer
}

func (r *Runner) holdLease(rows []sqlcgen.Job) *leaseHolder {
	h := &leaseHolder{runner: r, rows: rows}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.timer = time.AfterFunc(leaseDuration/3, h.renew)
	return h
}

// saveResults saves some results. From then on only the lease of the rest is renewed.
func (h *leaseHolder) saveResults(results []result, rest []sqlcgen.Job) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.rows = rest
	return h.runner.saveResults(results)
}

// release stops renewing. Jobs without a saved result can be claimed again when their lease ends.
func (h *leaseHolder) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.timer.Stop()
	h.rows = nil
}

// renew holds the mutex during its transaction: otherwise it could undo a result saved meanwhile.
func (h *leaseHolder) renew() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.rows) == 0 {
		return
	}
	until := h.runner.now().Add(leaseDuration).UnixMilli()
	ctx, cancel := context.WithTimeout(context.Background(), h.runner.writeTimeout)
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
	h.timer.Reset(leaseDuration / 3)
}
