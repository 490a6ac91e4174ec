package ledger

// job is the settle job. It may stop between any two of its steps, for any time.
type job struct {
	phase          uint8
	step           uint8 // a Step
	key            uint8 // idempotency key of the refund request
	result         uint8
	listFirst      bool // list the refunds before making another one
	broughtForward bool // while running: then it runs once more
	failed         bool // the previous run failed
	changed        bool // something changed since the last run; otherwise it would find the same

	// The service's answer, not yet saved.
	answer        uint16 // numbers of lines, as bits
	closes        bool
	refundPending bool
}

// The phases of the job.
const (
	deleted = iota
	waiting
	ready
	deciding // from here on a runner has claimed it
	acting
	saving
	finishing
)

// How the job ends.
const (
	done = iota
	wait
	fail
)

func (j *job) isRunning() bool { return j.phase >= deciding }

func (s *state) bringForward() {
	s.job.failed = false
	if s.job.isRunning() {
		s.job.broughtForward = true
	} else {
		s.job.phase = ready
	}
}

// step moves the job to the next point where it could be stopped. A refund that it makes gets the given state.
func (s *state) step(result refundState) {
	switch s.job.phase {
	case ready, deciding:
		s.decide()
	case acting:
		s.act(result)
	case saving:
		s.write()
	case finishing:
		s.end()
	}
}

func (s *state) decide() {
	a, j := s.account(), &s.job
	step := a.NextStep(s.holdEnded, s.opened)
	*j = job{phase: acting, step: uint8(step), failed: j.failed, broughtForward: j.broughtForward && j.isRunning()}
	switch step {
	case Done:
		j.finish(done)
	case Await:
		j.finish(wait)
	case Refund:
		j.key = uint8(a.Ledger.FailedRefunds())
		j.listFirst = j.failed || j.key > 0
	}
}

func (j *job) finish(result uint8) { j.phase, j.result = finishing, result }

// act is a request to the service, or a transaction if no request is needed.
func (s *state) act(result refundState) {
	j := &s.job
	switch Step(j.step) {
	case EndHold:
		s.release()
		j.phase = deciding
	case Abandon:
		s.post(Statement{Closed: true})
		j.phase = deciding
	case Ask:
		s.ask()
	case Close:
		if s.session == openSession {
			s.session = lapsed
		}
		s.ask()
	case WatchRefund:
		s.listRefunds()
	case Refund:
		s.refund(result)
	}
}

func (s *state) ask() {
	s.job.phase = saving
	s.job.closes = s.session == lapsed
	if s.session == complete {
		s.job.answer = 1 << paidLine
	}
}

func (s *state) listRefunds() {
	j := &s.job
	j.phase, j.answer, j.refundPending = saving, 0, false
	for refund, f := range s.refunds {
		if f != none {
			j.record(f, refund)
		}
	}
}

func (j *job) record(f refundState, refund int) {
	j.answer |= 1 << f.line(refund)
	j.refundPending = j.refundPending || f == pending
}

func (s *state) refund(result refundState) {
	if s.job.listFirst {
		s.listRefunds()
		return
	}
	refund, refused := s.makeRefund(s.job.key, result)
	if refused {
		s.job.finish(fail)
		return
	}
	s.job.phase = saving
	s.job.record(s.refunds[refund].initial(), refund)
}

// write is the transaction that saves the answer and decides what is next.
func (s *state) write() {
	j := &s.job
	h := Statement{Closed: j.closes}
	for number := range lines {
		if j.answer&(1<<number) != 0 {
			h.Entries = append(h.Entries, lines[number])
		}
	}
	s.post(h)
	switch l := s.entries(); {
	case Step(j.step) == Refund && j.listFirst:
		j.listFirst, j.phase, j.key, j.answer, j.refundPending = false, acting, uint8(l.FailedRefunds()), 0, false
		if l.Due() == 0 {
			j.phase = deciding
		}
	case Step(j.step) == Refund && h.Entries[0].Kind == Failed:
		j.finish(fail)
	case j.refundPending:
		j.finish(wait)
		j.changed = j.changed || Step(j.step) == Refund // it was pending when the refund was made
	case Step(j.step) == Refund:
		j.finish(done)
	case Step(j.step) == WatchRefund && l.Due() == 0:
		j.finish(done)
	case Step(j.step) == WatchRefund || j.closes || h.Paid():
		j.phase = deciding
	default:
		j.finish(wait)
	}
}

// end saves the result of the job, unless the job was brought forward: then it stays as it is.
func (s *state) end() {
	j := s.job
	s.job = job{phase: waiting, failed: j.failed, changed: j.changed}
	switch {
	case j.broughtForward:
		s.job.phase = ready
	case j.result == done:
		s.job = job{}
	case j.result == fail:
		s.job.failed, s.job.changed = true, true
	}
}

// crash is a crash of the program. The job stays and runs again.
func (s *state) crash() { s.job = job{phase: ready, failed: s.job.failed} }
