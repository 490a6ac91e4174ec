package mcp

import (
	"iter"
	"sync/atomic"

	"slotd"
)

// Outcome is the key of a counter: a tool, and "ok" or an error code.
type Outcome struct{ Tool, Code string }

// outcomes holds a counter for every outcome from the start, so that counting takes no lock.
type outcomes map[Outcome]*atomic.Int64

func newOutcomes() outcomes {
	o := outcomes{}
	for _, tool := range tools {
		o[Outcome{tool.name, "ok"}] = new(atomic.Int64)
		for _, code := range slotd.Codes {
			o[Outcome{tool.name, string(code)}] = new(atomic.Int64)
		}
	}
	return o
}

// Outcomes yields every counter.
func (h *Handler) Outcomes() iter.Seq2[Outcome, *atomic.Int64] {
	return func(yield func(Outcome, *atomic.Int64) bool) {
		for outcome, count := range h.counts {
			if !yield(outcome, count) {
				return
			}
		}
	}
}

// count counts the call's outcome, unless the call names an unknown tool.
func (c *call) count(code string) {
	if n := c.h.counts[Outcome{c.tool, code}]; n != nil {
		n.Add(1)
	}
}
