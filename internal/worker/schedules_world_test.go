package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/booking"
	"slotd/internal/jobs"
	"slotd/internal/money/accounts"
	"slotd/internal/money/ledger"
	"slotd/internal/money/stripe"
	"slotd/internal/money/stripe/stripetest"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/workspace"
)

const fee = 5000

// shop is a world where two event types cost money: "lesson" is refunded until a day before, "final" never. Its program
// may die whenever it reads the clock.
type shop struct {
	*world
	stripe     *stripetest.Stripe
	payments   *Payments
	settling   *jobs.Runner
	events     *jobs.Runner
	mails      *jobs.Runner
	mailCount  map[string]int // by the id of the mail's job
	clockReads int            // until the program dies; 0: it does not die
}

func newShop(t *testing.T, target string) *shop {
	w := newWorld(t, target)
	s := &shop{world: w, stripe: stripetest.Start(t), mailCount: map[string]int{}}
	s.stripe.Now = w.clock.Now
	paid := func(slug string, policy *slotd.RefundPolicy) slotd.EventType {
		return slotd.EventType{Slug: slug, Title: "Lesson", DurationMinutes: 30,
			Location: slotd.Location{Type: slotd.Video}, Schedule: "default", BookingWindowDays: 700,
			RemindersMinutesBefore: []int{}, Price: &slotd.Price{AmountCents: fee,
				Currency: "usd"}, RefundPolicy: policy}
	}
	desired := office()
	desired.EventTypes = append(desired.EventTypes, paid("lesson", &slotd.RefundPolicy{FullUntilHoursBefore: 24}),
		paid("final", nil))
	_, err := workspace.Put(background, w.db, workspace.Change{Desired: desired, Now: monday})
	w.must(err)
	w.now = s.readClock
	w.newService()
	s.payments = &Payments{Booking: w.Service, Now: w.now,
		Accounts: &accounts.Service{DB: w.db, OperatorKeys: stripe.Keys{Secret: s.stripe.Key, Webhook: s.stripe.Secret},
			API: s.stripe.URL}}
	quiet := slog.New(slog.DiscardHandler)
	s.settling = jobs.New(w.db, jobs.Payment, map[string]jobs.Handler{booking.SettleJob: s.payments.Settle},
		w.clock.Now, quiet)
	s.events = jobs.New(w.db, jobs.Event, map[string]jobs.Handler{booking.ApplyPaymentJob: s.payments.ApplyPayment},
		w.clock.Now, quiet)
	s.mails = jobs.New(w.db, jobs.Mail,
		map[string]jobs.Handler{booking.NoticeJob: s.count, booking.OwnerMailJob: s.count}, w.clock.Now, quiet)
	return s
}

// readClock is the program's clock. It panics when the program has to die.
func (s *shop) readClock() time.Time {
	if s.clockReads > 0 {
		if s.clockReads--; s.clockReads == 0 {
			panic(errDied)
		}
	}
	return s.clock.Now()
}

var errDied = errors.New("the program died")

// mayDie calls do in a program that dies at the given read of the clock. It then returns errDied.
func (s *shop) mayDie(clockReads int, do func() error) (err error) {
	s.clockReads = clockReads
	defer func() {
		s.clockReads = 0
		if p := recover(); p == errDied {
			err = errDied
		} else if p != nil {
			panic(p)
		}
	}()
	return do()
}

// count is the handler of the mail queue.
func (s *shop) count(_ context.Context, j *jobs.Job) (func(context.Context, *store.Tx) error, error) {
	s.mailCount[j.ID]++
	return nil, nil
}

// runAll runs the due jobs. If the program dies in one, that job fails.
func (s *shop) runAll(clockReads int) {
	s.clockReads = clockReads
	s.must(s.events.RunDue(background))
	s.must(s.settling.RunDue(background))
	s.clockReads = 0
	s.must(s.mails.RunDue(background))
}

// hold returns a held booking whose guest is on the payment service's page, and the checkout's session.
func (s *shop) hold(slug string, start time.Time) (b *slotd.Booking, session string) {
	b, err := s.Hold(background, booking.Actor{WorkspaceID: s.actor.WorkspaceID, Name: "page"}, booking.Request{
		EventType: slug, StartsAt: start,
		Attendee: slotd.Attendee{Name: "Grace Okafor", Email: fmt.Sprintf("g%d@guest.example", start.Unix()),
			TimeZone: "Asia/Tokyo"},
	}, accounts.Operator)
	s.must(err)
	client, err := s.payments.Accounts.Client(background, s.actor.WorkspaceID, accounts.Operator)
	s.must(err)
	opened, err := client.Checkout(background, stripe.Order{
		Booking: stripe.Booking{WorkspaceID: s.actor.WorkspaceID, ID: b.ID}, Title: b.EventTitle, When: "then",
		Amount: fee, Currency: "usd",
		SuccessURL: "https://book.example/done", CancelURL: "https://book.example/back",
		ExpiresAt: b.HeldUntil.Add(time.Minute),
	})
	s.must(err)
	s.must(s.SaveCheckout(background, s.actor.WorkspaceID, b.ID, opened.ID, opened.URL))
	return b, opened.ID
}

// deliver delivers a signed event.
func (s *shop) deliver(e stripetest.Event) error {
	event, err := stripe.ReadEvent(e.Body, stripetest.Signature(e.Body, s.stripe.Secret, time.Now()), s.stripe.Secret)
	s.must(err)
	_, err = s.ReceiveEvent(background, 0, event)
	return err
}

// pendingJobs returns a booking's jobs that are not done, except reminders.
func (s *shop) pendingJobs(b *slotd.Booking) (pending []string) {
	rows, err := s.db.Read().Jobs(background, sqlcgen.JobsParams{Limit: 1000})
	s.must(err)
	for _, row := range rows {
		if id, kind, _ := strings.Cut(row.ID, "."); id == b.ID.String() && row.Kind != booking.ReminderJob {
			pending = append(pending, kind+": "+row.LastError)
		}
	}
	return pending
}

func (s *shop) moneyOf(b *slotd.Booking) *booking.PaymentState {
	m, err := s.PaymentState(background, s.actor.WorkspaceID, b.ID)
	s.must(err)
	return m
}

// isFree reports whether a guest would be offered the time.
func (s *shop) isFree(start time.Time) bool {
	p, err := s.cache.Latest(background, s.actor.WorkspaceID)
	s.must(err)
	q, err := s.Query(p, p.EventTypeBySlug("intro"), nil)
	s.must(err)
	return slots.Check(q, start) == slots.Free
}

func (s *shop) nextStep(m *booking.PaymentState) ledger.Step {
	return m.LedgerAccount().NextStep(m.HoldEnded(s.now()), m.SessionID != "")
}
