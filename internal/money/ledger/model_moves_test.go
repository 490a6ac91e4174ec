package ledger

import "fmt"

// move is something that can happen next.
type move struct {
	name     string
	can      func(s *state) bool
	do       func(s *state)
	optional bool // nothing waits for it
	likely   int  // how much more than others, where chance decides
}

// moves are all that there are.
func (l limits) moves() []move {
	all := append(people(), l.program()...)
	all = append(all, l.refunds()...)
	all = append(all, l.service()...)
	for event := range len(state{}.told) {
		all = append(all, l.deliver(event))
	}
	return all
}

// news is a move after which a waiting job finds something else than before.
func news(name string, can func(s *state) bool, do func(s *state)) move {
	return move{name: name, can: can, do: func(s *state) {
		s.job.news = true
		do(s)
	}}
}

func choice(m move) move {
	m.optional = true
	return m
}

func likely(m move) move {
	m.likely = 10
	return m
}

func people() []move {
	isHeld := func(s *state) bool { return s.is(Held) }
	stands := func(s *state) bool { return s.is(Confirmed) }
	isFree := func(s *state) bool { return !s.took && (s.is(Expired) || s.is(Held) && s.holdEnded) }
	return []move{
		likely(news("the page opens the checkout", func(s *state) bool { return s.page == opening },
			func(s *state) { s.page, s.session = noting, openSession })),
		likely(news("the page notes the checkout", func(s *state) bool { return s.page == noting },
			func(s *state) { s.page, s.opened = left, s.is(Held) })),
		likely(news("the guest pays", func(s *state) bool { return s.session == openSession && s.opened },
			func(s *state) { s.session = complete })),
		news("the hold ends", func(s *state) bool { return !s.holdEnded },
			func(s *state) { s.holdEnded, s.wentBack = true, false }),
		choice(news("the guest goes back", isHeld, func(s *state) { s.wentBack = !s.holdEnded; s.release() })),
		choice(news("another takes the time", isFree, (*state).take)),
		choice(news("the host cancels", stands, func(s *state) { s.cancel(host) })),
		choice(news("the attendee cancels", stands, func(s *state) { s.cancel(attendee) })),
		choice(news("the attendee cancels late", stands, func(s *state) { s.cancel(lateAttendee) })),
	}
}

// program is the job, with all that can befall it.
func (l limits) program() []move {
	isWaiting := func(s *state) bool { return s.job.at == waiting && s.job.news }
	goesOn := func(s *state) bool { return s.job.at >= ready && !s.isRefunding() }
	return []move{
		{name: "time passes", can: isWaiting, do: func(s *state) { s.job.at = ready }},
		{name: "the job goes on", can: goesOn, do: func(s *state) { s.step(none) }},
		l.mishap("a crash", func(s *state) bool { return s.job.inHand() }, (*state).crash),
		l.mishap("the job fails", func(s *state) bool { return s.job.at == acting || s.job.at == hearing },
			func(s *state) { s.job.finish(fail) }),
		l.mishap("the page dies", func(s *state) bool { return s.page != left }, func(s *state) { s.page = left }),
	}
}

func (l limits) mishap(name string, can func(s *state) bool, do func(s *state)) move {
	return choice(move{name: name, can: func(s *state) bool { return can(s) && within(s.mishaps, l.mishaps) },
		do: func(s *state) {
			count(&s.mishaps, l.mishaps)
			do(s)
		}})
}

func (s *state) isRefunding() bool {
	return s.job.at == acting && Step(s.job.do) == Refund && !s.job.look
}

// refunds are the job's most dangerous step, with each thing that the service may make of it.
func (l limits) refunds() (all []move) {
	names := map[fate]string{pending: "is pending", succeeded: "succeeds", bornFailed: "fails"}
	for _, becomes := range []fate{pending, succeeded, bornFailed} {
		can := func(s *state) bool {
			return s.isRefunding() && (becomes != bornFailed || s.failures() < l.failures)
		}
		all = append(all,
			move{name: "a refund " + names[becomes], can: can, do: func(s *state) { s.step(becomes) }},
			l.mishap("a refund "+names[becomes]+", and the answer is lost", can, func(s *state) {
				s.step(becomes)
				s.job.finish(fail)
			}))
	}
	return all
}

// service is what happens there by itself.
func (l limits) service() []move {
	lapses := func(s *state) bool { return s.session == openSession && s.holdEnded }
	all := []move{choice(news("the checkout lapses", lapses, func(s *state) { s.session = lapsed }))}
	for refund := range mostRefund {
		arrives := func(s *state) bool { return s.refunds[refund] == pending }
		comesBack := func(s *state) bool { return s.refunds[refund].isLive() && s.failures() < l.failures }
		all = append(all,
			choice(news(fmt.Sprintf("refund %d arrives", refund), arrives,
				func(s *state) { s.refunds[refund] = arrived })),
			choice(news(fmt.Sprintf("refund %d comes back", refund), comesBack,
				func(s *state) { s.refunds[refund] = s.refunds[refund].failsTo() })))
	}
	return all
}

// deliver is one of the times that an event arrives.
func (l limits) deliver(event int) move {
	can := func(s *state) bool {
		_, exists := s.exists(event)
		return exists && within(s.told[event], l.times)
	}
	return news("hear "+nameOf(event), can, func(s *state) {
		count(&s.told[event], l.times)
		s.hearEvent(event)
	})
}

func nameOf(event int) string {
	if event < refundEvents {
		return []string{"completed", "expired"}[event]
	}
	event -= refundEvents
	return fmt.Sprintf("refund %d %s", event/3, []string{"created", "updated", "failed"}[event%3])
}

// isCalm reports whether nothing has to happen any more, whatever still may.
func (s *state) isCalm() bool {
	return s.page == left && s.holdEnded && (s.job.at == gone || s.job.at == waiting && !s.job.news) && !s.owes()
}
