package worker

import (
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/jobs"
	"slotd/internal/mail"
	"slotd/internal/money/accounts"
	"slotd/internal/money/stripe"
	"slotd/internal/money/stripe/stripetest"
	"slotd/internal/store/testdb"
	"slotd/test/worlds"
)

const price = worlds.Price

// paid is a world where a lesson costs money, with a payment service. The service's events arrive only when the test
// calls deliver.
type paid struct {
	*world
	stripe    *stripetest.Stripe
	payments  *Payments
	settling  *jobs.Runner
	events    *jobs.Runner
	delivered int // number of events
}

func eachPaid(t *testing.T, test func(t *testing.T, w *paid)) {
	testdb.EachTarget(t, func(t *testing.T, target string) { test(t, newPaid(t, target)) })
}

func newPaid(t *testing.T, target string) *paid {
	t.Helper()
	w := &paid{world: newWorld(t, target)}
	w.takePayments(paidEventType("lesson", nil))
	w.deliverTo(w.box)
	return w
}

func paidEventType(slug string, policy *slotd.RefundPolicy) slotd.EventType {
	e := worlds.Lesson()
	e.Slug, e.BookingWindowDays, e.RemindersMinutesBefore, e.RefundPolicy = slug, 700, []int{}, policy
	return e
}

// takePayments adds event types that cost money, and the payment service.
func (w *paid) takePayments(types ...slotd.EventType) {
	w.T.Helper()
	w.stripe = stripetest.Start(w.T)
	w.stripe.Now = w.Clock.Now
	w.payments = &Payments{Booking: w.Service, Now: w.now,
		Accounts: &accounts.Service{DB: w.DB, Keys: w.Keys,
			OperatorKeys: stripe.Keys{Secret: w.stripe.Key, Webhook: w.stripe.Secret}, API: w.stripe.URL}}
	w.settling = w.newRunner(jobs.Payment, map[string]jobs.Handler{booking.SettleJob: w.payments.Settle})
	w.events = w.newRunner(jobs.Event, map[string]jobs.Handler{booking.ApplyPaymentJob: w.payments.ApplyPayment})
	w.File.EventTypes = append(w.File.EventTypes, types...)
	w.PutFile()
}

// hold holds a slot for a guest who has not been sent to the checkout yet.
func (w *paid) hold(start time.Time) *slotd.Booking {
	w.T.Helper()
	return w.holdFor("lesson", start, email)
}

func (w *paid) holdFor(slug string, start time.Time, email string) *slotd.Booking {
	w.T.Helper()
	p, err := w.Cache.Latest(background, w.Actor.WorkspaceID)
	w.Must(err)
	b, err := w.Hold(background, w.Actor,
		booking.Request{EventType: slug, StartsAt: start, Attendee: guestAt(email), Notes: "private words"},
		w.payments.Accounts.Account(p.Config))
	w.Must(err)
	return b
}

// checkout returns a held booking whose guest is on the payment service's page, and the checkout's session.
func (w *paid) checkout(start time.Time) (b *slotd.Booking, session string) {
	w.T.Helper()
	b = w.hold(start)
	return b, w.openCheckout(b)
}

// openCheckout sends the guest of a held booking to the payment service's page.
func (w *paid) openCheckout(b *slotd.Booking) (session string) {
	w.T.Helper()
	client, err := w.payments.Accounts.Client(background, w.Actor.WorkspaceID, w.Money(b).Account)
	w.Must(err)
	s, err := client.Checkout(background, stripe.Order{
		Booking: stripe.Booking{WorkspaceID: w.Actor.WorkspaceID, ID: b.ID}, Title: b.EventTitle, When: "soon",
		Amount: b.Price.AmountCents, Currency: b.Price.Currency, Email: b.Attendee.Email,
		SuccessURL: worlds.BaseURL, CancelURL: worlds.BaseURL, ExpiresAt: b.Hold.Until.Add(time.Minute),
	})
	w.Must(err)
	w.Must(w.SaveCheckout(background, w.Actor.WorkspaceID, b.ID, s.ID, s.URL))
	return s.ID
}

