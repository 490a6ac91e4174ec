package booking

import (
	"testing"
	"time"

	"slotd"
	"slotd/internal/money/ledger"
	"slotd/test/worlds"
)

// The lesson is fully refundable until 24 hours before the start; coaching is never refundable.
func TestCancel_RefundsByWhoCancelsAndWhen(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		attendee := Attendee(w.actor.WorkspaceID)
		for i, c := range []struct {
			name, slug string
			actor      Actor
			before     time.Duration // the start
			want       int64
		}{
			{"the host, a moment before", "lesson", w.actor, time.Millisecond, price},
			{"the host, without a rule", "coaching", w.actor, time.Hour, price},
			{"the attendee, in time", "lesson", attendee, 24*time.Hour + time.Millisecond, price},
			{"the attendee, at the limit", "lesson", attendee, 24 * time.Hour, 0},
			{"the attendee, too late", "lesson", attendee, time.Minute, 0},
			{"the attendee, without a rule", "coaching", attendee, 48 * time.Hour, 0},
		} {
			w.Clock.Set(monday.AddDate(0, 0, 4*i))
			b := w.mustPay(c.slug, w.now().AddDate(0, 0, 3).Add(2*time.Hour))
			w.Clock.Set(b.StartsAt.Add(-c.before))
			shown, _, err := w.Refundable(background, w.actor.WorkspaceID, b)
			if w.Must(err); c.actor.Kind == slotd.AttendeeActor && shown != c.want {
				t.Errorf("%s: the page promises %d, want %d", c.name, shown, c.want)
			}
			for range 2 { // canceling again returns the same result
				canceled, err := w.Cancel(background, c.actor, b.ID, "")
				if w.Must(err); canceled.RefundedCents != c.want || w.stored(b).RefundedCents != c.want {
					t.Errorf("%s: refunded %d, stored %d, want %d", c.name, canceled.RefundedCents,
						w.stored(b).RefundedCents, c.want)
				}
			}
			if c.want == 0 {
				w.WantLedger(b, ledger.Paid)
			} else {
				w.WantLedger(b, ledger.Paid, ledger.RefundRequested)
			}
			if due := w.money(b).Ledger.Due(); due != c.want {
				t.Errorf("%s: %d are due", c.name, due)
			}
		}
	})
}

// An attendee who is too late to cancel gains nothing by moving the booking first. A move by the host costs the
// attendee nothing.
func TestCancel_RefundAfterAMove(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		attendee := Attendee(w.actor.WorkspaceID)
		for i, c := range []struct {
			name   string
			mover  Actor
			before time.Duration // the start, at the time of the move
			days   int           // how far it is moved
			want   int64
		}{
			{"moved by the attendee in time", attendee, 24*time.Hour + time.Millisecond, 3, price},
			{"moved by the attendee at the limit", attendee, 24 * time.Hour, 3, 0},
			{"moved by the host at the last moment", w.actor, time.Minute, 3, price},
			{"moved by the host to be sooner than there is time to cancel", w.actor, 60 * time.Hour, -2, price},
			{"moved by the attendee to be so", attendee, 60 * time.Hour, -2, 0},
		} {
			w.Clock.Set(monday.AddDate(0, 0, 8*i))
			b := w.mustPay("lesson", w.now().AddDate(0, 0, 3).Add(2*time.Hour))
			w.Clock.Set(b.StartsAt.Add(-c.before))
			moved, err := w.Reschedule(background, c.mover, b.ID, b.StartsAt.AddDate(0, 0, c.days))
			if w.Must(err); moved.State != slotd.Confirmed || moved.Price.AmountCents != price {
				t.Errorf("%s: %+v", c.name, moved)
			}
			w.WantLedger(b, ledger.Paid) // the payment stays with the moved booking
			canceled, err := w.Cancel(background, attendee, b.ID, "")
			if w.Must(err); canceled.RefundedCents != c.want {
				t.Errorf("%s: refunded %d, want %d", c.name, canceled.RefundedCents, c.want)
			}
		}
	})
}

func TestRace_SeveralCancelsAreOneRefund(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		b := w.mustPay("lesson", at("+2 10:00"))
		cancel := func(actor Actor) func() error {
			return func() error { _, err := w.Cancel(background, actor, b.ID, ""); return err }
		}
		for _, err := range worlds.AtOnce(cancel(w.actor), cancel(Attendee(w.actor.WorkspaceID)), cancel(w.actor)) {
			w.Must(err)
		}
		w.WantLedger(b, ledger.Paid, ledger.RefundRequested)
		w.wantJobs(b, "settle", "0.booked.attendee", "0.booked.host", "1.canceled.attendee", "1.canceled.host")
	})
}

// What was refunded already is not refunded again.
func TestCancel_RefundsWhatIsThere(t *testing.T) {
	entry := func(kind ledger.Kind, amount int64, reference string) ledger.Entry {
		return ledger.Entry{Kind: kind, Amount: amount, Reference: reference}
	}
	eachPaid(t, func(t *testing.T, w *world) {
		for i, c := range []struct {
			name   string
			before []ledger.Entry
			want   int64
		}{
			{"a part went back by hand", []ledger.Entry{entry(ledger.Refunded, 2000, "re_1")}, 3000},
			{"all of it went back", []ledger.Entry{entry(ledger.Refunded, price, "re_1")}, 0},
			{"a refund came back", []ledger.Entry{entry(ledger.Refunded, 2000, "re_1"),
				entry(ledger.Failed, 2000, "re_1")}, price},
			{"the bank has it", []ledger.Entry{entry(ledger.Disputed, price, "dp_1")}, 0},
			{"the bank gave it back", []ledger.Entry{entry(ledger.Disputed, price, "dp_1"),
				entry(ledger.DisputeWon, price, "dp_1")}, price},
		} {
			b := w.mustPay("lesson", at("10:00").AddDate(0, 0, i+1))
			w.applyPayment(b, ledger.Statement{Entries: c.before})
			if promised, _, err := w.Refundable(background, w.actor.WorkspaceID, b); err != nil || promised != c.want {
				t.Errorf("%s: %d are promised, want %d: %v", c.name, promised, c.want, err)
			}
			canceled, err := w.Cancel(background, w.actor, b.ID, "")
			if w.Must(err); canceled.RefundedCents != c.want {
				t.Errorf("%s: refunded %d, want %d", c.name, canceled.RefundedCents, c.want)
			}
			if due := w.money(b).Ledger.Due(); due != c.want {
				t.Errorf("%s: %d are due, want %d", c.name, due, c.want)
			}
		}
	})
}
