package load

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// As many as one host gets mails of in an hour, nearly.
const troubled = 25

// longestStep is more than the longest pause between two tries.
const longestStep = 20 * time.Minute

func TestMailServer_Troubles(t *testing.T) {
	for name, begin := range map[string]func(t *testing.T, m *mailServer){
		"refuses connections": func(t *testing.T, m *mailServer) { m.refuse() },
		"451 at RCPT":         func(t *testing.T, m *mailServer) { m.make(answers(451, atRcpt)) },
		"451 after DATA":      func(t *testing.T, m *mailServer) { m.make(answers(451, afterData)) },
		"hangs after EHLO":    func(t *testing.T, m *mailServer) { newHold(t, m, atMail) },
		"closes in mid-DATA":  func(t *testing.T, m *mailServer) { m.make(hangsUp) },
	} {
		t.Run(name, func(t *testing.T) {
			mails, twin := startMailServer(t), startMailServer(t)
			begin(t, mails)
			d, healthy := onSQLite(t, allDay), onSQLite(t, allDay)
			d.smtp, healthy.smtp = mails.addr, twin.addr
			s := d.start(t)
			compare(t, d, s, healthy)
			eventually(t, "a mail has met the trouble",
				func() bool { return mails.metTrouble() || failures(d.news(t)) > 0 })
			if n := waiting(d.news(t)); n != 2*troubled {
				t.Errorf("%d mails wait, want %d", n, 2*troubled)
			}
			s.kill()
			mails.make(nil)
			if name == "refuses connections" {
				mails.accept(t)
			}
			d.ahead = longestStep
			d.start(t)
			d.rest(t)
			wantEachOnce(t, mails, 2*troubled)
		})
	}
}

// compare books in turn with a server in trouble and with one that is well: whatever else this
// machine does slows both.
func compare(t *testing.T, d *deployment, s *server, healthy *deployment) {
	t.Helper()
	other := healthy.start(t)
	defer other.kill()
	var slow, usual []time.Duration
	for n := range troubled {
		slot := nextDay(10).Add(time.Duration(n) * 10 * time.Minute)
		slow = append(slow, took(func() { d.mustCreate(t, s, slot, n) }))
		usual = append(usual, took(func() { healthy.mustCreate(t, other, slot, n) }))
	}
	if median(slow) > 3*median(usual) {
		t.Errorf("a booking takes %v, and %v with a mail server that is well", median(slow), median(usual))
	}
	t.Logf("a booking takes %v, and %v with a mail server that is well", median(slow), median(usual))
}

func took(do func()) time.Duration {
	began := time.Now()
	do()
	return time.Since(began)
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

func TestMailServer_ComesBackSoon(t *testing.T) {
	t.Parallel()
	mails := startMailServer(t)
	d := onSQLite(t, allDay)
	d.smtp = mails.addr
	mails.refuse()
	s := d.start(t)
	d.mustCreate(t, s, nextDay(10), 1)
	d.awaitFailures(t, 1)
	mails.accept(t)
	d.rest(t)
	wantEachOnce(t, mails, 2)
}

// awaitFailures waits until every mail was tried so often, or more.
func (d *deployment) awaitFailures(t *testing.T, n int) {
	t.Helper()
	eventually(t, "every mail was tried", func() bool {
		return !slices.ContainsFunc(d.news(t), func(j job) bool { return j.Failures < n })
	})
}

func TestMailServer_OutageOfDays(t *testing.T) {
	t.Parallel()
	mails := startMailServer(t)
	d := onSQLite(t, allDay)
	d.smtp = mails.addr
	mails.refuse()
	s := d.start(t)
	d.mustCreate(t, s, nextDay(30), 1)
	d.awaitFailures(t, 1)
	for i, hours := range []int{1, 26, 71} {
		s.kill()
		if log := s.log.String(); strings.Count(log, "level=ERROR") > 0 || strings.Count(log, "a job failed") != 1 {
			t.Errorf("want one warning: %s", log)
		}
		d.ahead = time.Duration(hours) * time.Hour
		s = d.start(t)
		d.awaitFailures(t, 2+i)
		if n := waiting(d.news(t)); n != 2 {
			t.Fatalf("after %d h, %d mails still wait, want 2", hours, n)
		}
	}
	s.kill()
	mails.accept(t)
	d.ahead += longestStep
	d.start(t)
	d.rest(t)
	wantEachOnce(t, mails, 2)
}

func TestMailServer_OutageThatIsTooLong(t *testing.T) {
	t.Parallel()
	mails := startMailServer(t)
	d := onSQLite(t, allDay)
	d.smtp = mails.addr
	mails.refuse()
	s := d.start(t)
	d.mustCreate(t, s, nextDay(30), 1)
	d.awaitFailures(t, 1)
	s.kill()
	d.ahead = 73 * time.Hour
	d.start(t)
	eventually(t, "both mails are given up", func() bool { return len(d.news(t, "--failed")) == 2 })
	mails.accept(t)
	d.command(t, "", "jobs", "retry", "all")
	d.rest(t)
	wantEachOnce(t, mails, 2)
}
