package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"slotd/internal/server"
)

// slowRequest is a request whose body the server waits for.
type slowRequest struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
	rest string
}

func (p *process) begin(t *testing.T, body string, header string) *slowRequest {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(waitTimeout))
	fmt.Fprintf(conn, "POST /api/mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "+
		"%d\r\nExpect: 100-continue\r\n%s\r\n", len(body), header)
	u := &slowRequest{t: t, conn: conn, in: bufio.NewReader(conn), rest: body}
	// The server sends 100 when the handler reads the body.
	if line, err := u.in.ReadString('\n'); err != nil || !strings.Contains(line, "100") {
		t.Fatalf("%q, %v", line, err)
	}
	u.in.ReadString('\n')
	return u
}

func (u *slowRequest) finish() (status int, body string) {
	u.t.Helper()
	io.WriteString(u.conn, u.rest)
	response, err := http.ReadResponse(u.in, nil)
	if err != nil {
		u.t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		u.t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func TestStop_ReadyzTurns503AtOnceAndWhatIsUnderWayFinishes(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		token := pl.token("acme")
		s := pl.serve(nil)
		u := s.begin(t, toolCall("create_booking", bookingOf("intro", slotIn(2))),
			"Authorization: Bearer "+token+"\r\n")
		s.terminate()
		began := time.Now()
		waitFor(t, "/readyz says 503", func() bool {
			status, _, _ := s.ask("GET", "/readyz", "")
			return status == http.StatusServiceUnavailable
		})
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("/readyz turned 503 after %v", took)
		}
		if status, _, _ := s.ask("GET", "/healthz", ""); status != 200 {
			t.Errorf("/healthz while stopping: %d", status)
		}
		// Longer than the server drains at least.
		for time.Since(began) < server.MinDrain+500*time.Millisecond {
			if status, _, _ := s.ask("GET", "/readyz", ""); status != http.StatusServiceUnavailable {
				t.Fatalf("/readyz while a request is under way: %d", status)
			}
			time.Sleep(20 * time.Millisecond)
		}
		status, body := u.finish()
		if text, failed := readTool(t, body); status != 200 || failed != "" {
			t.Errorf("the request that was under way: %d %s", status, text)
		}
		if exit := s.wait(); exit != 0 {
			t.Errorf("exit %d: %s", exit, s.err)
		}
		if n := pl.rows("SELECT CAST(COUNT(*) AS TEXT) FROM bookings"); n[0] != "1" {
			t.Errorf("%s bookings", n[0])
		}
	})
}

func TestStop_IdleConnectionsDoNotDelayIt(t *testing.T) {
	t.Parallel()
	for _, signal := range []os.Signal{os.Interrupt, os.Signal(nil)} {
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
		began := time.Now()
		if signal != nil {
			s.cmd.Process.Signal(signal)
		} else {
			s.terminate()
		}
		if exit := s.wait(); exit != 0 || time.Since(began) > 6*time.Second {
			t.Errorf("exit %d after %v: %s", exit, time.Since(began), s.err)
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
	s.cmd.Process.Kill() // without a signal to shut down first
	s.wait()
	s = pl.serve(nil)
	if text, failed := s.call(token, "create_booking", bookingOf("intro", slotIn(2))); failed != "slot_unavailable" {
		t.Error(text)
	}
	text, failed := s.call(token, "cancel_booking", fmt.Sprintf(`{"booking_id":%q}`, booked["booking_id"]))
	if failed != "" {
		t.Error(text)
	}
}
