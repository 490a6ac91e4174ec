package worker

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/jobs"
	"slotd/internal/money/stripe/stripetest"
	"slotd/internal/store/testdb"
)

// This test plays random schedules of package ledger's model with the real parts.
func TestSchedules_RealPartsComeToWhatIsDeserved(t *testing.T) {
	for _, c := range []struct {
		name   string
		target func(t *testing.T) string
		count  int
	}{
		{"sqlite", func(t *testing.T) string { return testdb.SQLite(t) }, 100},
		{"postgres", func(t *testing.T) string { return testdb.Postgres(t) }, 40},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() {
				c.count /= 5
			}
			s := newShop(t, c.target(t))
			ends := map[string]int{}
			for n := range c.count {
				ends[s.play(n)]++
			}
			if len(ends) < 4 {
				t.Errorf("only these came up, and the test tests too little: %v", ends)
			}
			t.Logf("%d schedules: %v", c.count, ends)
		})
	}
}

// To the payment service, each attempt is a new refund. It causes an event, which must not speed up the next attempt.
func TestRefund_ThatKeepsComingBackIsTriedSlowly(t *testing.T) {
	s := newShop(t, testdb.SQLite(t))
	s.stripe.RefundsBecome("failed")
	b, session := s.hold("lesson", monday.AddDate(0, 0, 60))
	s.Must(s.stripe.Pay(session))
	deliverAll := func() {
		for _, e := range s.stripe.Events() {
			s.Must(s.receive(e))
		}
		s.runAll(0)
	}
	deliverAll()
	s.MustCancel(b, "")
	deliverAll()
	for day, want := range []int{2, 6, 10} { // two at once, and then one every six hours
		for range min(24, 24*day) {
			s.Clock.Advance(time.Hour)
			deliverAll()
		}
		if n := len(s.stripe.Refunds()); n != want {
			t.Fatalf("after %d days: %d refunds, want %d", day, n, want)
		}
	}
	if n := s.mailCount[b.ID.String()+".refund_due"]; n != 1 {
		t.Errorf("the owner was told %d times", n)
	}
	s.stripe.RefundsBecome("succeeded")
	s.Clock.Advance(7 * time.Hour)
	deliverAll()
	if m := s.Money(b); m.Ledger.Balance() != 0 || s.stripe.Balance() != 0 {
		t.Errorf("the ledger has %d, the service %d", m.Ledger.Balance(), s.stripe.Balance())
	}
}

// schedule is a random sequence of events around one booking.
type schedule struct {
	*shop
	random     *rand.Rand
	trace      []string
	booking    *slotd.Booking
	start      time.Time
	session    string
	firstEvent int // index of the first event of this schedule
	delivered  map[string]int
	slotTaken  bool
	canceledBy string
}

func (s *shop) play(n int) (end string) {
	const seed = 6
	c := &schedule{shop: s, random: rand.New(rand.NewPCG(seed, uint64(n))), firstEvent: len(s.stripe.Events()),
		delivered: map[string]int{}}
	defer func() {
		if s.T.Failed() {
			s.T.Logf("seed %d, schedule %d: %s", seed, n, strings.Join(c.trace, "; "))
		}
	}()
	c.start = s.Clock.Now().Truncate(24*time.Hour).AddDate(0, 0, 60)
	c.booking, c.session = s.hold([]string{"lesson", "final"}[c.random.IntN(2)], c.start)
	s.stripe.RefundsBecome([]stripetest.RefundStatus{"succeeded", "pending", "failed"}[c.random.IntN(3)])
	moves := c.moves()
	for range 5 + c.random.IntN(25) {
		m := moves[c.random.IntN(len(moves))]
		c.trace = append(c.trace, m.name)
		m.do()
	}
	c.finish()
	return c.check()
}

type scheduleMove struct {
	name string
	do   func()
}

