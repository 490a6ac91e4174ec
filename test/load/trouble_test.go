package load

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// troubledBookings is the number of bookings, a little below the number of mails that one host gets in an hour.
const troubledBookings = 25

// maxRetryPause is longer than the longest pause between two tries.
const maxRetryPause = 20 * time.Minute

func TestMailServer_Troubles(t *testing.T) {
	for name, begin := range map[string]func(t *testing.T, m *mailServer){
		"refuses connections": func(t *testing.T, m *mailServer) { m.refuse() },
		"451 at RCPT":         func(t *testing.T, m *mailServer) { m.setTrouble(answerWith(451, atRcpt)) },
		"451 after DATA":      func(t *testing.T, m *mailServer) { m.setTrouble(answerWith(451, afterData)) },
		"hangs after EHLO":    func(t *testing.T, m *mailServer) { newHold(t, m, atMail) },
		"closes in mid-DATA":  func(t *testing.T, m *mailServer) { m.setTrouble(closeInData) },
	} {
		t.Run(name, func(t *testing.T) {
			mails, twin := startMailServer(t), startMailServer(t)
			begin(t, mails)
			d, healthy := onSQLite(t, allDay), onSQLite(t, allDay)
			d.smtp, healthy.smtp = mails.addr, twin.addr
			s := d.start(t)
			compare(t, d, s, healthy)
			eventually(t, "a mail has met the trouble",
				func() bool { return mails.metTrouble() || failures(d.changeJobs(t)) > 0 })
			if n := waiting(d.changeJobs(t)); n != 2*troubledBookings {
				t.Errorf("%d mails wait, want %d", n, 2*troubledBookings)
			}
			s.kill()
			mails.setTrouble(nil)
			if name == "refuses connections" {
				mails.accept(t)
			}
			d.clockOffset = maxRetryPause
			d.start(t)
			d.awaitIdle(t)
			wantEachOnce(t, mails, 2*troubledBookings)
		})
	}
}

// compare makes bookings in turn with a failing mail server and with a healthy one, so that other load on the machine
// slows both.
func compare(t *testing.T, d *deployment, s *server, healthy *deployment) {
	t.Helper()
	other := healthy.start(t)
	defer other.kill()
	var slow, normal []time.Duration
	for n := range troubledBookings {
		slot := nextDay(10).Add(time.Duration(n) * 10 * time.Minute)
		slow = append(slow, timed(func() { d.mustCreate(t, s, slot, n) }))
		normal = append(normal, timed(func() { healthy.mustCreate(t, other, slot, n) }))
	}
	if median(slow) > 3*median(normal) {
		t.Errorf("a booking takes %v, and %v with a mail server that is well", median(slow), median(normal))
	}
	t.Logf("a booking takes %v, and %v with a mail server that is well", median(slow), median(normal))
}

func timed(do func()) time.Duration {
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
	d.awaitIdle(t)
	wantEachOnce(t, mails, 2)
}

// awaitFailures waits until every mail has failed at least n times.
func (d *deployment) awaitFailures(t *testing.T, n int) {
	t.Helper()
	eventually(t, "every mail was tried", func() bool {
		return !slices.ContainsFunc(d.changeJobs(t), func(j job) bool { return j.Failures < n })
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
		d.clockOffset = time.Duration(hours) * time.Hour
		s = d.start(t)
		d.awaitFailures(t, 2+i)
		if n := waiting(d.changeJobs(t)); n != 2 {
			t.Fatalf("after %d h, %d mails still wait, want 2", hours, n)
		}
	}
	s.kill()
	mails.accept(t)
	d.clockOffset += maxRetryPause
	d.start(t)
	d.awaitIdle(t)
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
	d.clockOffset = 73 * time.Hour
	d.start(t)
	eventually(t, "both mails are given up", func() bool { return len(d.changeJobs(t, "--failed")) == 2 })
	mails.accept(t)
	d.command(t, "", "jobs", "retry", "all")
	d.awaitIdle(t)
	wantEachOnce(t, mails, 2)
}
