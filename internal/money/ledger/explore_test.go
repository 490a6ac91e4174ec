package ledger

import (
	"math/big"
	"slices"
	"strings"
)

// graph is every state that can come up, found breadth first.
type graph struct {
	moves  []move
	states []state
	from   []int32 // the state before, on a shortest way
	by     []uint8 // the move that led from there
	next   [][]int32
	calm   []int32
}

// explore ends early where something is wrong already: what follows may have no end.
func explore(l limits) *graph {
	g := &graph{moves: l.moves(), states: []state{begin()}, from: []int32{-1}, by: []uint8{0}}
	known := map[state]int32{begin(): 0}
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
				if s.wrong() != "" {
					return g
				}
			}
			next = append(next, at)
		}
		g.next = append(g.next, next)
		if g.states[i].isCalm() {
			g.calm = append(g.calm, int32(i))
		}
	}
	return g
}

// trace is a shortest way to a state.
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

// schedules counts the ways of so many moves at most from the beginning to where nothing has to happen any more.
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
		for _, at := range g.calm {
			all.Add(all, &ways[at])
		}
	}
	return all
}

// wrongInTheEnd is what is wrong when nothing breaks any more and nobody does anything.
func (s state) wrongInTheEnd() string {
	const enough = 60
	for range enough {
		switch {
		case s.isCalm():
			return s.wrong()
		case s.job.at >= ready:
			s.step(succeeded)
		case s.job.at == waiting && s.job.news:
			s.job.at = ready
		case !s.holdEnded:
			s.holdEnded, s.job.news = true, true
		case s.page != left:
			s.page = left
		default:
			for event := range s.told {
				s.hearEvent(event)
			}
		}
	}
	return "it never ends"
}
