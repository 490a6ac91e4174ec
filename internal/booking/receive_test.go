package booking

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/jobs"
	"slotd/internal/money/ledger"
	"slotd/internal/money/stripe"
	"slotd/test/worlds"
)

// receive delivers an event into the operator's account and returns why it is ignored.
func (w *world) receive(e *stripe.Event) (ignored string) {
	w.T.Helper()
	ignored, err := w.ReceiveEvent(background, 0, e)
	w.Must(err)
	return ignored
}

// atCheckout returns a held booking whose guest is at the checkout cs_1.
func (w *world) atCheckout() *slotd.Booking {
	w.T.Helper()
	b := w.mustHold("lesson", at("10:00"))
	w.Must(w.SaveCheckout(background, w.actor.WorkspaceID, b.ID, "cs_1", "https://pay.example/cs_1"))
	return b
}

// paidEvent reports that a booking was paid for at the checkout cs_1.
func paidEvent(b *slotd.Booking) *stripe.Event {
	return &stripe.Event{ID: "evt_1", Kind: "checkout.session.completed", Session: "cs_1", Payment: worlds.PaymentOf(b),
		Entries: worlds.PaidStatement(b).Entries}
}

// eventJobs returns the names of the jobs that apply events.
func (w *world) eventJobs() (names []string) {
	w.T.Helper()
	entries, err := jobs.List(background, w.Writer, false, 1000)
	w.Must(err)
	for _, e := range entries {
		if e.Kind == ApplyPaymentJob {
			_, name, _ := strings.Cut(e.ID, ".")
			names = append(names, name)
		}
	}
	return names
}

func TestReceiveEvent_IsKeptOnceWithItsJob(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		wakes := 0
		w.wake = func() { wakes++ }
		b := w.atCheckout()
		wakes = 0
		for _, want := range []string{"", "it was received before"} {
			if got := w.receive(paidEvent(b)); got != want {
				t.Errorf("ignored because %q, want %q", got, want)
			}
		}
		if got := w.eventJobs(); !slices.Equal(got, []string{ApplyPaymentJob + ".evt_1"}) || wakes == 0 {
			t.Errorf("jobs %v, %d wakes", got, wakes)
		}
		w.Clock.Advance(eventRetention)
		if got := w.receive(paidEvent(b)); got != "it was received before" {
			t.Errorf("just before it is forgotten: %q", got)
		}
		w.Clock.Advance(time.Millisecond)
		if got := w.receive(paidEvent(b)); got != "" {
			t.Errorf("forgotten: %q", got)
		}
	})
}

func TestReceiveEvent_IgnoresWhatIsNotAboutABookingOfItsAccount(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		b := w.atCheckout()
		w.applyPayment(b, worlds.PaidStatement(b))
		stranger := stripe.Booking{WorkspaceID: w.actor.WorkspaceID, ID: uuid.New()}
		ours := stripe.Booking{WorkspaceID: w.actor.WorkspaceID, ID: b.ID}
		for name, c := range map[string]struct {
			account int64
			change  func(e *stripe.Event)
			want    string
		}{
			"nothing":      {0, func(e *stripe.Event) { e.Entries = nil }, "it says nothing that concerns bookings"},
			"the checkout": {0, func(e *stripe.Event) {}, ""},
			"its end":      {0, func(e *stripe.Event) { e.Entries, e.Expired = nil, true }, ""},
			"another's":    {0, func(e *stripe.Event) { e.Session = "cs_2" }, "no booking is paid for by it"},
			"another's, ours": {0, func(e *stripe.Event) { e.Session, e.Booking = "cs_2", ours },
				"no booking is paid for by it"},
			"the payment":     {0, func(e *stripe.Event) { e.Session = "" }, ""},
			"another payment": {0, func(e *stripe.Event) { e.Payment = "pi_2" }, "paid for by another payment"},
			"by its name":     {0, func(e *stripe.Event) { e.Session, e.Payment, e.Booking = "", "", ours }, ""},
			"by another's": {0, func(e *stripe.Event) { e.Session, e.Payment, e.Booking = "", "", stranger },
				"no such booking"},
			"another account": {w.actor.WorkspaceID, func(e *stripe.Event) { e.Session, e.Booking = "", ours },
				"paid for into another account"},
		} {
			e := paidEvent(b)
			e.ID = "evt " + name
			c.change(e)
			got, err := w.ReceiveEvent(background, c.account, e)
			if w.Must(err); got != c.want && (c.want == "" || !strings.Contains(got, c.want)) {
				t.Errorf("%s: ignored because %q, want %q", name, got, c.want)
			}
			if made := slices.Contains(w.eventJobs(), ApplyPaymentJob+"."+e.ID); made != (c.want == "") {
				t.Errorf("%s: there is a job: %v", name, made)
			}
		}
	})
}

// Whoever owns an account can sign anything. What cannot be true makes the server ask Stripe.
func TestReceiveEvent_AsksStripeAboutWhatCannotBeTrue(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		b := w.atCheckout()
		entry := func(change func(e *ledger.Entry)) []ledger.Entry {
			e := worlds.PaidStatement(b).Entries[0]
			change(&e)
			return []ledger.Entry{e}
		}
		many := slices.Repeat(worlds.PaidStatement(b).Entries, 101)
		for i := range many {
			many[i].Reference = fmt.Sprint("pi_", i)
		}
		for name, c := range map[string]struct {
			entries []ledger.Entry
			trusted bool
		}{
			"the price":           {entry(func(*ledger.Entry) {}), true},
			"no amount":           {entry(func(e *ledger.Entry) { e.Amount = 0 }), true}, // then it is the price
			"no currency":         {entry(func(e *ledger.Entry) { e.Currency = "" }), true},
			"a refund of nothing": {entry(func(e *ledger.Entry) { e.Kind, e.Amount = ledger.Refunded, 0 }), false},
			"less than nothing":   {entry(func(e *ledger.Entry) { e.Amount = -1 }), false},
			"a cent":              {entry(func(e *ledger.Entry) { e.Amount = 1 }), true},
			"a trillion":          {entry(func(e *ledger.Entry) { e.Amount = 1e12 }), true},
			"more":                {entry(func(e *ledger.Entry) { e.Amount = 1e12 + 1 }), false},
			"another currency":    {entry(func(e *ledger.Entry) { e.Currency = "jpy" }), false},
			"no reference":        {entry(func(e *ledger.Entry) { e.Reference = "" }), false},
			"a hundred":           {many[:100], true},
			"a hundred and one":   {many, false},
		} {
			e := paidEvent(b)
			e.ID, e.Entries = "evt "+name, c.entries
			ignored := w.receive(e)
			if c.trusted != (ignored == "") || !c.trusted && !strings.HasSuffix(ignored, "Stripe is asked instead") {
				t.Errorf("%s: ignored because %q", name, ignored)
			}
			if c.trusted != slices.Contains(w.eventJobs(), ApplyPaymentJob+"."+e.ID) {
				t.Errorf("%s: jobs %v", name, w.eventJobs())
			}
			if !c.trusted && w.settleAt(b).After(w.Clock.Now()) {
				t.Errorf("%s: Stripe is asked at %v", name, w.settleAt(b))
			}
		}
	})
}
