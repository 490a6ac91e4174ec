package booking

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/jobs"
	"slotd/internal/money/accounts"
	"slotd/internal/money/ledger"
)

const price = 5000

// eachPaid is like each, with event types that cost money: "lesson", and "coaching" with buffers.
func eachPaid(t *testing.T, test func(t *testing.T, w *world)) {
	each(t, func(t *testing.T, w *world) {
		w.addPaidEventTypes()
		test(t, w)
	})
}

func (w *world) addPaidEventTypes() {
	w.t.Helper()
	w.holdFor = DefaultHold
	w.file.EventTypes = append(w.file.EventTypes,
		slotd.EventType{Slug: "lesson", Title: "Lesson", DurationMinutes: 30,
			Location: slotd.Location{Type: slotd.Video}, Schedule: "default", BookingWindowDays: 30,
			RemindersMinutesBefore: []int{60}, Price: &slotd.Price{AmountCents: price, Currency: "eur"},
			RefundPolicy: &slotd.RefundPolicy{FullUntilHoursBefore: 24}},
		slotd.EventType{Slug: "coaching", Title: "Coaching", DurationMinutes: 60,
			Location: slotd.Location{Type: slotd.Video}, Schedule: "default", BookingWindowDays: 30,
			BufferBeforeMinutes: 15, BufferAfterMinutes: 30, RemindersMinutesBefore: []int{},
			Price: &slotd.Price{AmountCents: price, Currency: "jpy"}})
	w.apply()
}

func (w *world) hold(slug string, start time.Time) (*slotd.Booking, error) {
	page := Actor{WorkspaceID: w.actor.WorkspaceID, Name: "page"}
	return w.Hold(background, page, Request{EventType: slug, StartsAt: start, Attendee: guest, Notes: "private words"},
		accounts.Operator)
}

func (w *world) mustHold(slug string, start time.Time) *slotd.Booking {
	w.t.Helper()
	b, err := w.hold(slug, start)
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

func (w *world) money(b *slotd.Booking) *PaymentState {
	w.t.Helper()
	m, err := w.PaymentState(background, w.actor.WorkspaceID, b.ID)
	w.must(err)
	return m
}

// wantLedger compares the kinds of all entries, in order.
func (w *world) wantLedger(b *slotd.Booking, want ...ledger.Kind) {
	w.t.Helper()
	var got []ledger.Kind
	for _, e := range w.money(b).Ledger {
		got = append(got, e.Kind)
	}
	if !slices.Equal(got, want) {
		w.t.Errorf("the ledger says %v, want %v", got, want)
	}
}

// wantJobs checks that exactly these jobs of the booking are pending, whenever they are due.
func (w *world) wantJobs(b *slotd.Booking, want ...string) {
	w.t.Helper()
	entries, err := jobs.List(background, w.other, false, 1000)
	w.must(err)
	var got []string
	for _, e := range entries {
		if name, ok := strings.CutPrefix(e.ID, b.ID.String()+"."); ok {
			got = append(got, name)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		w.t.Errorf("the jobs are %v, want %v", got, want)
	}
}

func (w *world) offers(s *Service, slug string, start time.Time) bool {
	w.t.Helper()
	open, err := w.listed(s, slug)
	w.must(err)
	return slices.ContainsFunc(open, start.Equal)
}

// reason returns the engine's answer about a start.
func (w *world) reason(slug string, start time.Time) slots.Reason {
	w.t.Helper()
	p, err := w.cache.Latest(background, w.actor.WorkspaceID)
	w.must(err)
	return slots.Check(w.query(p, p.EventTypeBySlug(slug), nil), start)
}

// atOnce runs all functions concurrently and returns their errors.
func atOnce(all ...func() error) []error {
	var done sync.WaitGroup
	errs := make([]error, len(all))
	begin := make(chan struct{})
	for i, do := range all {
		done.Go(func() {
			<-begin
			errs[i] = do()
		})
	}
	close(begin)
	done.Wait()
	return errs
}

// settleAt returns when the booking's settle job runs next.
func (w *world) settleAt(b *slotd.Booking) time.Time {
	w.t.Helper()
	entries, err := jobs.List(background, w.other, false, 1000)
	w.must(err)
	for _, e := range entries {
		if e.ID == b.ID.String()+"."+SettleJob {
			return e.NextAt
		}
	}
	w.t.Fatal("nobody looks at it any more")
	return time.Time{}
}
