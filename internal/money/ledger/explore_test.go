package ledger

import (
	"math/big"
	"slices"
	"strings"
)

// graph contains every reachable state, found breadth first.
type graph struct {
	moves  []move
	states []state
	from   []int32 // the previous state on a shortest path
	by     []uint8 // the move that led from there
	next   [][]int32
	idle   []int32
}

// explore stops early at the first violation: the states after it may have no end.
func explore(l limits) *graph {
	g := &graph{moves: l.moves(), states: []state{initialState()}, from: []int32{-1}, by: []uint8{0}}
	known := map[state]int32{initialState(): 0}
	for i := 0; i < len(g.states); i++ {
		var next []int32
		for m := range g.moves {
			if !g.moves[m].can(&g.states[i]) {
				continue
			}
			s := g.states[i]
			g.moves[m].do(&s)
			at, ok := known[s]
			if !ok {
				at = int32(len(g.states))
				known[s] = at
				g.states, g.from, g.by = append(g.states, s), append(g.from, int32(i)), append(g.by, uint8(m))
				if s.violation() != "" {
					return g
				}
			}
			next = append(next, at)
		}
		g.next = append(g.next, next)
		if g.states[i].isIdle() {
			g.idle = append(g.idle, int32(i))
		}
	}
	return g
}

// trace returns a shortest path to a state.
func (g *graph) trace(i int) string {
	var names []string
	for ; g.from[i] >= 0; i = int(g.from[i]) {
		names = append(names, g.moves[g.by[i]].name)
	}
	slices.Reverse(names)
	return strings.Join(names, "; ")
}

func (g *graph) transitions() (n int) {
	for _, next := range g.next {
		n += len(next)
	}
	return n
}

// schedules counts the paths of at most the given number of moves from the initial state to an idle one.
func (g *graph) schedules(moves int) *big.Int {
	ways, after, all := make([]big.Int, len(g.states)), make([]big.Int, len(g.states)), new(big.Int)
	ways[0].SetInt64(1)
	for range moves {
		for at := range ways {
			if ways[at].Sign() == 0 {
				continue
			}
			for _, to := range g.next[at] {
				after[to].Add(&after[to], &ways[at])
			}
			ways[at].SetInt64(0)
		}
		ways, after = after, ways
		for _, at := range g.idle {
			all.Add(all, &ways[at])
		}
	}
	return all
}

// violationAtEnd returns the violation that remains if nothing fails anymore and nobody does anything.
func (s state) violationAtEnd() string {
	const maxSteps = 60
	for range maxSteps {
		switch {
		case s.isIdle():
			return s.violation()
		case s.job.phase >= ready:
			s.step(succeeded)
		case s.job.phase == waiting && s.job.changed:
			s.job.phase = ready
		case !s.holdEnded:
			s.holdEnded, s.job.changed = true, true
		case s.page != pageDone:
			s.page = pageDone
		default:
			for event := range s.delivered {
				s.postEvent(event)
			}
		}
	}
	return "it never ends"
}
