package booking

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// allCauses returns everything that changes a state, and something that does not.
func allCauses() (all []slotd.Cause) {
	for _, s := range slotd.Transitions {
		if !slices.Contains(all, s.By) {
			all = append(all, s.By)
		}
	}
	return append(all, "rescheduled")
}

// allReasons returns all reasons to hold a booking, none, and one that nobody knows.
func allReasons() (all []slotd.HoldReason) {
	for _, h := range slotd.HoldReasons {
		all = append(all, h.Reason)
	}
	return append(all, "", "weather")
}

// bookingIn returns a stored booking in the given state, with the claim that belongs to it.
func (w *world) bookingIn(state slotd.State, reason slotd.HoldReason, start time.Time) *slotd.Booking {
	w.T.Helper()
	c := w.Config("acme")
	how := w.atOnce()
	how.hold, how.holdFor = reason, DefaultHold
	b, err := w.newBooking(c, w.eventTypeOf(c, "intro"), requestOf("intro", start), how, w.now())
	w.Must(err)
	b.State = state
	w.Must(w.db.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		return insertBooking(ctx, tx, w.actor, c, b, how.start)
	}))
	return b
}

func (w *world) eventTypeOf(c *snapshot.Config, slug string) *slotd.EventType {
	w.T.Helper()
	e := c.EventTypeBySlug(slug)
	if e == nil {
		w.T.Fatalf("there is no %s", slug)
	}
	return e
}

// try applies a cause to a booking.
func (w *world) try(b *slotd.Booking, by slotd.Cause) error {
	return w.inBookingTx(background, w.actor.WorkspaceID, b.ID,
		func(ctx context.Context, tx *store.Tx, t *bookingTx) error {
			return t.transition(ctx, tx, w.actor, by, w.now())
		})
}

// wantClaim checks that the booking takes the host's time as its state says, in the database and for readers.
func (w *world) wantClaim(about string, b *slotd.Booking) {
	w.T.Helper()
	held := w.Texts(`SELECT CAST(held_until AS TEXT) FROM claims WHERE booking_id = $1`, b.ID.String())
	var want []string
	switch {
	case b.IsHeld():
		want = []string{fmt.Sprint(b.Hold.Until.UnixMilli())}
	case b.State.TakesTime():
		want = []string{"0"}
	}
	if !slices.Equal(held, want) {
		w.T.Errorf("%s: claims %v, want %v", about, held, want)
	}
	if free := w.reason("intro", b.StartsAt) == slots.Free; free == b.State.TakesTime() {
		w.T.Errorf("%s: readers see that its time is free: %v", about, free)
	}
}

// Every pair of a state and a cause is tried, for every reason: what the table lists happens, with the claim and the
// history that belong to it, and whatever else is refused and writes nothing.
func TestTransition_EachOfTheTableIsTakenAndNoOther(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var taken []slotd.Transition
		for _, info := range slotd.States {
			for _, by := range allCauses() {
				for _, reason := range allReasons() {
					if info.State.IsOnHold() && reason == "" {
						continue
					}
					about := fmt.Sprintf("%s, held for %q, %s", info.State, reason, by)
					b := w.bookingIn(info.State, reason, at("10:00"))
					if to := w.tryEach(about, b, by); to != "" {
						taken = append(taken, slotd.Transition{From: info.State, To: to, By: by, Of: reason})
					}
					w.forget(b)
				}
			}
		}
		for _, s := range slotd.Transitions {
			ok := slices.ContainsFunc(taken, func(done slotd.Transition) bool {
				return done.From == s.From && done.To == s.To && done.By == s.By && (s.Of == "" || s.Of == done.Of)
			})
			if !ok && s.From != "" { // TestHold_… and the tests of Create begin bookings
				t.Errorf("%+v was not taken", s)
			}
		}
		for _, done := range taken {
			ok := slices.ContainsFunc(slotd.Transitions, func(s slotd.Transition) bool {
				return done.From == s.From && done.To == s.To && done.By == s.By && (s.Of == "" || s.Of == done.Of)
			})
			if !ok {
				t.Errorf("%+v was taken", done)
			}
		}
	})
}

// tryEach returns the booking's new state, or nothing if the cause was refused.
func (w *world) tryEach(about string, b *slotd.Booking, by slotd.Cause) slotd.State {
	w.T.Helper()
	before := w.Dump()
	if err := w.try(b, by); err != nil {
		if w.Dump() != before {
			w.T.Errorf("%s: it is refused, and yet something was written", about)
		}
		return ""
	}
	after := w.stored(b)
	w.wantClaim(about, after)
	events := w.Texts(`SELECT kind FROM booking_events WHERE booking_id = $1 ORDER BY n`, b.ID.String())
	if events[len(events)-1] != string(by) {
		w.T.Errorf("%s: the history is %v", about, events)
	}
	if after.Hold != b.Hold {
		w.T.Errorf("%s: the hold was %v and is %v", about, b.Hold, after.Hold)
	}
	return after.State
}

// forget makes room for the next booking.
func (w *world) forget(b *slotd.Booking) {
	w.T.Helper()
	for _, table := range []string{"claims WHERE booking_id", "booking_events WHERE booking_id", "bookings WHERE id"} {
		_, err := w.Raw.Exec(`DELETE FROM `+table+` = $1`, b.ID.String())
		w.Must(err)
	}
	w.Must(w.db.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.BumpVersion(ctx, w.actor.WorkspaceID)
		return err
	}))
}

