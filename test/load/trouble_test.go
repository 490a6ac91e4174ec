package load

import (
	"strings"
	"testing"
	"time"

	"slotd/test/await"
)

// troubledBookings is the number of bookings, a little below the number of mails that one host gets in an hour.
const troubledBookings = 25

// maxRetryPause is longer than the longest pause between two tries.
const maxRetryPause = 20 * time.Minute

// Bookings go on while mails fail. None of them waits for a mail: the one that hangs would hold up every booking for
// a minute, longer than the server takes for any write.
func TestMailServer_Troubles(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(t *testing.T, m *mailServer){
		"refuses connections": func(t *testing.T, m *mailServer) { m.refuse() },
		"451 at RCPT":         func(t *testing.T, m *mailServer) { m.setTrouble(answerWith(451, atRcpt)) },
		"451 after DATA":      func(t *testing.T, m *mailServer) { m.setTrouble(answerWith(451, afterData)) },
		"hangs after EHLO":    func(t *testing.T, m *mailServer) { newHold(t, m, atMail) },
		"closes in mid-DATA":  func(t *testing.T, m *mailServer) { m.setTrouble(closeInData) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, mails := withMailServer(t)
			begin(t, mails)
			s := d.Serve(t)
			d.mustCreate(t, s, nextDay(10), 0)
			await.True(t, "a mail has met the trouble",
				func() bool { return mails.metTrouble() || sum(d.failures(t)) > 0 })
			for n := 1; n < troubledBookings; n++ {
				d.mustCreate(t, s, nextDay(10).Add(time.Duration(n)*10*time.Minute), n)
			}
			if n := waiting(d.changeJobs(t)); n != 2*troubledBookings {
				t.Errorf("%d mails wait, want %d", n, 2*troubledBookings)
			}
			s.Kill()
			mails.setTrouble(nil)
			if name == "refuses connections" {
				mails.accept(t)
			}
			d.AdvanceClock(maxRetryPause)
			d.Serve(t)
			d.awaitIdle(t)
			wantEachOnce(t, mails, 2*troubledBookings)
		})
	}
}

func sum(counts map[string]int) (n int) {
	for _, count := range counts {
		n += count
	}
	return n
}

func TestMailServer_ComesBackSoon(t *testing.T) {
	t.Parallel()
	d, mails := withMailServer(t)
	mails.refuse()
	s := d.Serve(t)
	d.mustCreate(t, s, nextDay(10), 1)
	d.awaitFailures(t, nil)
	mails.accept(t)
	d.awaitIdle(t)
	wantEachOnce(t, mails, 2)
}

func TestMailServer_OutageOfDays(t *testing.T) {
	t.Parallel()
	d, mails := withMailServer(t)
	mails.refuse()
	s := d.Serve(t)
	d.mustCreate(t, s, nextDay(30), 1)
	d.awaitFailures(t, nil)
	for _, hours := range []int{1, 25, 45} { // 71 in all
		s.Kill()
		if log := s.Log.String(); strings.Count(log, "level=ERROR") > 0 || strings.Count(log, "a job failed") != 1 {
			t.Errorf("want one warning: %s", log)
		}
		before := d.failures(t)
		s = d.RestartLater(t, s, time.Duration(hours)*time.Hour)
		d.awaitFailures(t, before)
		if n := waiting(d.changeJobs(t)); n != 2 {
			t.Fatalf("%d h later, %d mails still wait, want 2", hours, n)
		}
	}
	s.Kill()
	mails.accept(t)
	d.RestartLater(t, s, maxRetryPause)
	d.awaitIdle(t)
	wantEachOnce(t, mails, 2)
}

func TestMailServer_OutageThatIsTooLong(t *testing.T) {
	t.Parallel()
	d, mails := withMailServer(t)
	mails.refuse()
	s := d.Serve(t)
	d.mustCreate(t, s, nextDay(30), 1)
	d.awaitFailures(t, nil)
	d.RestartLater(t, s, 73*time.Hour)
	await.True(t, "both mails are given up", func() bool { return len(d.changeJobs(t, "--failed")) == 2 })
	mails.accept(t)
	d.Run(t, "jobs", "retry", "all")
	d.awaitIdle(t)
	wantEachOnce(t, mails, 2)
}