// buy returns a booking that was paid for and confirmed. It empties the mailbox.
func (w *paid) buy(start time.Time) *slotd.Booking {
	w.T.Helper()
	b, session := w.checkout(start)
	w.Must(w.stripe.Pay(session))
	w.deliver()
	w.WantState(b, slotd.Confirmed)
	w.Clock.Advance(holdPollInterval)
	w.settle() // finds nothing to do
	w.run()
	w.box.Empty()
	return b
}

// deliver delivers each new event twice, and then settles.
func (w *paid) deliver() {
	w.T.Helper()
	all := w.stripe.Events()
	for _, e := range append(all[w.delivered:len(all):len(all)], all[w.delivered:]...) {
		w.Must(w.receive(e))
	}
	w.delivered = len(all)
	w.settle()
}

// receive takes in a signed event, as the server does when the payment service calls it.
func (w *paid) receive(e stripetest.Event) error {
	w.T.Helper()
	event, err := stripe.ReadEvent(e.Body, stripetest.Signature(e.Body, w.stripe.Secret, time.Now()), w.stripe.Secret)
	w.Must(err)
	_, err = w.ReceiveEvent(background, 0, event)
	return err
}

// settle runs the due jobs about payments.
func (w *paid) settle() {
	w.T.Helper()
	w.Must(w.events.RunDue(background))
	w.Must(w.settling.RunDue(background))
}

func (w *paid) settleAt(now time.Time) {
	w.T.Helper()
	w.Clock.Set(now)
	w.settle()
}

// settleFor moves the clock from one due job to the next and settles, until d has passed.
func (w *paid) settleFor(d time.Duration) {
	w.T.Helper()
	for end := w.now().Add(d); ; {
		w.settle()
		next := end
		for _, e := range w.pendingJobs() {
			if e.State == jobs.Waiting && e.NextAt.Before(next) {
				next = e.NextAt
			}
		}
		if !next.Before(end) {
			w.Clock.Set(end)
			return
		}
		w.Clock.Set(next)
	}
}

// pendingJobs returns the jobs about payments that are not done.
func (w *paid) pendingJobs() []jobs.Entry {
	w.T.Helper()
	return w.pending(booking.SettleJob, booking.ApplyPaymentJob)
}

// wantSettled checks that everything was refunded once, on both sides, and that no job has anything left to do.
func (w *paid) wantSettled(b *slotd.Booking) {
	w.T.Helper()
	if m := w.Money(b); m.Ledger.Balance() != 0 || m.Ledger.Due() != 0 || m.Ledger.Refunded() != price {
		w.T.Errorf("the ledger adds up to %d, with %d refunded and %d due: %+v", m.Ledger.Balance(),
			m.Ledger.Refunded(), m.Ledger.Due(), m.Ledger)
	}
	if balance := w.stripe.Balance(); balance != 0 {
		w.T.Errorf("the account has %d: %+v", balance, w.stripe.Refunds())
	}
	for _, job := range w.pendingJobs() {
		if job.LastError != "checking that the refund isn't returned" {
			w.T.Errorf("left to be done: %+v", job)
		}
	}
}

// wantOwnerMails checks that the owner got exactly these mails since the last check.
func (w *paid) wantOwnerMails(b *slotd.Booking, want ...mail.PaymentProblemKind) {
	w.T.Helper()
	w.run()
	var got []string
	for _, m := range w.box.Empty() {
		if name := strings.TrimPrefix(m.ID, b.ID.String()+"."); m.To == "ada@acme.example" &&
			!strings.Contains(name, ".") {
			got = append(got, name)
		}
	}
	if len(got) != len(want) || len(want) > 0 && got[0] != strings.ReplaceAll(string(want[0]), "_", "-") {
		w.T.Errorf("the owner was told %v, want %v", got, want)
	}
}
