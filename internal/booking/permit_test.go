package booking

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"slotd"
)

// permitted returns a request that counts the calls of its Permit.
func permitted(start time.Time, answer error) (r Request, asked *atomic.Int64) {
	asked = &atomic.Int64{}
	r = Request{EventType: "intro", StartsAt: start, Attendee: guest, Permit: func() error {
		asked.Add(1)
		return answer
	}}
	return r, asked
}

func (w *world) rows() (n int) {
	w.T.Helper()
	for _, table := range []string{"bookings", "claims", "booking_events", "jobs", "idempotency_keys"} {
		var rows int
		w.Must(w.Raw.QueryRow("SELECT COUNT(*) FROM " + table).Scan(&rows))
		n += rows
	}
	return n
}

func TestPermit_ARefusalLeavesNothingBehind(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		before, version := w.rows(), w.Config("acme").Version
		no := slotd.NewError(slotd.RateLimited, slotd.Facts{})
		r, asked := permitted(at("10:00"), no)
		r.Idempotency = &Idempotency{TokenID: "page", Key: "key"}
		if _, err := w.Create(background, w.actor, r); !errors.Is(err, no) {
			t.Fatalf("got %v", err)
		}
		if n := asked.Load(); n != 1 {
			t.Errorf("it was asked %d times", n)
		}
		if w.rows() != before || w.Config("acme").Version != version {
			t.Error("something was written")
		}
		r.Permit = nil
		if _, err := w.Create(background, w.actor, r); err != nil {
			t.Errorf("the slot cannot be had after a refusal: %v", err)
		}
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
	})
}

// A request that cannot succeed anyway must not use up the guest's quota.
func TestPermit_IsAskedOnlyForWhatWouldBeBooked(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		r, asked := permitted(at("10:00"), nil)
		r.Idempotency = &Idempotency{TokenID: "page", Key: "key"}
		first, err := w.Create(background, w.actor, r)
		w.Must(err)
		if n := asked.Load(); n != 1 {
			t.Fatalf("it was asked %d times", n)
		}
		again, err := w.Create(background, w.actor, r)
		if err != nil || again.ID != first.ID {
			t.Errorf("%v", err)
		}
		r.Idempotency = nil
		_, err = w.Create(background, w.actor, r)
		wantCode(t, err, slotd.SlotUnavailable)
		r.StartsAt = at("03:00")
		_, err = w.Create(background, w.actor, r)
		wantCode(t, err, slotd.SlotUnavailable)
		r.EventType = "nothing"
		_, err = w.Create(background, w.actor, r)
		wantCode(t, err, slotd.EventTypeNotFound)
		if n := asked.Load(); n != 1 {
			t.Errorf("it was asked %d times for one booking", n)
		}
	})
}

func TestRace_OfManyForOneSlotOnePermitIsAsked(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		r, asked := permitted(at("10:00"), nil)
		var wg sync.WaitGroup
		for range 40 {
			wg.Go(func() {
				if _, err := w.Create(background, w.actor, r); err != nil && !slotd.Is(err, slotd.SlotUnavailable) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if n := asked.Load(); n != 1 {
			t.Errorf("it was asked %d times", n)
		}
	})
}
