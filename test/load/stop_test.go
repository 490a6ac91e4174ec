package load

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd/test/await"
	"slotd/test/harness"
)

func TestStop_FinishesTheMailUnderWay(t *testing.T) {
	t.Parallel()
	d, mails := withMailServer(t)
	s := d.Serve(t)
	slow := newHold(t, mails, afterData)
	const bookings = 4
	for n := range bookings {
		d.mustCreate(t, s, nextDay(10).Add(time.Duration(n)*10*time.Minute), n)
	}
	slow.await(t)
	terminate(t, s)
	slow.end()
	if exit := s.Wait(t); exit != 0 {
		t.Errorf("stopped with exit code %d", exit)
	}
	if sent := len(mails.received()); sent != 1 {
		t.Errorf("%d mails were sent, want the one that was under way", sent)
	}
	for _, j := range d.changeJobs(t) {
		if j.Next.After(d.Now()) {
			t.Errorf("job %s was claimed and not given back", j.ID)
		}
	}
	mails.setTrouble(nil)
	d.Serve(t)
	d.awaitIdle(t)
	wantEachOnce(t, mails, 2*bookings)
}

// A mail server that never replies does not keep the program from stopping, and the mail is not lost. On a slow machine
// the program may end before it has noted that the mail was cut off; then the lease has to end first.
func TestStop_DoesNotWaitForEver(t *testing.T) {
	t.Parallel()
	await.True(t, "a mail is cut off and given back", func() bool { return cutsOffMail(t) })
}

// cutsOffMail stops a new server during a mail, and reports whether the job ended before the server.
func cutsOffMail(t *testing.T) bool {
	t.Helper()
	d, mails := withMailServer(t)
	s := d.Serve(t)
	stuck := newHold(t, mails, afterData)
	d.mustCreate(t, s, nextDay(10), 1)
	stuck.await(t)
	terminate(t, s)
	if exit := s.Wait(t); exit != 0 {
		t.Errorf("stopped with exit code %d", exit)
	}
	jobs := d.changeJobs(t)
	if n := waiting(jobs); n != 2 {
		t.Errorf("%d mails wait, want 2", n)
	}
	if strings.Contains(s.Log.String(), "a job does not end") {
		return false
	}
	if !slices.ContainsFunc(jobs, func(j job) bool { return strings.Contains(j.LastError, "context canceled") }) {
		t.Errorf("the mail was not cut off: %+v", jobs)
	}
	for _, j := range jobs {
		if j.Next.After(d.Now().Add(10 * time.Second)) {
			t.Errorf("job %s is not to be tried before %v", j.ID, j.Next)
		}
	}
	return true
}

// terminate sends SIGTERM to the server and waits until it is stopping.
func terminate(t *testing.T, s *harness.Server) {
	t.Helper()
	s.Terminate(t)
	s.AwaitLog(t, regexp.MustCompile("slotd is stopping"))
}

func wantEachOnce(t *testing.T, mails *mailServer, want int) {
	t.Helper()
	counts := map[string]int{}
	for _, m := range mails.received() {
		if counts[m.messageID]++; counts[m.messageID] > 1 {
			t.Errorf("mail %s was sent again", m.messageID)
		}
		if m.from != "bookings@acme.example" || m.invite.method != "REQUEST" || m.invite.sequence != 0 ||
			m.subject == "" {
			t.Errorf("an odd mail: %+v", m)
		}
	}
	if len(counts) != want {
		t.Errorf("%d mails, want %d", len(counts), want)
	}
}
