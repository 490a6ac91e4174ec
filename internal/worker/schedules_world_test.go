package worker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/booking"
	"slotd/internal/jobs"
	"slotd/internal/money/ledger"
	"slotd/internal/store"
)

// shop is a world where two event types cost money: "lesson" is refunded until a day before, "final" never. Its program
// may die whenever it reads the clock.
type shop struct {
	*paid
	mailCount  map[string]int // by the id of the mail's job
	clockReads int            // until the program dies; 0: it does not die
}

func newShop(t *testing.T, target string) *shop {
	t.Helper()
	s := &shop{paid: &paid{world: newWorld(t, target)}, mailCount: map[string]int{}}
	s.now = s.readClock
	s.newService()
	s.takePayments(paidEventType("lesson", &slotd.RefundPolicy{FullUntilHoursBefore: 24}), paidEventType("final", nil))
	s.runner = s.newRunner(jobs.Mail,
		map[string]jobs.Handler{booking.NoticeJob: s.count, booking.OwnerMailJob: s.count})
	return s
}

// readClock is the program's clock. It panics when the program has to die.
func (s *shop) readClock() time.Time {
	if s.clockReads > 0 {
		if s.clockReads--; s.clockReads == 0 {
			panic(errDied)
		}
	}
	return s.Clock.Now()
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
	s.settle()
	s.clockReads = 0
	s.run()
}

// hold returns a held booking whose guest is on the payment service's page, and the checkout's session.
func (s *shop) hold(slug string, start time.Time) (b *slotd.Booking, session string) {
	s.T.Helper()
	b = s.holdFor(slug, start, fmt.Sprintf("g%d@guest.example", start.Unix()))
	return b, s.openCheckout(b)
}

// leftOf returns a booking's jobs that are not done, except reminders.
func (s *shop) leftOf(b *slotd.Booking) (left []string) {
	s.T.Helper()
	for _, e := range s.pending() {
		if id, name, _ := strings.Cut(e.ID, "."); id == b.ID.String() && e.Kind != booking.ReminderJob {
			left = append(left, name+": "+e.LastError)
		}
	}
	return left
}

// isFree reports whether a guest would be offered the time.
func (s *shop) isFree(start time.Time) bool {
	p, err := s.Cache.Latest(background, s.Actor.WorkspaceID)
	s.Must(err)
	q, err := s.Query(p, p.EventTypeBySlug("intro"), nil)
	s.Must(err)
	return slots.Check(q, start) == slots.Free
}

func (s *shop) nextStep(m *booking.PaymentState) ledger.Step {
	return m.LedgerAccount().NextStep(m.HoldEnded(s.now()), m.SessionID != "")
}
