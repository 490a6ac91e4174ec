package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"slotd/internal/server"
	"slotd/internal/web/webtest"
	"slotd/test/await"
)

// slowRequest is a request whose body the server waits for.
type slowRequest struct {
	conn net.Conn
	in   *bufio.Reader
	rest string
}

// begin sends the headers of a request and returns once the server reads the body.
func (p *process) begin(body, header string) (*slowRequest, error) {
	conn := p.dial()
	fmt.Fprintf(conn, "POST /api/mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "+
		"%d\r\nExpect: 100-continue\r\n%s\r\n", len(body), header)
	u := &slowRequest{conn: conn, in: bufio.NewReader(conn), rest: body}
	// The server sends 100 when the handler reads the body.
	if line, err := u.in.ReadString('\n'); err != nil || !strings.Contains(line, "100") {
		return nil, fmt.Errorf("no 100: %q, %v", line, err)
	}
	u.in.ReadString('\n')
	return u, nil
}

func (u *slowRequest) finish() (status int, body string, err error) {
	io.WriteString(u.conn, u.rest)
	response, err := http.ReadResponse(u.in, nil)
	if err != nil {
		return 0, "", err
	}
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, string(text), err
}

func TestStop_ReadyzTurns503AtOnceAndWhatIsUnderWayFinishes(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		token := pl.token("acme")
		// If the machine is so slow that the server cuts the request by its own timeout, this proves nothing.
		var err error
		day := 1
		await.True(t, "a server stops before it would cut a request anyway", func() bool {
			s := pl.serve(nil)
			began := time.Now()
			day++
			err = s.stopDuringRequest(token, slotIn(day))
			s.Kill()
			if err != nil {
				t.Logf("after %v: %v", time.Since(began), err)
			}
			return err == nil || time.Since(began) < server.BodyTimeout
		})
		if err != nil {
			t.Fatal(err)
		}
		starts, err := time.Parse(time.RFC3339, slotIn(day))
		if err != nil {
			t.Fatal(err)
		}
		if n := pl.rows(fmt.Sprintf("SELECT CAST(COUNT(*) AS TEXT) FROM bookings WHERE starts_at = %d",
			starts.UnixMilli())); n[0] != "1" {
			t.Errorf("%s bookings", n[0])
		}
	})
}

// stopDuringRequest stops a server while a request is under way, and finishes the request later than the server would
// have stopped without it.
func (p *process) stopDuringRequest(token, slot string) error {
	p.t.Helper()
	u, err := p.begin(webtest.ToolCall("create_booking", bookingOf("intro", slot)), "Authorization: Bearer "+token+"\r\n")
	if err != nil {
		return err
	}
	p.Terminate(p.t)
	p.AwaitLog(p.t, regexp.MustCompile(`slotd is stopping`))
	began, status := time.Now(), 0
	await.True(p.t, "the server has been stopping for longer than it must", func() bool {
		status, err = p.status("/readyz")
		return err != nil || status != http.StatusServiceUnavailable || time.Since(began) > server.MinDrain
	})
	if err != nil || status != http.StatusServiceUnavailable {
		return fmt.Errorf("/readyz while a request is under way: %d, %v", status, err)
	}
	if status, err := p.status("/healthz"); err != nil || status != http.StatusOK {
		return fmt.Errorf("/healthz while stopping: %d, %v", status, err)
	}
	status, body, err := u.finish()
	if err != nil || status != http.StatusOK {
		return fmt.Errorf("the request that was under way: %d, %v", status, err)
	}
	if text, failed := readTool(p.t, body); failed != "" {
		return fmt.Errorf("the request that was under way: %s", text)
	}
	if exit := p.Wait(p.t); exit != 0 || strings.Contains(p.Log.String(), "cuts off") {
		return fmt.Errorf("exit %d: %s", exit, p.Log)
	}
	return nil
}

// status returns the status of a page of a server that may end meanwhile.
func (p *process) status(path string) (int, error) {
	r, err := http.NewRequest("GET", p.url+path, nil)
	if err != nil {
		return 0, err
	}
	r.Close = true
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}

func TestStop_IdleConnectionsDoNotDelayIt(t *testing.T) {
	t.Parallel()
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		s := onSQLite(t).serve(nil)
		client := &http.Client{}
		response, err := client.Get(s.url + "/healthz") // kept alive
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
		silent, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer silent.Close()
		if err := s.Signal(signal); err != nil {
			t.Fatal(err)
		}
		// The connections are still open here, and the server did not wait until its time to stop was over.
		if exit := s.Wait(t); exit != 0 || strings.Contains(s.Log.String(), "cuts off") {
			t.Errorf("exit %d: %s", exit, s.Log)
		}
	}
}

func TestStop_DataOutlivesIt(t *testing.T) {
	t.Parallel()
	pl := onSQLite(t)
	pl.mustApply(acme)
	token := pl.token("acme")
	s := pl.serve(nil)
	booked := s.mustBook(token, "intro", slotIn(2))
	s.Kill() // without a signal to shut down first
	s = pl.serve(nil)
	if text, failed := s.call(token, "create_booking", bookingOf("intro", slotIn(2))); failed != "slot_unavailable" {
		t.Error(text)
	}
	text, failed := s.call(token, "cancel_booking", fmt.Sprintf(`{"booking_id":%q}`, booked["booking_id"]))
	if failed != "" {
		t.Error(text)
	}
}
