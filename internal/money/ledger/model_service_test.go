package ledger

import "slices"

// refundState is the state of a refund, including how it got there.
type refundState uint8

const (
	none refundState = iota
	pending
	succeeded       // at once
	arrived         // after it was pending
	failedAtOnce    // at once
	pendingFailed   // without ever having arrived
	succeededFailed // after it had succeeded at once
	arrivedFailed
)

func (f refundState) isLive() bool { return f == pending || f == succeeded || f == arrived }

func (f refundState) hasFailed() bool { return f >= failedAtOnce }

// initial returns the state that the service reported when it made the refund, and reports again when the request is
// repeated.
func (f refundState) initial() refundState {
	switch f {
	case arrived, pendingFailed, arrivedFailed:
		return pending
	case succeededFailed:
		return succeeded
	}
	return f
}

// afterFailure returns the state of a refund once it fails.
func (f refundState) afterFailure() refundState {
	return map[refundState]refundState{pending: pendingFailed, succeeded: succeededFailed, arrived: arrivedFailed}[f]
}

// line returns the ledger line that the service reports for a refund in this state.
func (f refundState) line(refund int) int {
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

// balance returns what the service has of the guest's money.
func (s *state) balance() (sum int64) {
	if s.session == complete {
		sum = price
	}
	return sum - int64(s.liveRefunds())*price
}

// makeRefund does what the service does for a refund request with an idempotency key.
func (s *state) makeRefund(key uint8, result refundState) (refund int, refused bool) {
	if refundNumber := s.keys[key]; refundNumber != 0 {
		return int(refundNumber) - 1, false
	}
	if s.balance() < price {
		return 0, true
	}
	for refund = range s.refunds {
		if s.refunds[refund] == none {
			break
		}
	}
	s.refunds[refund], s.keys[key] = result, uint8(refund+1)
	return refund, false
}

// The events by number: two of the checkout, and three of each refund.
const (
	completedEvent = iota
	expiredEvent
	refundEvents
)

// exists reports whether there is such an event, and which line it carries; 0 means that nobody can pay anymore. The
// real service never reports a paid checkout as expired; even that must not lose the money.
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
		return f.initial().line(refund), f != none
	case 1: // updated for the first time
		exists = f == arrived || f >= pendingFailed
		if f == arrivedFailed {
			f = arrived
		}
		return f.line(refund), exists
	}
	return f.line(refund), f.hasFailed()
}

func (s *state) postEvent(event int) {
	if line, exists := s.exists(event); exists && line == 0 {
		s.post(Statement{Closed: true})
	} else if exists {
		s.post(Statement{Entries: lines[line : line+1], Payment: "pi"})
	}
}

func (s *state) hasLine(line int) bool { return slices.Contains(s.ledger[:], uint8(line)) }

// owesEvent reports whether an event must still come because nobody would ask for it: if a refund fails after it
// arrived, only an event reports that; and a service that reported a paid checkout as expired must report that it was
// paid.
func (s *state) owesEvent() bool {
	for refund, f := range s.refunds {
		if late := f == succeededFailed || f == arrivedFailed; late && !s.hasLine(f.line(refund)) {
			return true
		}
	}
	return s.session == complete && s.closed && !s.hasLine(paidLine)
}
