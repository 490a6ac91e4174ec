package booking

import (
	"errors"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/money/accounts"
	"slotd/internal/money/ledger"
	"slotd/test/worlds"
)

// entryPoints are all the ways to take a slot. Each takes the slot or returns an error.
var entryPoints = []struct {
	name string
	take func(w *world, other *Service, start time.Time) error
}{
	{"listing", func(w *world, other *Service, start time.Time) error { return w.takeListed(w.Service, start) }},
	{"another server's listing", func(w *world, other *Service, start time.Time) error {
		return w.takeListed(other, start)
	}},
	{"create", func(w *world, other *Service, start time.Time) error {
		_, err := w.create("intro", start)
		return err
	}},
	{"create past the snapshot", func(w *world, other *Service, start time.Time) error {
		p, err := w.cache.Latest(background, w.actor.WorkspaceID)
		w.Must(err)
		_, err = w.createFrom(p, "intro", start)
		return err
	}},
	{"another server's create", func(w *world, other *Service, start time.Time) error {
		_, err := other.Create(background, w.actor, Request{EventType: "intro", StartsAt: start, Attendee: guest})
		return err
	}},
	{"move", func(w *world, other *Service, start time.Time) error {
		b := w.mustCreate("intro", start.Add(2*time.Hour))
		_, err := w.Reschedule(background, w.actor, b.ID, start)
		if err != nil {
			_, cancelErr := w.Cancel(background, w.actor, b.ID, "")
			w.Must(cancelErr)
		}
		return err
	}},
	{"hold", func(w *world, other *Service, start time.Time) error { _, err := w.hold("coaching", start); return err }},
}

func (w *world) takeListed(s *Service, start time.Time) error {
	if !w.offers(s, "intro", start) || !w.offers(s, "lesson", start) {
		return errRefused
	}
	return nil
}

// entryPointSlot returns a separate slot for each entry point, far from the others.
func entryPointSlot(i int) time.Time { return at("10:00").AddDate(0, 0, i) }

// wantEntryPoints tries all entry points, some of them on another server.
func (w *world) wantEntryPoints(about string, other *Service, open bool) {
	w.T.Helper()
	for i, entry := range entryPoints {
		err := entry.take(w, other, entryPointSlot(i))
		if err != nil && !wasRefused(err) && !slotd.Is(err, slotd.SlotUnavailable) {
			w.T.Fatalf("%s: %s: %v", about, entry.name, err)
		}
		if (err == nil) != open {
			w.T.Errorf("%s: %s: %v, want it open: %v", about, entry.name, err, open)
		}
	}
}

// No job runs here: the clock alone ends a hold.
func TestHold_IsBusyForEveryoneUntilItEnds(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		other := w.secondServer()
		var held []*slotd.Booking
		for i := range entryPoints {
			held = append(held, w.mustHold("lesson", entryPointSlot(i)))
		}
		w.wantEntryPoints("at once", other, false)
		w.Clock.Set(held[0].Hold.Until.Add(-time.Millisecond))
		w.wantEntryPoints("a moment before the end", other, false)
		w.Clock.Set(held[0].Hold.Until)
		w.wantEntryPoints("at the end", other, true)
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
	})
}

func TestHold_IsFreeAtOnceWhenItIsReleased(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		for i := range entryPoints {
			b := w.mustHold("lesson", entryPointSlot(i))
			if i%2 == 0 {
				w.Must(w.Release(background, Attendee(w.actor.WorkspaceID), b.ID))
			} else { // the payment service reports that nobody can pay anymore
				w.applyPayment(b, ledger.Statement{Closed: true})
			}
		}
		w.wantEntryPoints("let go", w.secondServer(), true)
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
	})
}

func TestHold_TakesItsBuffersAndItsShareOfTheDay(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		w.eventType("coaching").MaxPerDay = 1
		w.apply()
		b := w.mustHold("coaching", at("10:00")) // takes 9:45 to 11:30
		for start, want := range map[string]slots.Reason{"09:00": slots.Free, "09:30": slots.Busy, "11:00": slots.Busy,
			"11:30": slots.Free} {
			if got := w.reason("intro", at(start)); got != want {
				t.Errorf("intro at %s: %v, want %v", start, got, want)
			}
		}
		if got := w.reason("coaching", at("14:00")); got != slots.DayFull {
			t.Errorf("the day's limit does not count the hold: %v", got)
		}
		_, err := w.hold("coaching", at("14:00"))
		wantCode(t, err, slotd.SlotUnavailable)
		w.Clock.Set(b.Hold.Until)
		w.mustHold("coaching", at("14:00"))
		w.mustCreate("intro", at("11:00"))
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
	})
}

