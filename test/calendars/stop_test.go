package calendars

import (
	"io"
	"net/http"
	"syscall"
	"testing"
	"time"
)

// A calendar that hangs does not keep the server from stopping.
func TestStop_WhileTheServerReadsACalendar(t *testing.T) {
	t.Parallel()
	d := onSQLite(t)
	p := newProxy(t, http.NotFoundHandler())
	p.setTrouble(hangs)
	d.office(t, "acme", calendars(feedAt(p.URL+secretPath)))
	s := d.start(t)
	eventually(t, "the calendar is being read", func() bool { return p.count() == 1 })
	wantQuickStop(t, s)
	d.start(t)
	eventually(t, "the calendar is read again at once", func() bool { return p.count() > 1 })
}

func TestStop_WhileAGuestWaitsForACalendar(t *testing.T) {
	t.Parallel()
	d := onSQLite(t)
	p := newProxy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, taken) }))
	acme := d.office(t, "acme", calendars(feedAt(p.URL+secretPath)))
	d.sync(t)
	s := d.start(t)
	p.setTrouble(hangs)
	before, answered := p.count(), make(chan answer, 1)
	go func() {
		a, err := acme.create(s, "call", "01-16T09")
		if err != nil {
			t.Error(err)
		}
		answered <- a
	}()
	eventually(t, "the guest waits", func() bool { return p.count() > before })
	wantQuickStop(t, s)
	if a := <-answered; a.BookingID == "" {
		t.Errorf("the guest got %+v, want a booking by the young copy", a)
	}
}

func wantQuickStop(t *testing.T, s *server) {
	t.Helper()
	began := time.Now()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("stopped with %v: %s", err, s.log)
	}
	took := time.Since(began)
	if took > 6*time.Second {
		t.Errorf("stopped after %v, want about 3 s at most", took)
	}
	t.Logf("stopped after %v", took)
}
