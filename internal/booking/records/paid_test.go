package records

import (
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/money/accounts"
	"slotd/internal/money/ledger"
)

const price = 5000

// eachPaid is each with an event type that costs money.
func eachPaid(t *testing.T, test func(t *testing.T, w *world)) {
	each(t, func(t *testing.T, w *world) {
		w.sell()
		test(t, w)
	})
}

// sell adds the event type "lesson", which costs money.
func (w *world) sell() {
	w.t.Helper()
	w.file.EventTypes = append(w.file.EventTypes,
		slotd.EventType{Slug: "lesson", Title: "Lesson", DurationMinutes: 30,
			Location: slotd.Location{Type: slotd.Video}, Schedule: "default", BookingWindowDays: 30,
			RemindersMinutesBefore: []int{60}, Price: &slotd.Price{AmountCents: price, Currency: "eur"},
			RefundPolicy: &slotd.RefundPolicy{FullUntilHoursBefore: 24}})
	w.apply()
}

func (w *world) mustHold(slug string, start time.Time) *slotd.Booking {
	w.t.Helper()
	page := booking.Actor{WorkspaceID: w.actor.WorkspaceID, Name: "page"}
	b, err := w.Hold(background, page,
		booking.Request{EventType: slug, StartsAt: start, Attendee: guest, Notes: "private words"}, accounts.Operator)
	w.must(err)
	return b
}

// pays is what is heard when a booking's guest has paid.
func pays(b *slotd.Booking) ledger.Statement { return told(b, ledger.Paid, paymentOf(b)) }

func paymentOf(b *slotd.Booking) string { return "pi_" + b.ID.String() }

// told is one piece of news about the whole price.
func told(b *slotd.Booking, kind ledger.Kind, reference string) ledger.Statement {
	return ledger.Statement{Entries: []ledger.Entry{{Kind: kind, Amount: price, Currency: b.Price.Currency,
		Reference: reference}}}
}

func (w *world) hear(b *slotd.Booking, heard ledger.Statement) {
	w.t.Helper()
	w.must(w.ApplyPayment(background, w.actor.WorkspaceID, b.ID, heard))
}

// mustPay is a booking that was held and paid for in time.
func (w *world) mustPay(slug string, start time.Time) *slotd.Booking {
	w.t.Helper()
	b := w.mustHold(slug, start)
	w.hear(b, pays(b))
	w.wantState(b, slotd.Confirmed)
	return w.stored(b)
}

func (w *world) wantState(b *slotd.Booking, want slotd.State) {
	w.t.Helper()
	if got := w.stored(b).State; got != want {
		w.t.Fatalf("the booking is %s, want %s", got, want)
	}
}