// A list of slots that was made during a hold is valid only until the hold ends.
func TestHold_AListingHoldsNoLongerThanIt(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		w.eventType("coaching").MaxPerDay = 1
		w.apply()
		within := slots.Span{Start: at("+1 00:00"), End: at("+2 00:00")}
		until := func(s *Service, slug string) time.Time {
			p, err := s.cache.Latest(background, w.actor.WorkspaceID)
			w.Must(err)
			_, holds := slots.Open(s.query(p, p.EventTypeBySlug(slug), nil), within)
			return holds
		}
		if holds := until(w.Service, "intro"); !holds.After(monday.Add(DefaultHold)) {
			t.Fatalf("without a hold the list holds until %v", holds)
		}
		b := w.mustHold("coaching", at("+1 10:00"))
		for _, s := range []*Service{w.Service, w.secondServer()} {
			// The hold overlaps the first and counts for the second.
			for _, slug := range []string{"intro", "coaching"} {
				if holds := until(s, slug); !holds.Equal(b.Hold.Until) {
					t.Errorf("the list of %s holds until %v, want %v", slug, holds, b.Hold.Until)
				}
			}
		}
		w.applyPayment(b, worlds.PaidStatement(b))
		if holds := until(w.Service, "intro"); holds.Equal(b.Hold.Until) {
			t.Errorf("paid for, and yet the list holds until %v", holds)
		}
	})
}

// Nobody can see, move or cancel a hold, neither with a token nor with the attendee's links.
func TestHold_IsNoBooking(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		b := w.mustHold("lesson", at("10:00"))
		for _, state := range []slotd.State{slotd.Held, slotd.Expired} {
			w.WantState(b, state)
			for _, actor := range []Actor{w.actor, Attendee(w.actor.WorkspaceID)} {
				_, err := w.Cancel(background, actor, b.ID, "")
				wantCode(t, err, slotd.BookingNotFound)
				_, err = w.Reschedule(background, actor, b.ID, at("11:00"))
				wantCode(t, err, slotd.BookingNotFound)
			}
			if found, err := Load(background, w.db.Read(), w.actor.WorkspaceID, b.ID); found != nil || err != nil {
				t.Errorf("%s: it is found: %v, %v", state, found, err)
			}
			_, err := w.hold("lesson", at("10:00"))
			if e := new(slotd.Error); errors.As(err, &e) && e.BookingID != "" {
				t.Errorf("%s: the refusal names the hold %s", state, e.BookingID)
			}
			w.Must(w.Release(background, w.actor, b.ID))
		}
	})
}

func TestHold_RefusesWhatIsNotForSale(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		held := func(slug string, account string, shown *ShownPrice) error {
			_, err := w.Hold(background, w.actor,
				Request{EventType: slug, StartsAt: at("10:00"), Attendee: guest, ShownPrice: shown}, account)
			return err
		}
		wantCode(t, held("lesson", "", nil), slotd.PaymentRequired)
		for _, shown := range []ShownPrice{
			{slotd.Price{AmountCents: price - 1, Currency: "eur"}, 24},
			{slotd.Price{AmountCents: price, Currency: "usd"}, 24},
			{slotd.Price{AmountCents: price, Currency: "eur"}, 12},
			{slotd.Price{AmountCents: price, Currency: "eur"}, -1},
		} {
			if err := held("lesson", accounts.Operator, &shown); !errors.Is(err, ErrPriceChanged) {
				t.Errorf("shown %v: %v", shown, err)
			}
		}
		if err := held("intro", accounts.Operator, nil); !errors.Is(err, ErrPriceChanged) {
			t.Errorf("free by now: %v", err)
		}
		w.eventType("lesson").Hidden = true
		w.apply()
		wantCode(t, held("lesson", accounts.Operator, nil), slotd.EventTypeNotFound)
		w.file.EventTypes = w.file.EventTypes[:2]
		w.apply()
		wantCode(t, held("lesson", accounts.Operator, nil), slotd.EventTypeNotFound)
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
	})
}

// Nobody pays for a meeting that has begun.
func TestHold_EndsWhenTheMeetingBegins(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		start := at("10:00")
		w.Clock.Set(start.Add(-10 * time.Minute))
		b := w.mustHold("lesson", start)
		if !b.Hold.Until.Equal(start) {
			t.Errorf("held until %s", b.Hold.Until)
		}
		w.Clock.Set(start)
		w.applyPayment(b, worlds.StatementOf(b, ledger.Paid, worlds.PaymentOf(b)))
		w.WantState(b, slotd.Canceled)
		w.WantLedger(b, ledger.Paid, ledger.RefundRequested)
	})
}