// A booking that was read before somebody else changed it must not overwrite the change.
func TestTransition_OfAStaleBookingIsRefused(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.mustCreate("intro", at("10:00"))
		_, err := w.Cancel(background, w.actor, b.ID, "first")
		w.Must(err)
		before := w.Dump()
		err = w.db.InHostTx(background, w.actor.WorkspaceID, w.Config("acme").HostID,
			func(ctx context.Context, tx *store.Tx) error {
				b.CancelReason = "second"
				return transition(ctx, tx, w.actor, w.Config("acme").HostID, b, slotd.ByCancel, w.now())
			})
		if err == nil || w.Dump() != before {
			t.Errorf("got %v; changed: %v", err, w.Dump() != before)
		}
	})
}

// mustHoldFor takes a slot for any reason. There is no flow behind it.
func (w *world) mustHoldFor(reason slotd.HoldReason, start time.Time) *slotd.Booking {
	w.T.Helper()
	b, err := w.Service.book(background, Page(w.actor.WorkspaceID), requestOf("intro", start), plan{
		start: slotd.ByHold, hold: reason, holdFor: DefaultHold,
		accepts:  func(*snapshot.Config, *slotd.EventType, Request) error { return nil },
		followUp: func(context.Context, *store.Tx, *snapshot.Config, *slotd.Booking) error { return nil },
	})
	w.Must(err)
	return b
}

func eachReason(t *testing.T, test func(t *testing.T, w *world, h slotd.HoldInfo)) {
	for _, h := range slotd.HoldReasons {
		t.Run(string(h.Reason), func(t *testing.T) {
			each(t, func(t *testing.T, w *world) { test(t, w, h) })
		})
	}
}

func TestHoldReasons_TheTimeIsBusyAndTheBookingNobodys(t *testing.T) {
	eachReason(t, func(t *testing.T, w *world, h slotd.HoldInfo) {
		b := w.mustHoldFor(h.Reason, at("10:00"))
		w.WantState(b, slotd.Held)
		w.wantClaim("held", b)
		if !b.IsHeldFor(h.Reason) || b.IsHeldFor("weather") || !b.Hold.Until.Equal(w.now().Add(DefaultHold)) {
			t.Errorf("%+v", b.Hold)
		}
		_, err := w.Cancel(background, w.actor, b.ID, "")
		wantCode(t, err, slotd.BookingNotFound)
		_, err = w.create("intro", at("10:00"))
		wantCode(t, err, slotd.SlotUnavailable)
	})
}

func TestHoldReasons_TheReasonOutlivesTheServerAndTheHold(t *testing.T) {
	eachReason(t, func(t *testing.T, w *world, h slotd.HoldInfo) {
		b := w.mustHoldFor(h.Reason, at("10:00"))
		other := w.secondServer()
		for range 2 {
			found, _, err := readBooking(background, other.db.Read(), w.actor.WorkspaceID, b.ID)
			w.Must(err)
			if found.Hold != b.Hold || found.Hold.Reason != h.Reason {
				t.Errorf("%s: the hold is %+v, want %+v", found.State, found.Hold, b.Hold)
			}
			w.Must(other.Release(background, w.actor, b.ID))
		}
	})
}

func TestHoldReasons_EachEndsInEveryWay(t *testing.T) {
	eachReason(t, func(t *testing.T, w *world, h slotd.HoldInfo) {
		confirmed, released, over := w.mustHoldFor(h.Reason, at("10:00")), w.mustHoldFor(h.Reason, at("11:00")),
			w.mustHoldFor(h.Reason, at("12:00"))
		w.Must(w.try(confirmed, h.ConfirmedBy))
		w.Must(w.Release(background, w.actor, released.ID))
		w.Must(w.Release(background, w.actor, confirmed.ID)) // too late
		w.Clock.Set(over.Hold.Until)
		w.mustCreate("intro", at("12:00"))
		w.WantState(confirmed, slotd.Confirmed)
		w.WantState(released, slotd.Expired)
		w.WantState(over, slotd.Expired)
		w.wantClaim("confirmed", w.stored(confirmed))
		w.wantClaim("released", w.stored(released))
		by := w.Texts(`SELECT actor FROM booking_events WHERE booking_id = $1 ORDER BY n DESC`, over.ID.String())
		if by[0] != string(h.EndedBy) {
			t.Errorf("the hold was ended by %s, want %s", by[0], h.EndedBy)
		}
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
	})
}

// A hold that has nothing to do with money leaves nothing for the payment service to settle.
func TestRelease_SettlesPaymentsOnly(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, reason := range allReasons() {
			if reason == "" {
				continue
			}
			b := w.mustHoldFor(reason, at("10:00"))
			w.Must(w.Release(background, w.actor, b.ID))
			n, err := w.db.Read().JobsOfBooking(background,
				sqlcgen.JobsOfBookingParams{WorkspaceID: w.actor.WorkspaceID, BookingID: b.ID.String()})
			w.Must(err)
			if settles := len(n) == 1; settles != (reason == slotd.ForPayment) {
				t.Errorf("%s: jobs %v", reason, n)
			}
		}
	})
}

// A plan that the table does not know books nothing.
func TestBook_APlanOutsideTheTableIsRefused(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		before := w.Dump()
		how := w.atOnce()
		how.start = slotd.ByPayment
		_, err := w.Service.book(background, w.actor, requestOf("intro", at("10:00")), how)
		if code := new(slotd.Error); err == nil || errors.As(err, &code) || w.Dump() != before {
			t.Errorf("%v", err)
		}
	})
}