func (c *schedule) moves() []scheduleMove {
	trouble := func(request string) {
		c.stripe.AddFault(stripetest.Fault{Request: request, Status: []int{0, 500, 429}[c.random.IntN(3)],
			After: c.random.IntN(2) == 0, Times: 1})
	}
	pays := scheduleMove{"the guest pays", func() { c.stripe.Pay(c.session) }} // possibly too late
	return []scheduleMove{
		pays, pays, pays, pays,
		{"the guest goes back", func() {
			c.Must(c.Release(background, booking.Attendee(c.Actor.WorkspaceID),
				c.booking.ID))
		}},
		{"another takes the time", c.bookSlot},
		{"the host cancels", func() { c.cancelAs("host", c.Actor) }},
		{"the attendee cancels", func() { c.cancelAs("attendee", booking.Attendee(c.Actor.WorkspaceID)) }},
		{"minutes pass", func() { c.Clock.Advance(time.Duration(1+c.random.IntN(20)) * time.Minute) }},
		{"hours pass", func() { c.Clock.Advance(time.Duration(1+c.random.IntN(8)) * time.Hour) }},
		{"refunds change", c.changeRefund},
		{"an event arrives", c.deliverOne},
		{"an event arrives", c.deliverOne},
		{"an event arrives", c.deliverOne},
		{"jobs run", func() { c.runAll(0) }},
		{"jobs run", func() { c.runAll(0) }},
		{"jobs run and fail", func() { c.runAll(1 + c.random.IntN(8)) }},
		{"the program dies", c.abandon},
		{"trouble with refunds", func() { trouble("POST /v1/refunds") }},
		{"trouble with questions", func() { trouble("GET /v1/") }},
		{"trouble with closing", func() { trouble("POST /v1/checkout/sessions/") }},
	}
}

// bookSlot makes another guest book the time. It does nothing after a cancellation, when that would show nothing new.
func (c *schedule) bookSlot() {
	if c.canceledBy != "" {
		return
	}
	_, err := c.Create(background, c.Actor, booking.Request{
		EventType: "intro", StartsAt: c.start,
		Attendee: slotd.Attendee{Name: "Another", Email: "another@guest.example", TimeZone: "UTC"},
	})
	if !slotd.Is(err, slotd.SlotUnavailable) {
		c.Must(err)
		c.slotTaken = true
	}
}

func (c *schedule) cancelAs(who string, actor booking.Actor) {
	_, err := c.Cancel(background, actor, c.booking.ID, "")
	if slotd.Is(err, slotd.BookingNotFound) {
		return
	}
	c.Must(err)
	if c.canceledBy == "" && !c.slotTaken {
		c.canceledBy = who
	}
}

// changeRefund makes refunds arrive or fail at random. Later refunds succeed, or schedules would not end.
func (c *schedule) changeRefund() {
	for _, r := range c.refunds() {
		if r.Status == "failed" || c.random.IntN(2) == 0 {
			continue
		}
		c.stripe.Update(r.ID, []stripetest.RefundStatus{"succeeded", "failed"}[c.random.IntN(2)])
	}
	c.stripe.RefundsBecome("succeeded")
}

func (c *schedule) refunds() []stripetest.Refund {
	return slices.DeleteFunc(c.stripe.Refunds(),
		func(r stripetest.Refund) bool { return r.Metadata["slotd_booking"] != c.booking.ID.String() })
}

func (c *schedule) deliverOne() {
	if all := c.stripe.Events()[c.firstEvent:]; len(all) > 0 {
		e := all[c.random.IntN(len(all))]
		if c.delivered[e.ID]++; c.delivered[e.ID] <= 3 {
			c.mayDie(c.random.IntN(3), func() error { return c.receive(e) })
		}
	}
}

// abandon runs the settling job in a program that dies, so the job's outcome is never recorded.
func (c *schedule) abandon() {
	j := &jobs.Job{WorkspaceID: c.Actor.WorkspaceID, Booking: c.booking.ID}
	c.mayDie(1+c.random.IntN(8), func() error {
		_, err := c.payments.Settle(background, j)
		return err
	})
}

// finish runs the jobs until all is settled, without further failures. It delivers the events about refunds that failed
// after they had arrived.
func (c *schedule) finish() {
	c.stripe.ClearFaults()
	c.stripe.RefundsBecome("succeeded")
	for range 8 {
		for _, e := range c.stripe.Events()[c.firstEvent:] {
			if e.Kind == "refund.failed" {
				c.Must(c.receive(e))
			}
		}
		c.runAll(0)
		c.Clock.Advance(7 * time.Hour)
	}
}
