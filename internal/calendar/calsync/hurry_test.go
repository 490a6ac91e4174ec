package calsync

import (
	"context"
	"testing"
	"time"

	"slotd/internal/store"
	"slotd/internal/workspace"
	"slotd/test/await"
)

// While entries are written into a calendar, its next read is made due again and again. A guest's read must still count,
// and the next one stays due: this one may have come before an entry.
func TestReadAll_CountsAlthoughTheNextReadIsMadeDue(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.feed.setEvents(nine)
		w.mustRead()
		w.feed.setEvents(ten)
		arrived, release := w.feed.stall(t)
		reads, c := make(chan map[int64]time.Time, 1), w.config()
		go func() { reads <- w.ReadAll(background, c) }()
		await.Signal(t, "the request", arrived)
		workspaceID, id := w.key("club")
		for range 2 {
			w.must(w.DB.InTx(background, func(ctx context.Context, tx *store.Tx) error {
				return workspace.ScheduleRead(ctx, tx, workspaceID, id, w.clock.Now())
			}))
		}
		release()
		if got := await.Signal(t, "the read", reads); len(got) != 1 {
			t.Errorf("the read does not count: %v", got)
		}
		w.wantBusy("+0 10:00-11:00")
		if total, _ := w.feed.requests(); total != 2 {
			t.Errorf("%d requests, want 2", total)
		}
		if state := w.state(); state.NextAt > 0 {
			t.Errorf("the next read is put off until %v", time.UnixMilli(state.NextAt))
		}
		w.mustRead()
		if state := w.state(); state.NextAt <= w.clock.Now().UnixMilli() {
			t.Error("the next read is due still")
		}
	})
}
