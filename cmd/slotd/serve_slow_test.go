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

const slowHeader = "X-Slow: 1\r\n"

func TestSlow_HeadersAreCut(t *testing.T) {
	if testing.Short() {
		t.Skip("waits five seconds")
	}
	t.Parallel()
	s := onSQLite(t).serve(nil)
	begin := func() net.Conn {
		conn := s.dial()
		fmt.Fprint(conn, "POST /api/mcp HTTP/1.1\r\nHost: x\r\n")
		return conn
	}
	// The same headers, completed, are a request. A busy machine may need more than one attempt.
	await.True(t, "an answer to a request with slow headers", func() bool {
		conn := begin()
		defer conn.Close()
		writeSlowly(conn, slowHeader)
		fmt.Fprintf(conn, "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(ping), ping)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		return err == nil && response.StatusCode == http.StatusOK
	})
	conn := begin()
	stop := drip(conn, slowHeader)
	defer stop()
	wantCut(t, conn, bufio.NewReader(conn))
	s.awaitOK("GET", "/healthz")
}

func TestSlow_BodiesAreCut(t *testing.T) {
	if testing.Short() {
		t.Skip("waits ten seconds")
	}
	t.Parallel()
	s := onSQLite(t).serve(nil)
	await.True(t, "an answer to a request with a slow body", func() bool {
		u, err := s.begin(ping, "")
		if err != nil {
			return false
		}
		defer u.conn.Close()
		writeSlowly(u.conn, ping[:1], ping[1:2])
		u.rest = ping[2:]
		status, _, err := u.finish()
		return err == nil && status == http.StatusOK
	})
	var cut *slowRequest
	await.True(t, "the server reads the body", func() (ok bool) {
		var err error
		cut, err = s.begin(strings.Repeat(" ", 60_000), "")
		return err == nil
	})
	stop := drip(cut.conn, " ")
	defer stop()
	wantCut(t, cut.conn, cut.in)
	s.awaitOK("GET", "/healthz")
}

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

func (p *process) dial() net.Conn {
	p.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(await.Patience))
	return conn
}

// dripEvery is the pause between two parts of a slow request.
const dripEvery = 300 * time.Millisecond

// writeSlowly pauses after each part, so that the server reads it on its own.
func writeSlowly(conn net.Conn, parts ...string) {
	for _, part := range parts {
		io.WriteString(conn, part)
		time.Sleep(dripEvery)
	}
}

// drip keeps writing, so that only a deadline for the whole request ends it.
func drip(conn net.Conn, text string) (stop func()) {
	tick, done := time.NewTicker(dripEvery), make(chan struct{})
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
func wantCut(t *testing.T, conn net.Conn, in *bufio.Reader) {
	t.Helper()
	conn.SetReadDeadline(time.Now().Add(await.Patience))
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
