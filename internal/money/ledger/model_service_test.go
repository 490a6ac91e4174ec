package ledger

import "slices"

// fate is how far a refund has come, and on which way.
type fate uint8

const (
	none fate = iota
	pending
	succeeded     // at once
	arrived       // after it was pending
	bornFailed    // at once
	pendingFailed // without ever having arrived
	laterFailed   // after it had succeeded at once
	arrivedFailed
)

func (f fate) isLive() bool { return f == pending || f == succeeded || f == arrived }

func (f fate) hasFailed() bool { return f >= bornFailed }

// atBirth is what the service answered when the refund was made, and answers to whoever asks for the same again.
func (f fate) atBirth() fate {
	switch f {
	case arrived, pendingFailed, arrivedFailed:
		return pending
	case laterFailed:
		return succeeded
	}
	return f
}

// failsTo is what becomes of a refund that comes back.
func (f fate) failsTo() fate {
	return map[fate]fate{pending: pendingFailed, succeeded: laterFailed, arrived: arrivedFailed}[f]
}

// line is what the service says of a refund that has come so far.
func (f fate) line(refund int) int {
	if f.hasFailed() {
		return refundedLine + 2*refund + 1
	}
	return refundedLine + 2*refund
}

func (s *state) failures() (n int) {
	for _, f := range s.refunds {
		if f.hasFailed() {
			n++
		}
	}
	return n
}

func (s *state) liveRefunds() (n int) {
	for _, f := range s.refunds {
		if f.isLive() {
			n++
		}
	}
	return n
}

// balance is what the service has of the guest's money.
func (s *state) balance() (sum int64) {
	if s.session == complete {
		sum = price
	}
	return sum - int64(s.liveRefunds())*price
}

// makeRefund is what the service does when it is asked for a refund with an idempotency key.
func (s *state) makeRefund(key uint8, becomes fate) (refund int, refused bool) {
	if made := s.keys[key]; made != 0 {
		return int(made) - 1, false
	}
	if s.balance() < price {
		return 0, true
	}
	for refund = range s.refunds {
		if s.refunds[refund] == none {
			break
		}
	}
	s.refunds[refund], s.keys[key] = becomes, uint8(refund+1)
	return refund, false
}

// The events by their number: two of the checkout, and three of each refund.
const (
	completedEvent = iota
	expiredEvent
	refundEvents
)

// exists reports whether there is an event, and which line it tells; 0 is that nobody can pay any more. That a paid
// checkout has expired is never told by the real service; even that must not lose the money.
func (s *state) exists(event int) (line int, exists bool) {
	switch event {
	case completedEvent:
		return paidLine, s.session == complete
	case expiredEvent:
		return 0, s.session == lapsed || s.session == complete
	}
	refund := (event - refundEvents) / 3
	f := s.refunds[refund]
	switch (event - refundEvents) % 3 {
	case 0: // created
		return f.atBirth().line(refund), f != none
	case 1: // updated for the first time
		exists = f == arrived || f >= pendingFailed
		if f == arrivedFailed {
			f = arrived
		}
		return f.line(refund), exists
	}
	return f.line(refund), f.hasFailed()
}

func (s *state) hearEvent(event int) {
	if line, exists := s.exists(event); exists && line == 0 {
		s.hear(Statement{Closed: true})
	} else if exists {
		s.hear(Statement{Entries: lines[line : line+1], Payment: "pi"})
	}
}

func (s *state) knows(line int) bool { return slices.Contains(s.ledger[:], uint8(line)) }

// owes reports whether an event is still to come that nobody would ask for: once a refund has arrived, that it came
// back is only ever told; and whoever said that a paid checkout has expired must say that it was paid.
func (s *state) owes() bool {
	for refund, f := range s.refunds {
		if late := f == laterFailed || f == arrivedFailed; late && !s.knows(f.line(refund)) {
			return true
		}
	}
	return s.session == complete && s.closed && !s.knows(paidLine)
}
