package ledger

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// outcome is what a booking and its money come to.
type outcome struct {
	Stage                     Stage
	Booked, Canceled, TooLate int // mails
	Sum                       int64
	Refunds                   int // that did not come back
	Claimed                   bool
}

// deserved is what must come of what people did, whenever and however often it was told, and whatever broke.
func (s *state) deserved() outcome {
	switch {
	case s.session != complete:
		return outcome{Stage: Expired}
	case s.took:
		return outcome{Stage: Canceled, TooLate: 1, Refunds: 1}
	case s.canceledBy == nobody:
		return outcome{Stage: Confirmed, Booked: 1, Sum: price, Claimed: true}
	case s.canceledBy == lateAttendee:
		return outcome{Stage: Canceled, Booked: 1, Canceled: 1, Sum: price}
	}
	return outcome{Stage: Canceled, Booked: 1, Canceled: 1, Refunds: 1}
}

func (s *state) outcome() outcome {
	return outcome{
		Stage: stages[s.stage], Booked: int(s.booked), Canceled: int(s.canceled), TooLate: int(s.tooLate),
		Sum: s.heard().Balance(), Refunds: s.liveRefunds(), Claimed: s.claimed,
	}
}

// wrong says what no state may be, and what a calm one must be.
func (s *state) wrong() string {
	switch {
	case s.liveRefunds() > 1:
		return fmt.Sprintf("%d refunds at once", s.liveRefunds())
	case s.booked > 1 || s.canceled > 1 || s.tooLate > 1:
		return "a mail twice"
	case s.claimed && s.took:
		return "two have the same time"
	case s.claimed != (s.is(Confirmed) || s.is(Held)):
		return fmt.Sprintf("%s, and the time is ours: %v", stages[s.stage], s.claimed)
	case s.is(Expired) && !s.holdEnded && !s.wentBack && !s.closed:
		return "the hold ended too early"
	case s.isCalm():
		return s.wrongAtRest()
	}
	return ""
}

func (s *state) wrongAtRest() string {
	switch {
	case s.outcome() != s.deserved():
		return fmt.Sprintf("it came to %+v, and should to %+v", s.outcome(), s.deserved())
	case s.heard().Balance() != s.balance():
		return fmt.Sprintf("the ledger has %d, the service %d", s.heard().Balance(), s.balance())
	case s.opened && s.session == openSession:
		return "a guest can still pay"
	}
	return s.unsettled()
}

// unsettled says what is left open, apart from a refund that is under way and watched.
func (s *state) unsettled() string {
	a := s.account()
	underWay := false
	for _, f := range s.refunds {
		underWay = underWay || f == pending
	}
	open := a.NextStep(s.holdEnded, s.opened)
	switch {
	case open != Done && open != WatchRefund:
		return fmt.Sprintf("left open: %d", open)
	case underWay != (s.job.at == waiting):
		return fmt.Sprintf("a refund is under way: %v; it is watched: %v", underWay, s.job.at == waiting)
	}
	return ""
}

// Every event is delivered any number of times, in all orders, or never, and the program stops at every step, any
// number of times.
func TestSchedules_AllComeToWhatIsDeserved(t *testing.T) {
	l := limits{mishaps: endless, times: endless, failures: mostRefund - 1}
	if testing.Short() {
		l.failures = 1
	}
	g := explore(l)
	for i := range g.states {
		s := &g.states[i]
		if wrong := s.wrong(); wrong != "" {
			t.Fatalf("%s\nafter: %s\n%+v", wrong, g.trace(i), *s)
		}
		if wrong := s.wrongInTheEnd(); wrong != "" {
			t.Fatalf("left alone: %s\nafter: %s\n%+v", wrong, g.trace(i), *s)
		}
	}
	const steps = 30
	t.Logf("%d states, %d of them calm, %d transitions, %d schedules of up to %d moves", len(g.states), len(g.calm),
		g.transitions(), g.schedules(steps), steps)
}

// With all the events counted, as many as the service would send.
func TestSchedules_RandomOnes(t *testing.T) {
	count := 100_000
	if testing.Short() {
		count = 5_000
	}
	const seed = 6
	moves, outcomes := limits{mishaps: 4, times: 3, failures: mostRefund - 1}.moves(), map[outcome]int{}
	for n := range count {
		random := rand.New(rand.NewPCG(seed, uint64(n)))
		s, trace, wrong := play(some(moves, random), random)
		if wrong != "" {
			t.Fatalf("seed %d, schedule %d: %s\nafter: %s\n%+v", seed, n, wrong, strings.Join(trace, "; "), s)
		}
		outcomes[s.outcome()]++
	}
	if len(outcomes) != 5 {
		t.Errorf("only these came up, and the test tests too little: %+v", outcomes)
	}
	t.Logf("%d schedules: %+v", count, outcomes)
}

// some leaves out half of what need not happen, and has most guests pay: where all can happen, most bookings
// end early.
func some(moves []move, random *rand.Rand) (chosen []move) {
	for _, m := range moves {
		if !m.optional || random.IntN(2) == 0 {
			chosen = append(chosen, slices.Repeat([]move{m}, 1+m.likely)...)
		}
	}
	return chosen
}

// play goes one way through the moves until nothing can happen, or nothing has to and chance ends it.
func play(moves []move, random *rand.Rand) (s state, trace []string, wrong string) {
	const enough = 1000
	s = begin()
	for can := make([]*move, 0, len(moves)); len(trace) < enough; can = can[:0] {
		if wrong = s.wrong(); wrong != "" {
			return s, trace, wrong
		}
		for m := range moves {
			if moves[m].can(&s) {
				can = append(can, &moves[m])
			}
		}
		if len(can) == 0 || s.isCalm() && random.IntN(4) == 0 {
			return s, trace, ""
		}
		next := can[random.IntN(len(can))]
		next.do(&s)
		trace = append(trace, next.name)
	}
	return s, trace, "it never ends"
}
