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

// shop is a world where two event types cost money: "lesson" gives it back until a day before, "final" never. The
// program there may die whenever it looks at the clock.
type shop struct {
	*world
	stripe   *stripetest.Stripe
	payments *Payments
	money    *jobs.Runner
	news     *jobs.Runner
	mails    *jobs.Runner
	told     map[string]int // mails, by the name of the job
	looks    int            // at the clock until it dies; 0: it lives on
}

func newShop(t *testing.T, target string) *shop {
	w := newWorld(t, target)
	s := &shop{world: w, stripe: stripetest.Start(t), told: map[string]int{}}
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
	w.now = s.look
	w.renew()
	s.payments = &Payments{Booking: w.Service, Now: w.now,
		Accounts: &accounts.Service{DB: w.db, Operator: stripe.Keys{Secret: s.stripe.Key, Webhook: s.stripe.Secret},
			API: s.stripe.URL}}
	quiet := slog.New(slog.DiscardHandler)
	s.money = jobs.New(w.db, jobs.Payment, map[string]jobs.Handler{booking.SettleJob: s.payments.Settle}, w.clock.Now,
		quiet)
	s.news = jobs.New(w.db, jobs.Event, map[string]jobs.Handler{booking.ApplyPaymentJob: s.payments.ApplyPayment},
		w.clock.Now, quiet)
	s.mails = jobs.New(w.db, jobs.Mail,
		map[string]jobs.Handler{booking.NoticeJob: s.count, booking.OwnerMailJob: s.count}, w.clock.Now, quiet)
	return s
}

// look is the program's clock.
func (s *shop) look() time.Time {
	if s.looks > 0 {
		if s.looks--; s.looks == 0 {
			panic(errDied)
		}
	}
	return s.clock.Now()
}

var errDied = errors.New("the program died")

// dying does something that the program may not survive.
func (s *shop) dying(looks int, do func() error) (err error) {
	s.looks = looks
	defer func() {
		s.looks = 0
		if p := recover(); p == errDied {
			err = errDied
		} else if p != nil {
			panic(p)
		}
	}()
	return do()
}

func (s *shop) count(_ context.Context, j *jobs.Job) (func(context.Context, *store.Tx) error, error) {
	s.told[j.ID]++
	return nil, nil
}

// runAll does what is due. What dies in it is a job's failure.
func (s *shop) runAll(looks int) {
	s.looks = looks
	s.must(s.news.RunDue(background))
	s.must(s.money.RunDue(background))
	s.looks = 0
	s.must(s.mails.RunDue(background))
}

// hold is a guest on the way to the payment.
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

// deliver has an event arrive, signed and all.
func (s *shop) deliver(e stripetest.Event) error {
	event, err := stripe.ReadEvent(e.Body, stripetest.Signature(e.Body, s.stripe.Secret, time.Now()), s.stripe.Secret)
	s.must(err)
	_, err = s.Receive(background, 0, event)
	return err
}

// stillOpen are a booking's jobs with the payment service.
func (s *shop) stillOpen(b *slotd.Booking) (open []string) {
	rows, err := s.db.Read().Jobs(background, sqlcgen.JobsParams{Limit: 1000})
	s.must(err)
	for _, row := range rows {
		if id, kind, _ := strings.Cut(row.ID, "."); id == b.ID.String() && row.Kind != booking.ReminderJob {
			open = append(open, kind+": "+row.LastError)
		}
	}
	return open
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

func (s *shop) left(m *booking.PaymentState) ledger.Step {
	return m.LedgerAccount().NextStep(m.HoldEnded(s.now()), m.SessionID != "")
}
