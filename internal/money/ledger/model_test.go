package ledger

import "slices"

// The model is one paid booking with everything around it that may go wrong: the payment service repeats,
// reorders and loses what it tells, people act at any time, and the program dies between any two of its
// steps. What follows from what is decided by the package under test alone.

const (
	price      = 5000
	mostRefund = 3 // refunds at most: those before the last come back
)

// lines are all entries that can come into the ledger. A state names them by their number.
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
	refundedLine  = 3 // of the first refund; then when that came back, and so on
)

// state is the whole world at one moment. It is comparable: the explorer knows one again.
type state struct {
	// What is committed.
	stage                     uint8     // of stages
	ledger                    [10]uint8 // numbers of lines, as they were heard
	opened, closed, claimed   bool
	booked, canceled, tooLate uint8 // mails

	job job

	// What the payment service knows.
	session uint8
	refunds [mostRefund]fate
	keys    [mostRefund]uint8 // which refund, counted from 1, was made with an idempotency key
	told    [2 + 3*mostRefund]uint8

	// What people did, and what went wrong.
	page            uint8
	holdEnded, took bool
	wentBack        bool // before the hold ended
	canceledBy      uint8
	mishaps         uint8
}

// limits bound how much happens in one schedule.
type limits struct {
	mishaps  int // crashes, lost answers and the like
	times    int // that an event is delivered
	failures int // refunds that come back
}

// endless is a limit that is none: nobody counts, so that what happens again is nothing new.
const endless = -1

func within(n uint8, limit int) bool { return limit == endless || int(n) < limit }

func count(n *uint8, limit int) {
	if limit != endless {
		*n++
	}
}

var stages = []Stage{Held, Confirmed, Canceled, Expired}

// A checkout's life at the payment service.
const (
	noSession = iota
	openSession
	complete
	lapsed
)

// The page's way to the checkout: it is made there, and then noted here.
const (
	opening = iota
	noting
	left
)

// Who canceled.
const (
	nobody = iota
	host
	attendee
	lateAttendee // without a right to a refund
)

// begin is a moment after a guest has pressed the button.
func begin() state {
	return state{claimed: true, job: job{at: waiting, news: true}}
}

func (s *state) is(stage Stage) bool { return stages[s.stage] == stage }

func (s *state) become(stage Stage) { s.stage = uint8(slices.Index(stages, stage)) }

// account is what is committed, as the package under test takes it.
func (s *state) account() Account {
	l := s.heard()
	return Account{Stage: stages[s.stage], Ledger: l, Payment: l.Payment(), Closed: s.closed}
}

// ledgers are those that came up so far: there are few, and making them anew takes most of the time.
var ledgers = map[[10]uint8]Ledger{}

func (s *state) heard() Ledger {
	l, ok := ledgers[s.ledger]
	if !ok {
		for _, number := range s.ledger[:slices.Index(s.ledger[:], 0)] {
			l = append(l, lines[number])
		}
		ledgers[s.ledger] = l
	}
	return l
}

// hear is one transaction: what is new is kept, and what follows from it is done.
func (s *state) hear(h Statement) {
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
		if s.took {
			s.refuse()
		} else {
			s.claimed = true
			s.confirm()
		}
	case StartRefund:
		if len(added) > 0 {
			s.hurry()
		}
	case ReleaseHold:
		s.expire()
	}
}

func (s *state) add(e Entry) {
	s.ledger[slices.Index(s.ledger[:], 0)] = uint8(slices.Index(lines, e))
}

func (s *state) confirm() {
	s.become(Confirmed)
	s.booked++
}

func (s *state) expire() {
	if s.is(Held) {
		s.become(Expired)
		s.claimed = false
	}
}

// refuse is for who has paid for what is another's by now.
func (s *state) refuse() {
	s.giveBack()
	s.become(Canceled)
	s.tooLate++
}

func (s *state) giveBack() {
	if s.heard().Balance() > 0 {
		s.add(lines[requestedLine])
		s.hurry()
	}
}

func (s *state) release() {
	if s.is(Held) {
		s.expire()
		s.hurry()
	}
}

func (s *state) cancel(by uint8) {
	s.canceledBy = by
	if by != lateAttendee {
		s.giveBack()
	}
	s.become(Canceled)
	s.claimed = false
	s.canceled++
}

// take is a stranger who books the time, which ends a hold that is over.
func (s *state) take() {
	s.expire()
	s.took = true
}
