package booking

import (
	"net/http"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/money/ledger"
	"slotd/internal/store/testdb"
	"slotd/test/worlds"
)

// payLate holds the lesson at ten, lets the hold end, makes a change, and then reports the payment. It uses only
// SQLite, because each case needs its own database. TestRace covers both outcomes on both databases.
func payLate(t *testing.T, meanwhile func(w *world, f *worlds.Feed, b *slotd.Booking),
	check func(w *world, b *slotd.Booking)) {
	w := newWorld(t, testdb.SQLite(t))
	f := w.connect()
	w.addPaidEventTypes()
	w.eventType("lesson").MinimumNoticeMinutes = 30
	w.apply()
	w.ReadCalendars("acme")
	b := w.mustHold("lesson", at("10:00"))
	w.Clock.Set(b.Hold.Until)
	meanwhile(w, f, b)
	w.applyPayment(b, worlds.PaidStatement(b))
	w.applyPayment(b, worlds.PaidStatement(b))
	check(w, w.stored(b))
	w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
}

func TestLatePayment_ConfirmsWhileTheTimeIsFree(t *testing.T) {
	for name, meanwhile := range map[string]func(w *world, f *worlds.Feed, b *slotd.Booking){
		"nothing": func(*world, *worlds.Feed, *slotd.Booking) {},
		"the hold's end is written": func(w *world, _ *worlds.Feed, b *slotd.Booking) {
			w.Must(w.Release(background, w.actor, b.ID))
		},
		"the notice has passed": func(w *world, _ *worlds.Feed, b *slotd.Booking) {
			w.Clock.Set(b.StartsAt.Add(-time.Minute))
		},
		"it is hidden": func(w *world, _ *worlds.Feed, _ *slotd.Booking) {
			w.eventType("lesson").Hidden = true
			w.apply()
		},
		"it is retired": func(w *world, _ *worlds.Feed, _ *slotd.Booking) {
			w.file.EventTypes = w.file.EventTypes[:2]
			w.apply()
		},
		"it is longer now": func(w *world, _ *worlds.Feed, _ *slotd.Booking) {
			w.mustCreate("intro", at("10:30"))
			w.lengthen()
		},
		"the calendar fails": func(w *world, f *worlds.Feed, _ *slotd.Booking) { // and its copy is recent
			w.ReadCalendars("acme")
			f.SetStatus(http.StatusInternalServerError)
		},
	} {
		t.Run(name, func(t *testing.T) {
			payLate(t, meanwhile, func(w *world, b *slotd.Booking) {
				if b.State != slotd.Confirmed || b.RefundedCents != 0 || b.Attendee != guest ||
					!b.EndsAt.Equal(at("10:30")) {
					t.Errorf("got %+v", b)
				}
				w.WantLedger(b, ledger.Paid)
				jobs := []string{"settle", "0.booked.attendee", "0.booked.host", "0.write_back"}
				if w.now().Before(at("09:00")) {
					jobs = append(jobs, "0.reminder.60")
				}
				w.wantJobs(b, jobs...)
			})
		})
	}
}

func (w *world) lengthen() {
	e := w.eventType("lesson")
	e.DurationMinutes, e.SlotIntervalMinutes = 60, 30
	w.apply()
}

func TestLatePayment_GoesBackIfTheTimeIsNotFree(t *testing.T) {
	for name, meanwhile := range map[string]func(w *world, f *worlds.Feed, b *slotd.Booking){
		"it is another's": func(w *world, _ *worlds.Feed, b *slotd.Booking) { w.mustCreate("intro", b.StartsAt) },
		"it is held":      func(w *world, _ *worlds.Feed, b *slotd.Booking) { w.mustHold("lesson", b.StartsAt) },
		"it has begun":    func(w *world, _ *worlds.Feed, b *slotd.Booking) { w.Clock.Set(b.StartsAt) },
		"the calendar is busy": func(_ *world, f *worlds.Feed, b *slotd.Booking) {
			f.Put("club", b.StartsAt, time.Hour)
		},
		"the calendar fails": func(_ *world, f *worlds.Feed, _ *slotd.Booking) {
			f.SetStatus(http.StatusInternalServerError)
		},
		"the day is full": func(w *world, _ *worlds.Feed, _ *slotd.Booking) {
			w.eventType("lesson").MaxPerDay = 1
			w.apply()
			w.mustHold("lesson", at("14:00"))
		},
		"the office is closed": func(w *world, _ *worlds.Feed, _ *slotd.Booking) {
			w.file.Schedules["default"] = slotd.Schedule{
				Weekly: map[time.Weekday][]slots.Window{time.Sunday: {worlds.Window("09:00-17:00")}}}
			w.apply()
		},
	} {
		t.Run(name, func(t *testing.T) {
			payLate(t, meanwhile, func(w *world, b *slotd.Booking) {
				if b.State != slotd.Canceled || b.RefundedCents != price || b.Sequence != 1 {
					t.Errorf("got %+v", b)
				}
				w.WantLedger(b, ledger.Paid, ledger.RefundRequested)
				if due := w.money(b).Ledger.Due(); due != price {
					t.Errorf("%d are due", due)
				}
				w.wantJobs(b, "settle", "1.paid_too_late.attendee") // the host never had a booking
				if got := w.settleAt(b); got.After(w.now()) {
					t.Errorf("the refund waits until %v", got)
				}
			})
		})
	}
}
