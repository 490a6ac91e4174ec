package ledger

import (
	"slices"

	"slotd"
)

// The model is one paid booking with everything around it that may go wrong: the payment service repeats, reorders
// and loses events, people act at any time, and the program crashes between any two of its steps. Only the package
// under test decides what follows from what.

const (
	price      = 5000
	maxRefunds = 3 // all but the last fail
)

// lines are all entries that can be in the ledger. A state refers to them by number.
var lines = []Entry{
	paidLine:      {Kind: Paid, Amount: price, Reference: "pi"},
	requestedLine: {Kind: RefundRequested, Amount: price, Reference: "all"},
	refundedLine:  {Kind: Refunded, Amount: price, Reference: "re_0"},
	4:             {Kind: Failed, Amount: price, Reference: "re_0"},
	5:             {Kind: Refunded, Amount: price, Reference: "re_1"},
	6:             {Kind: Failed, Amount: price, Reference: "re_1"},
	7:             {Kind: Refunded, Amount: price, Reference: "re_2"},
	8:             {Kind: Failed, Amount: price, Reference: "re_2"},
}

const (
	paidLine      = 1
	requestedLine = 2
	refundedLine  = 3 // of the first refund; the next line is its failure, and so on
)

// state is the whole world at one moment. It is comparable, so that the explorer recognizes a state it has seen.
type state struct {
	// Committed data.
	booking                   uint8     // index into bookingStates
	ledger                    [10]uint8 // numbers of lines, in the order they were posted
	opened, closed, claimed   bool
	booked, canceled, tooLate uint8 // number of mails

	job job

	// The payment service.
	session   uint8
	refunds   [maxRefunds]refundState
	keys      [maxRefunds]uint8 // the refund, counted from 1, that was made with each idempotency key
	delivered [2 + 3*maxRefunds]uint8

	// What people did, and what went wrong.
	page             uint8
	holdEnded, taken bool
	guestLeft        bool // before the hold ended
	canceledBy       uint8
	faults           uint8
}

// limits bound how much happens in one schedule.
type limits struct {
	faults     int // crashes, lost answers and the like
	deliveries int // deliveries of each event
	failures   int // refunds that fail
}

// unlimited disables a limit. Nothing is counted then, so that a repeated event does not make a new state.
const unlimited = -1

func within(n uint8, limit int) bool { return limit == unlimited || int(n) < limit }

func count(n *uint8, limit int) {
	if limit != unlimited {
		*n++
	}
}

var bookingStates = []slotd.State{slotd.Held, slotd.Confirmed, slotd.Canceled, slotd.Expired}

// The states of a checkout at the payment service.
const (
	noSession = iota
	openSession
	complete
	lapsed
)

// The page opens the checkout at the service, and then saves it here.
const (
	pageOpening = iota
	pageSaving
	pageDone
)

// Who canceled.
const (
	nobody = iota
	host
	attendee
	lateAttendee // without a right to a refund
)

// initialState is the moment after a guest has pressed the button.
func initialState() state {
	return state{claimed: true, job: job{phase: waiting, changed: true}}
}

func (s *state) is(want slotd.State) bool { return bookingStates[s.booking] == want }

func (s *state) setBooking(to slotd.State) { s.booking = uint8(slices.Index(bookingStates, to)) }

// account returns the committed data in the form that the package under test takes.
func (s *state) account() Account {
	l := s.entries()
	return Account{State: bookingStates[s.booking], Ledger: l, Payment: l.Payment(), Closed: s.closed}
}

// ledgers caches the ledgers seen so far: there are few, and building them takes most of the time.
var ledgers = map[[10]uint8]Ledger{}

func (s *state) entries() Ledger {
	l, ok := ledgers[s.ledger]
	if !ok {
		for _, number := range s.ledger[:slices.Index(s.ledger[:], 0)] {
			l = append(l, lines[number])
		}
		ledgers[s.ledger] = l
	}
	return l
}

// post is one transaction: it stores new entries and applies their effect.
func (s *state) post(h Statement) {
	a := s.account()
	added := a.Post(h)
	for _, e := range added {
		s.add(e)
	}
	s.closed = a.Closed
	a = s.account()
	switch a.Effect(s.holdEnded) {
	case Confirm:
		s.confirm()
	case Recheck:
		s.expire()
		if s.taken {
			s.rejectLatePayment()
		} else {
			s.claimed = true
			s.confirm()
		}
	case StartRefund:
		if len(added) > 0 {
			s.bringForward()
		}
	case ReleaseHold:
		s.expire()
	}
}

func (s *state) add(e Entry) {
	s.ledger[slices.Index(s.ledger[:], 0)] = uint8(slices.Index(lines, e))
}

func (s *state) confirm() {
	s.setBooking(slotd.Confirmed)
	s.booked++
}

func (s *state) expire() {
	if s.is(slotd.Held) {
		s.setBooking(slotd.Expired)
		s.claimed = false
	}
}

// rejectLatePayment is for a guest who paid for a time that somebody else has booked meanwhile.
func (s *state) rejectLatePayment() {
	s.requestRefund()
	s.setBooking(slotd.Canceled)
	s.tooLate++
}

func (s *state) requestRefund() {
	if s.entries().Balance() > 0 {
		s.add(lines[requestedLine])
		s.bringForward()
	}
}

func (s *state) release() {
	if s.is(slotd.Held) {
		s.expire()
		s.bringForward()
	}
}

func (s *state) cancel(by uint8) {
	s.canceledBy = by
	if by != lateAttendee {
		s.requestRefund()
	}
	s.setBooking(slotd.Canceled)
	s.claimed = false
	s.canceled++
}

// takenByOther is a stranger who books the time, which ends a hold that is over.
func (s *state) takenByOther() {
	s.expire()
	s.taken = true
}
