package worker

import (
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/jobs"
	"slotd/internal/lib/seal"
	"slotd/internal/mail"
	"slotd/internal/money/accounts"
	"slotd/internal/money/ledger"
	"slotd/internal/money/stripe"
	"slotd/internal/money/stripe/stripetest"
	"slotd/internal/store/testdb"
	"slotd/internal/workspace"
)

const price = 5000

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
	w := &paid{world: newWorld(t, target), stripe: stripetest.Start(t)}
	w.stripe.Now = w.clock.Now
	keys, err := seal.Ensure(filepath.Join(t.TempDir(), "secret.key"))
	w.must(err)
	w.payments = &Payments{Booking: w.Service, Now: w.now,
		Accounts: &accounts.Service{DB: w.db, Keys: keys,
			OperatorKeys: stripe.Keys{Secret: w.stripe.Key, Webhook: w.stripe.Secret}, API: w.stripe.URL}}
	quiet := slog.New(slog.DiscardHandler)
	w.settling = jobs.New(w.db, jobs.Payment, map[string]jobs.Handler{booking.SettleJob: w.payments.Settle}, w.now,
		quiet)
	w.events = jobs.New(w.db, jobs.Event, map[string]jobs.Handler{booking.ApplyPaymentJob: w.payments.ApplyPayment},
		w.now, quiet)
	mailer := w.mailer(w.box)
	w.runner = jobs.New(w.db, jobs.Mail,
		map[string]jobs.Handler{booking.NoticeJob: mailer.SendNotice, booking.ReminderJob: mailer.SendNotice,
			booking.OwnerMailJob: mailer.SendPaymentMail}, w.now, quiet)
	file := office()
	file.EventTypes = append(file.EventTypes,
		slotd.EventType{Slug: "lesson", Title: "Lesson", DurationMinutes: 30,
			Location: slotd.Location{Type: slotd.Video}, Schedule: "default",
			BookingWindowDays: 700, RemindersMinutesBefore: []int{}, Price: &slotd.Price{AmountCents: price,
				Currency: "eur"}})
	_, err = workspace.Put(background, w.db, workspace.Change{Desired: file, Now: monday})
	w.must(err)
	return w
}

// hold holds a slot for a guest who has not been sent to the checkout yet.
func (w *paid) hold(start time.Time) *slotd.Booking {
	w.t.Helper()
	p, err := w.cache.Latest(background, w.actor.WorkspaceID)
	w.must(err)
	who := slotd.Attendee{Name: "Grace Okafor", Email: email, TimeZone: "Asia/Tokyo"}
	b, err := w.Hold(background, w.actor,
		booking.Request{EventType: "lesson", StartsAt: start, Attendee: who, Notes: "private words"},
		w.payments.Accounts.Account(p.Config))
	w.must(err)
	return b
}

// checkout returns a held booking whose guest is on the payment service's page, and the checkout's session.
func (w *paid) checkout(start time.Time) (b *slotd.Booking, session string) {
	w.t.Helper()
	b = w.hold(start)
	client, err := w.payments.Accounts.Client(background, w.actor.WorkspaceID, w.money(b).Account)
	w.must(err)
	s, err := client.Checkout(background, stripe.Order{
		Booking: stripe.Booking{WorkspaceID: w.actor.WorkspaceID, ID: b.ID}, Title: b.EventTitle, When: "soon",
		Amount: b.Price.AmountCents, Currency: b.Price.Currency,
		Email: email, SuccessURL: "https://book.example", CancelURL: "https://book.example",
		ExpiresAt: b.HeldUntil.Add(time.Minute),
	})
	w.must(err)
	w.must(w.SaveCheckout(background, w.actor.WorkspaceID, b.ID, s.ID, s.URL))
	return b, s.ID
}

// buy returns a booking that was paid for and confirmed. It empties the mailbox.
func (w *paid) buy(start time.Time) *slotd.Booking {
	w.t.Helper()
	b, session := w.checkout(start)
	w.must(w.stripe.Pay(session))
	w.deliver()
	w.wantState(b, slotd.Confirmed)
	w.clock.Advance(holdPollInterval)
	w.settle() // finds nothing to do
	w.run()
	w.box.empty()
	return b
}

