package ledger

import (
	"fmt"

	"slotd"
)

// move is something that can happen next.
type move struct {
	name     string
	can      func(s *state) bool
	do       func(s *state)
	optional bool // nothing waits for it
	likely   int  // how much more likely than others, where chance decides
}

// moves returns all moves.
func (l limits) moves() []move {
	all := append(people(), l.program()...)
	all = append(all, l.refunds()...)
	all = append(all, l.service()...)
	for event := range len(state{}.delivered) {
		all = append(all, l.deliver(event))
	}
	return all
}

// change is a move after which a waiting job finds something else than before.
func change(name string, can func(s *state) bool, do func(s *state)) move {
	return move{name: name, can: can, do: func(s *state) {
		s.job.changed = true
		do(s)
	}}
}

func optional(m move) move {
	m.optional = true
	return m
}

func likely(m move) move {
	m.likely = 10
	return m
}

func people() []move {
	isHeld := func(s *state) bool { return s.is(slotd.Held) }
	isConfirmed := func(s *state) bool { return s.is(slotd.Confirmed) }
	isFree := func(s *state) bool { return !s.taken && (s.is(slotd.Expired) || s.is(slotd.Held) && s.holdEnded) }
	return []move{
		likely(change("the page opens the checkout", func(s *state) bool { return s.page == pageOpening },
			func(s *state) { s.page, s.session = pageSaving, openSession })),
		likely(change("the page notes the checkout", func(s *state) bool { return s.page == pageSaving },
			func(s *state) { s.page, s.opened = pageDone, s.is(slotd.Held) })),
		likely(change("the guest pays", func(s *state) bool { return s.session == openSession && s.opened },
			func(s *state) { s.session = complete })),
		change("the hold ends", func(s *state) bool { return !s.holdEnded },
			func(s *state) { s.holdEnded, s.guestLeft = true, false }),
		optional(change("the guest goes back", isHeld, func(s *state) { s.guestLeft = !s.holdEnded; s.release() })),
		optional(change("another takes the time", isFree, (*state).takenByOther)),
		optional(change("the host cancels", isConfirmed, func(s *state) { s.cancel(host) })),
		optional(change("the attendee cancels", isConfirmed, func(s *state) { s.cancel(attendee) })),
		optional(change("the attendee cancels late", isConfirmed, func(s *state) { s.cancel(lateAttendee) })),
	}
}

// program returns the moves of the job, with everything that can happen to it.
func (l limits) program() []move {
	isWaiting := func(s *state) bool { return s.job.phase == waiting && s.job.changed }
	goesOn := func(s *state) bool { return s.job.phase >= ready && !s.isRefunding() }
	return []move{
		{name: "time passes", can: isWaiting, do: func(s *state) { s.job.phase = ready }},
		{name: "the job goes on", can: goesOn, do: func(s *state) { s.step(none) }},
		l.fault("a crash", func(s *state) bool { return s.job.isRunning() }, (*state).crash),
		l.fault("the job fails", func(s *state) bool { return s.job.phase == acting || s.job.phase == saving },
			func(s *state) { s.job.finish(fail) }),
		l.fault("the page dies", func(s *state) bool { return s.page != pageDone },
			func(s *state) { s.page = pageDone }),
	}
}

func (l limits) fault(name string, can func(s *state) bool, do func(s *state)) move {
	return optional(move{name: name, can: func(s *state) bool { return can(s) && within(s.faults, l.faults) },
		do: func(s *state) {
			count(&s.faults, l.faults)
			do(s)
		}})
}

func (s *state) isRefunding() bool {
	return s.job.phase == acting && Step(s.job.step) == Refund && !s.job.listFirst
}

// refunds returns the most dangerous step of the job, with every result that the service may return.
func (l limits) refunds() (all []move) {
	names := map[refundState]string{pending: "is pending", succeeded: "succeeds", failedAtOnce: "fails"}
	for _, result := range []refundState{pending, succeeded, failedAtOnce} {
		can := func(s *state) bool {
			return s.isRefunding() && (result != failedAtOnce || s.failures() < l.failures)
		}
		all = append(all,
			move{name: "a refund " + names[result], can: can, do: func(s *state) { s.step(result) }},
			l.fault("a refund "+names[result]+", and the answer is lost", can, func(s *state) {
				s.step(result)
				s.job.finish(fail)
			}))
	}
	return all
}

// service returns what happens at the service on its own.
func (l limits) service() []move {
	lapses := func(s *state) bool { return s.session == openSession && s.holdEnded }
	all := []move{optional(change("the checkout lapses", lapses, func(s *state) { s.session = lapsed }))}
	for refund := range maxRefunds {
		arrives := func(s *state) bool { return s.refunds[refund] == pending }
		comesBack := func(s *state) bool { return s.refunds[refund].isLive() && s.failures() < l.failures }
		all = append(all,
			optional(change(fmt.Sprintf("refund %d arrives", refund), arrives,
				func(s *state) { s.refunds[refund] = arrived })),
			optional(change(fmt.Sprintf("refund %d comes back", refund), comesBack,
				func(s *state) { s.refunds[refund] = s.refunds[refund].afterFailure() })))
	}
	return all
}

// deliver is one delivery of an event.
func (l limits) deliver(event int) move {
	can := func(s *state) bool {
		_, exists := s.exists(event)
		return exists && within(s.delivered[event], l.deliveries)
	}
	return change("hear "+nameOf(event), can, func(s *state) {
		count(&s.delivered[event], l.deliveries)
		s.postEvent(event)
	})
}

func nameOf(event int) string {
	if event < refundEvents {
		return []string{"completed", "expired"}[event]
	}
	event -= refundEvents
	return fmt.Sprintf("refund %d %s", event/3, []string{"created", "updated", "failed"}[event%3])
}

// isIdle reports whether nothing has to happen anymore, whatever still may.
func (s *state) isIdle() bool {
	return s.page == pageDone && s.holdEnded && (s.job.phase == deleted || s.job.phase == waiting && !s.job.changed) &&
		!s.owesEvent()
}
