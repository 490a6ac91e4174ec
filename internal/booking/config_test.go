package booking

import (
	"context"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/store"
)

// applyAfterSnapshot makes a change after the snapshot is taken and before the transaction begins.
func (w *world) applyAfterSnapshot(change func()) *snapshot.Snapshot {
	w.T.Helper()
	p, err := w.cache.Latest(background, w.actor.WorkspaceID)
	w.Must(err)
	change()
	w.apply()
	return p
}

// createFrom is Create without its check in memory.
func (w *world) createFrom(p *snapshot.Snapshot, slug string, start time.Time) (*creation, error) {
	n := &creation{service: w.Service, actor: w.actor, plan: w.atOnce(),
		request: Request{EventType: slug, StartsAt: start, Attendee: guest}, snap: p,
		commit: commit{cache: w.cache, workspaceID: p.WorkspaceID}}
	defer n.commit.end()
	err := w.db.InHostTx(background, p.WorkspaceID, p.HostID,
		func(ctx context.Context, tx *store.Tx) error { return n.run(ctx, tx) })
	if err == nil {
		n.commit.publish(nil, []slots.Claim{claimOf(n.booking)})
	}
	return n, err
}

func TestCreate_UsesTheConfigurationOfItsTransaction(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e := w.eventType("intro")
		p := w.applyAfterSnapshot(func() { e.DurationMinutes, e.Title, e.BufferAfterMinutes = 60, "Longer", 15 })
		n, err := w.createFrom(p, "intro", at("09:00"))
		w.Must(err)
		if b := w.stored(n.booking); b.EventTitle != "Longer" || !b.EndsAt.Equal(at("10:00")) ||
			b.BufferAfterMinutes != 15 {
			t.Errorf("booked by the old configuration: %+v", b)
		}
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
		p = w.applyAfterSnapshot(func() { e.SlotIntervalMinutes = 45 })
		if n, err = w.createFrom(p, "intro", at("12:00")); !wasRefused(err) || n.refusal.reason != slots.NotOffered {
			t.Errorf("a start of the old grid: %v", err)
		}
		p = w.applyAfterSnapshot(func() { e.Hidden = true })
		_, err = w.createFrom(p, "intro", at("11:15"))
		wantCode(t, err, slotd.EventTypeNotFound)
		p = w.applyAfterSnapshot(func() { e.Hidden, e.Price = false, &slotd.Price{AmountCents: 100, Currency: "usd"} })
		_, err = w.createFrom(p, "intro", at("11:15"))
		wantCode(t, err, slotd.PaymentRequired)
		p = w.applyAfterSnapshot(func() { w.file.EventTypes = w.file.EventTypes[1:] })
		_, err = w.createFrom(p, "intro", at("11:15"))
		wantCode(t, err, slotd.EventTypeNotFound)
	})
}

func TestMove_UsesTheConfigurationOfItsTransaction(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.mustCreate("intro", at("09:00"))
		p := w.applyAfterSnapshot(func() { w.eventType("intro").DurationMinutes = 60 })
		m := &move{service: w.Service, actor: w.actor, id: b.ID, start: at("10:00"), snap: p,
			commit: commit{cache: w.cache, workspaceID: p.WorkspaceID}}
		defer m.commit.end()
		w.Must(w.db.InHostTx(background, p.WorkspaceID, p.HostID,
			func(ctx context.Context, tx *store.Tx) error { return m.run(ctx, tx) }))
		if moved := w.stored(b); !moved.EndsAt.Equal(at("11:00")) {
			t.Errorf("ends %s: moved by the old configuration", moved.EndsAt)
		}
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
	})
}

func TestConfig_IsTheSnapshotsWhileNothingChanged(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p, err := w.cache.Latest(background, w.actor.WorkspaceID)
		w.Must(err)
		w.mustCreate("intro", at("09:00")) // a new version, but no new configuration
		w.Must(w.db.InTx(background, func(ctx context.Context, tx *store.Tx) error {
			c, err := loadInTx(ctx, tx, p, w.now())
			if c.Config != p.Config || c.copies != p.Busy {
				t.Error("the configuration or the calendars were loaded again")
			}
			return err
		}))
	})
}
