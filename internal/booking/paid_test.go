package booking

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/jobs"
	"slotd/internal/money/accounts"
	"slotd/internal/money/ledger"
	"slotd/test/worlds"
)

const price = worlds.Price

// eachPaid is like each, with event types that cost money: "lesson", and "coaching" with buffers.
func eachPaid(t *testing.T, test func(t *testing.T, w *world)) {
	each(t, func(t *testing.T, w *world) {
		w.addPaidEventTypes()
		test(t, w)
	})
}

func (w *world) addPaidEventTypes() {
	w.T.Helper()
	coaching := worlds.Lesson()
	coaching.Slug, coaching.Title, coaching.DurationMinutes = "coaching", "Coaching", 60
	coaching.BufferBeforeMinutes, coaching.BufferAfterMinutes = 15, 30
	coaching.RemindersMinutesBefore, coaching.RefundPolicy = []int{}, nil
	coaching.Price = &slotd.Price{AmountCents: price, Currency: "jpy"}
	w.file.EventTypes = append(w.file.EventTypes, worlds.Lesson(), coaching)
	w.apply()
}

func (w *world) hold(slug string, start time.Time) (*slotd.Booking, error) {
	page := Page(w.actor.WorkspaceID)
	return w.Hold(background, page, requestOf(slug, start), accounts.Operator)
}

func (w *world) mustHold(slug string, start time.Time) *slotd.Booking {
	w.T.Helper()
	b, err := w.hold(slug, start)
	w.Must(err)
	return b
}

func (w *world) applyPayment(b *slotd.Booking, statement ledger.Statement) {
	w.T.Helper()
	w.Must(w.ApplyPayment(background, w.actor.WorkspaceID, b.ID, statement))
}

// mustPay returns a booking that was held and paid for in time.
func (w *world) mustPay(slug string, start time.Time) *slotd.Booking {
	w.T.Helper()
	b := w.mustHold(slug, start)
	w.applyPayment(b, worlds.PaidStatement(b))
	w.WantState(b, slotd.Confirmed)
	return w.stored(b)
}

func (w *world) money(b *slotd.Booking) *PaymentState {
	w.T.Helper()
	m, err := w.PaymentState(background, w.actor.WorkspaceID, b.ID)
	w.Must(err)
	return m
}

// jobs returns when each pending job of the booking runs next, by the job's name.
func (w *world) jobs(b *slotd.Booking) map[string]time.Time {
	w.T.Helper()
	entries, err := jobs.List(background, w.Writer, false, 1000)
	w.Must(err)
	next := map[string]time.Time{}
	for _, e := range entries {
		if name, ok := strings.CutPrefix(e.ID, b.ID.String()+"."); ok {
			next[name] = e.NextAt
		}
	}
	return next
}

// wantJobs checks that exactly these jobs of the booking are pending, whenever they are due.
func (w *world) wantJobs(b *slotd.Booking, want ...string) {
	w.T.Helper()
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(w.jobs(b))); !slices.Equal(got, want) {
		w.T.Errorf("the jobs are %v, want %v", got, want)
	}
}

// settleAt returns when the booking's settle job runs next.
func (w *world) settleAt(b *slotd.Booking) time.Time {
	w.T.Helper()
	next, ok := w.jobs(b)[SettleJob]
	if !ok {
		w.T.Fatal("nobody looks at it any more")
	}
	return next
}
