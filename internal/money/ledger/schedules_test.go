package ledger

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"slotd"
)

// outcome is the final state of a booking and its money.
type outcome struct {
	Booking                   slotd.State
	Booked, Canceled, TooLate int // number of mails
	Sum                       int64
	Refunds                   int // refunds that did not fail
	Claimed                   bool
}

// wantOutcome returns the outcome that people's actions require, whenever and however often events were delivered,
// and whatever failed.
func (s *state) wantOutcome() outcome {
	switch {
	case s.session != complete:
		return outcome{Booking: slotd.Expired}
	case s.taken:
		return outcome{Booking: slotd.Canceled, TooLate: 1, Refunds: 1}
	case s.canceledBy == nobody:
		return outcome{Booking: slotd.Confirmed, Booked: 1, Sum: price, Claimed: true}
	case s.canceledBy == lateAttendee:
		return outcome{Booking: slotd.Canceled, Booked: 1, Canceled: 1, Sum: price}
	}
	return outcome{Booking: slotd.Canceled, Booked: 1, Canceled: 1, Refunds: 1}
}

func (s *state) outcome() outcome {
	return outcome{
		Booking: bookingStates[s.booking], Booked: int(s.booked), Canceled: int(s.canceled), TooLate: int(s.tooLate),
		Sum: s.entries().Balance(), Refunds: s.liveRefunds(), Claimed: s.claimed,
	}
}

// violation returns which invariant the state violates, or "". An idle state must satisfy more.
func (s *state) violation() string {
	switch {
	case s.liveRefunds() > 1:
		return fmt.Sprintf("%d refunds at once", s.liveRefunds())
	case s.booked > 1 || s.canceled > 1 || s.tooLate > 1:
		return "a mail twice"
	case s.claimed && s.taken:
		return "two have the same time"
	case s.claimed != (s.is(slotd.Confirmed) || s.is(slotd.Held)):
		return fmt.Sprintf("%s, and the time is ours: %v", bookingStates[s.booking], s.claimed)
	case s.is(slotd.Expired) && !s.holdEnded && !s.guestLeft && !s.closed:
		return "the hold ended too early"
	case s.isIdle():
		return s.violationAtRest()
	}
	return ""
}

func (s *state) violationAtRest() string {
	switch {
	case s.outcome() != s.wantOutcome():
		return fmt.Sprintf("it came to %+v, and should to %+v", s.outcome(), s.wantOutcome())
	case s.entries().Balance() != s.balance():
		return fmt.Sprintf("the ledger has %d, the service %d", s.entries().Balance(), s.balance())
	case s.opened && s.session == openSession:
		return "a guest can still pay"
	}
	return s.unsettled()
}

// unsettled returns what is still open, apart from a refund that is pending and watched.
func (s *state) unsettled() string {
	a := s.account()
	refundPending := false
	for _, f := range s.refunds {
		refundPending = refundPending || f == pending
	}
	step := a.NextStep(s.holdEnded, s.opened)
	switch {
	case step != Done && step != WatchRefund:
		return fmt.Sprintf("left open: %d", step)
	case refundPending != (s.job.phase == waiting):
		return fmt.Sprintf("a refund is under way: %v; it is watched: %v", refundPending, s.job.phase == waiting)
	}
	return ""
}

// Every event is delivered any number of times, in all orders, or never, and the program crashes at every step, any
// number of times.
func TestSchedules_AllComeToWhatIsDeserved(t *testing.T) {
	l := limits{faults: unlimited, deliveries: unlimited, failures: maxRefunds - 1}
	if testing.Short() {
		l.failures = 1
	}
	g := explore(l)
	for i := range g.states {
		s := &g.states[i]
		if problem := s.violation(); problem != "" {
			t.Fatalf("%s\nafter: %s\n%+v", problem, g.trace(i), *s)
		}
		if problem := s.violationAtEnd(); problem != "" {
			t.Fatalf("left alone: %s\nafter: %s\n%+v", problem, g.trace(i), *s)
		}
	}
	const steps = 30
	t.Logf("%d states, %d of them calm, %d transitions, %d schedules of up to %d moves", len(g.states), len(g.idle),
		g.transitions(), g.schedules(steps), steps)
}

// This test counts the deliveries, and delivers as many events as the service would send.
func TestSchedules_RandomOnes(t *testing.T) {
	count := 100_000
	if testing.Short() {
		count = 5_000
	}
	const seed = 6
	moves, outcomes := limits{faults: 4, deliveries: 3, failures: maxRefunds - 1}.moves(), map[outcome]int{}
	for n := range count {
		random := rand.New(rand.NewPCG(seed, uint64(n)))
		s, trace, problem := play(chooseMoves(moves, random), random)
		if problem != "" {
			t.Fatalf("seed %d, schedule %d: %s\nafter: %s\n%+v", seed, n, problem, strings.Join(trace, "; "), s)
		}
		outcomes[s.outcome()]++
	}
	if len(outcomes) != 5 {
		t.Errorf("only these came up, and the test tests too little: %+v", outcomes)
	}
	t.Logf("%d schedules: %+v", count, outcomes)
}

// chooseMoves leaves out half of the optional moves and makes most guests pay: if everything could happen, most
// bookings would end early.
func chooseMoves(moves []move, random *rand.Rand) (chosen []move) {
	for _, m := range moves {
		if !m.optional || random.IntN(2) == 0 {
			chosen = append(chosen, slices.Repeat([]move{m}, 1+m.likely)...)
		}
	}
	return chosen
}

// play takes random moves until nothing can happen, or until nothing has to happen and chance ends it.
func play(moves []move, random *rand.Rand) (s state, trace []string, problem string) {
	const maxMoves = 1000
	s = initialState()
	for can := make([]*move, 0, len(moves)); len(trace) < maxMoves; can = can[:0] {
		if problem = s.violation(); problem != "" {
			return s, trace, problem
		}
		for m := range moves {
			if moves[m].can(&s) {
				can = append(can, &moves[m])
			}
		}
		if len(can) == 0 || s.isIdle() && random.IntN(4) == 0 {
			return s, trace, ""
		}
		next := can[random.IntN(len(can))]
		next.do(&s)
		trace = append(trace, next.name)
	}
	return s, trace, "it never ends"
}
