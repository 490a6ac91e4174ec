package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"slotd/test/await"
)

func TestSlow_HeadersAreCut(t *testing.T) {
	if testing.Short() {
		t.Skip("waits five seconds")
	}
	t.Parallel()
	s := onSQLite(t).serve(nil)
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "POST /api/mcp HTTP/1.1\r\nHost: x\r\n")
	stop := drip(conn, "X-Slow: 1\r\n")
	defer stop()
	wantCut(t, conn)
}

func TestSlow_BodiesAreCut(t *testing.T) {
	if testing.Short() {
		t.Skip("waits ten seconds")
	}
	t.Parallel()
	s := onSQLite(t).serve(nil)
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "POST /api/mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "+
		"60000\r\n\r\n{")
	stop := drip(conn, " ")
	defer stop()
	wantCut(t, conn)
}

// drip keeps writing, so that only a deadline for the whole request ends it.
func drip(conn net.Conn, text string) (stop func()) {
	tick, done := time.NewTicker(300*time.Millisecond), make(chan struct{})
	go func() {
		for {
			select {
			case <-tick.C:
				io.WriteString(conn, text)
			case <-done:
				return
			}
		}
	}()
	return func() {
		tick.Stop()
		close(done)
	}
}

// wantCut reads until the server closes the connection. A response before that must be a 4xx.
func wantCut(t *testing.T, conn net.Conn) {
	t.Helper()
	conn.SetReadDeadline(time.Now().Add(await.Patience))
	in := bufio.NewReader(conn)
	if _, err := in.Peek(1); err == nil {
		response, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if response.StatusCode < 400 || response.StatusCode >= 500 {
			t.Errorf("status %d", response.StatusCode)
		}
		io.Copy(io.Discard, response.Body)
		_, err = in.ReadByte()
		if e, ok := err.(net.Error); err == nil || ok && e.Timeout() {
			t.Errorf("not hung up: %v", err)
		}
	} else if e, ok := err.(net.Error); ok && e.Timeout() {
		t.Fatalf("not cut within %v", await.Patience)
	}
}
