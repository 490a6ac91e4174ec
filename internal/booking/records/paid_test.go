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

// eachPaid is like each, with an event type that costs money.
func eachPaid(t *testing.T, test func(t *testing.T, w *world)) {
	each(t, func(t *testing.T, w *world) {
		w.addPaidEventType()
		test(t, w)
	})
}

// addPaidEventType adds the event type "lesson", which costs money.
func (w *world) addPaidEventType() {
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

// paidStatement returns the report that the guest has paid.
func paidStatement(b *slotd.Booking) ledger.Statement {
	return statementOf(b, ledger.Paid, paymentOf(b))
}

func paymentOf(b *slotd.Booking) string { return "pi_" + b.ID.String() }

// statementOf returns a report with one entry about the whole price.
func statementOf(b *slotd.Booking, kind ledger.Kind, reference string) ledger.Statement {
	return ledger.Statement{Entries: []ledger.Entry{{Kind: kind, Amount: price, Currency: b.Price.Currency,
		Reference: reference}}}
}

func (w *world) applyPayment(b *slotd.Booking, statement ledger.Statement) {
	w.t.Helper()
	w.must(w.ApplyPayment(background, w.actor.WorkspaceID, b.ID, statement))
}

// mustPay returns a booking that was held and paid for in time.
func (w *world) mustPay(slug string, start time.Time) *slotd.Booking {
	w.t.Helper()
	b := w.mustHold(slug, start)
	w.applyPayment(b, paidStatement(b))
	w.wantState(b, slotd.Confirmed)
	return w.stored(b)
}

func (w *world) wantState(b *slotd.Booking, want slotd.State) {
	w.t.Helper()
	if got := w.stored(b).State; got != want {
		w.t.Fatalf("the booking is %s, want %s", got, want)
	}
}
