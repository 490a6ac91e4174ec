package ledger

// job is the one that settles what is open. It stops between any two of its steps for as long as others please.
type job struct {
	at      uint8
	do      uint8 // an Open
	key     uint8 // of the refund that is asked for
	ends    uint8
	look    bool // before another refund is made
	hurried bool // meanwhile: then it runs once more
	failed  bool // before
	news    bool // since it last looked; without any it would find the same

	// What it was told and has not written down.
	answer   uint16 // numbers of lines, as bits
	closes   bool
	underWay bool
}

// Where the job is.
const (
	gone = iota
	waiting
	ready
	deciding // from here on somebody has it in hand
	acting
	hearing
	ending
)

// How it ends.
const (
	done = iota
	wait
	fail
)

func (j *job) inHand() bool { return j.at >= deciding }

func (s *state) hurry() {
	s.job.failed = false
	if s.job.inHand() {
		s.job.hurried = true
	} else {
		s.job.at = ready
	}
}

// step takes the job from one place where it could be stopped to the next. A refund that is made becomes what
// the service makes of it.
func (s *state) step(becomes fate) {
	switch s.job.at {
	case ready, deciding:
		s.decide()
	case acting:
		s.act(becomes)
	case hearing:
		s.write()
	case ending:
		s.end()
	}
}

func (s *state) decide() {
	a, j := s.account(), &s.job
	open := a.NextStep(s.holdEnded, s.opened)
	*j = job{at: acting, do: uint8(open), failed: j.failed, hurried: j.hurried && j.inHand()}
	switch open {
	case Done:
		j.finish(done)
	case Await:
		j.finish(wait)
	case Refund:
		j.key = uint8(a.Ledger.FailedRefunds())
		j.look = j.failed || j.key > 0
	}
}

func (j *job) finish(how uint8) { j.at, j.ends = ending, how }

// act is a request to the service, or a transaction where none is needed.
func (s *state) act(becomes fate) {
	j := &s.job
	switch Step(j.do) {
	case EndHold:
		s.release()
		j.at = deciding
	case Abandon:
		s.hear(Statement{Closed: true})
		j.at = deciding
	case Ask:
		s.ask()
	case Close:
		if s.session == openSession {
			s.session = lapsed
		}
		s.ask()
	case WatchRefund:
		s.lookAtRefunds()
	case Refund:
		s.refund(becomes)
	}
}

func (s *state) ask() {
	s.job.at = hearing
	s.job.closes = s.session == lapsed
	if s.session == complete {
		s.job.answer = 1 << paidLine
	}
}

func (s *state) lookAtRefunds() {
	j := &s.job
	j.at, j.answer, j.underWay = hearing, 0, false
	for refund, f := range s.refunds {
		if f != none {
			j.learn(f, refund)
		}
	}
}

func (j *job) learn(f fate, refund int) {
	j.answer |= 1 << f.line(refund)
	j.underWay = j.underWay || f == pending
}

func (s *state) refund(becomes fate) {
	if s.job.look {
		s.lookAtRefunds()
		return
	}
	refund, refused := s.makeRefund(s.job.key, becomes)
	if refused {
		s.job.finish(fail)
		return
	}
	s.job.at = hearing
	s.job.learn(s.refunds[refund].atBirth(), refund)
}

// write is the transaction that keeps what was answered, and the look at what is next.
func (s *state) write() {
	j := &s.job
	h := Statement{Closed: j.closes}
	for number := range lines {
		if j.answer&(1<<number) != 0 {
			h.Entries = append(h.Entries, lines[number])
		}
	}
	s.hear(h)
	switch l := s.heard(); {
	case Step(j.do) == Refund && j.look:
		j.look, j.at, j.key, j.answer, j.underWay = false, acting, uint8(l.FailedRefunds()), 0, false
		if l.Due() == 0 {
			j.at = deciding
		}
	case Step(j.do) == Refund && h.Entries[0].Kind == Failed:
		j.finish(fail)
	case j.underWay:
		j.finish(wait)
		j.news = j.news || Step(j.do) == Refund // it was so when the refund was made
	case Step(j.do) == Refund:
		j.finish(done)
	case Step(j.do) == WatchRefund && l.Due() == 0:
		j.finish(done)
	case Step(j.do) == WatchRefund || j.closes || h.Paid():
		j.at = deciding
	default:
		j.finish(wait)
	}
}

// end says what became of the job, unless it was hurried: then it stays as it is.
func (s *state) end() {
	j := s.job
	s.job = job{at: waiting, failed: j.failed, news: j.news}
	switch {
	case j.hurried:
		s.job.at = ready
	case j.ends == done:
		s.job = job{}
	case j.ends == fail:
		s.job.failed, s.job.news = true, true
	}
}

// crash is the end of the program. The job stays and is run again.
func (s *state) crash() { s.job = job{at: ready, failed: s.job.failed} }
