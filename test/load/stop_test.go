package load

import (
	"net/http"
	"syscall"
	"testing"
	"time"
)

func TestStop_FinishesTheMailUnderWay(t *testing.T) {
	t.Parallel()
	mails := startMailServer(t)
	d := onSQLite(t, allDay)
	d.smtp = mails.addr
	s := d.start(t)
	slow := newHold(t, mails, afterData)
	const bookings = 4
	for n := range bookings {
		d.mustCreate(t, s, nextDay(10).Add(time.Duration(n)*10*time.Minute), n)
	}
	slow.await(t)
	terminate(t, s)
	slow.end()
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("stopped with %v: %s", err, s.log)
	}
	if sent := len(mails.received()); sent != 1 {
		t.Errorf("%d mails were sent, want the one that was under way", sent)
	}
	for _, j := range d.changeJobs(t) {
		if j.Next.After(d.now()) {
			t.Errorf("job %s was claimed and not given back", j.ID)
		}
	}
	mails.setTrouble(nil)
	d.start(t)
	d.awaitIdle(t)
	wantEachOnce(t, mails, 2*bookings)
}

// A mail server that never replies does not keep the program from stopping in time, and the mail is not lost.
func TestStop_DoesNotWaitForEver(t *testing.T) {
	t.Parallel()
	mails := startMailServer(t)
	d := onSQLite(t, allDay)
	d.smtp = mails.addr
	s := d.start(t)
	newHold(t, mails, afterData).awaitAfter(t, func() { d.mustCreate(t, s, nextDay(10), 1) })
	began := time.Now()
	terminate(t, s)
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("stopped with %v: %s", err, s.log)
	}
	if took := time.Since(began); took < 20*time.Second || took > 29*time.Second {
		t.Errorf("stopped after %v, want 25 s", took)
	}
	for _, j := range d.changeJobs(t) {
		if j.Next.After(d.now().Add(10 * time.Second)) {
			t.Errorf("job %s is not to be tried before %v", j.ID, j.Next)
		}
	}
}

// terminate sends SIGTERM to the server and waits until it is stopping.
func terminate(t *testing.T, s *server) {
	t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the server is stopping", func() bool {
		r, err := http.Get(s.url + "/readyz")
		if err != nil {
			return false
		}
		r.Body.Close()
		return r.StatusCode == http.StatusServiceUnavailable
	})
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