// deliver delivers each new event twice, and then settles.
func (w *paid) deliver() {
	w.t.Helper()
	all := w.stripe.Events()
	for _, e := range append(all[w.delivered:len(all):len(all)], all[w.delivered:]...) {
		event, err := stripe.ReadEvent(e.Body, stripetest.Signature(e.Body, w.stripe.Secret, time.Now()),
			w.stripe.Secret)
		w.must(err)
		_, err = w.ReceiveEvent(background, 0, event)
		w.must(err)
	}
	w.delivered = len(all)
	w.settle()
}

// settle runs the due jobs about payments.
func (w *paid) settle() {
	w.t.Helper()
	w.must(w.events.RunDue(background))
	w.must(w.settling.RunDue(background))
}

func (w *paid) settleAt(now time.Time) {
	w.t.Helper()
	w.clock.Set(now)
	w.settle()
}

// settleFor moves the clock from one due job to the next and settles, until d has passed.
func (w *paid) settleFor(d time.Duration) {
	w.t.Helper()
	for end := w.now().Add(d); ; {
		w.settle()
		next := end
		for _, e := range w.pendingJobs() {
			if e.State == jobs.Waiting && e.NextAt.Before(next) {
				next = e.NextAt
			}
		}
		if !next.Before(end) {
			w.clock.Set(end)
			return
		}
		w.clock.Set(next)
	}
}

// pendingJobs returns the jobs about payments that are not done.
func (w *paid) pendingJobs() (all []jobs.Entry) {
	w.t.Helper()
	entries, err := jobs.List(background, w.db, false, 1000)
	w.must(err)
	for _, e := range entries {
		if e.Kind == booking.SettleJob || e.Kind == booking.ApplyPaymentJob {
			all = append(all, e)
		}
	}
	return all
}

func (w *paid) money(b *slotd.Booking) *booking.PaymentState {
	w.t.Helper()
	m, err := w.PaymentState(background, w.actor.WorkspaceID, b.ID)
	w.must(err)
	return m
}

func (w *paid) wantState(b *slotd.Booking, want slotd.State) {
	w.t.Helper()
	if got := w.money(b).Booking.State; got != want {
		w.t.Fatalf("the booking is %s, want %s", got, want)
	}
}

// wantLedger compares the kinds of all entries, in order.
func (w *paid) wantLedger(b *slotd.Booking, want ...ledger.Kind) {
	w.t.Helper()
	var got, wanted []string
	for _, e := range w.money(b).Ledger {
		got = append(got, string(e.Kind))
	}
	for _, kind := range want {
		wanted = append(wanted, string(kind))
	}
	if strings.Join(got, " ") != strings.Join(wanted, " ") {
		w.t.Errorf("the ledger says %v, want %v", got, wanted)
	}
}

// wantSettled checks that everything was refunded once, on both sides, and that no job has anything left to do.
func (w *paid) wantSettled(b *slotd.Booking) {
	w.t.Helper()
	if m := w.money(b); m.Ledger.Balance() != 0 || m.Ledger.Due() != 0 || m.Ledger.Refunded() != price {
		w.t.Errorf("the ledger adds up to %d, with %d refunded and %d due: %+v", m.Ledger.Balance(),
			m.Ledger.Refunded(), m.Ledger.Due(), m.Ledger)
	}
	if balance := w.stripe.Balance(); balance != 0 {
		w.t.Errorf("the account has %d: %+v", balance, w.stripe.Refunds())
	}
	for _, job := range w.pendingJobs() {
		if job.LastError != "looks whether the refund stays where it is" {
			w.t.Errorf("left to be done: %+v", job)
		}
	}
}

// wantOwnerMails checks that the owner got exactly these mails since the last check.
func (w *paid) wantOwnerMails(b *slotd.Booking, want ...mail.PaymentProblemKind) {
	w.t.Helper()
	w.run()
	var got []string
	for _, m := range w.box.empty() {
		if name := strings.TrimPrefix(m.ID, b.ID.String()+"."); m.To == "ada@acme.example" &&
			!strings.Contains(name, ".") {
			got = append(got, name)
		}
	}
	if len(got) != len(want) || len(want) > 0 && got[0] != strings.ReplaceAll(string(want[0]), "_", "-") {
		w.t.Errorf("the owner was told %v, want %v", got, want)
	}
}
