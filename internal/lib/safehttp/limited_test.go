package safehttp

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// raw starts a server that responds to every connection with exactly these bytes.
func raw(t *testing.T, response string) (address string) {
	t.Helper()
	return listen(t, func(conn net.Conn) { readAndSend(conn, response) })
}

func readAndSend(conn net.Conn, response string) *http.Request {
	r, _ := http.ReadRequest(bufio.NewReader(conn))
	_, _ = io.WriteString(conn, response)
	return r
}

func listen(t *testing.T, serve func(net.Conn)) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			serve(conn)
			conn.Close()
		}
	}()
	return "http://" + l.Addr().String()
}

func bodyOf(t *testing.T, c *Client, r *http.Request) (int64, error) {
	t.Helper()
	resp, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return io.Copy(io.Discard, resp.Body)
}

func TestDo_EndsABodyAtTheLimit(t *testing.T) {
	send := func(size int64) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.CopyN(w, zeros{}, size) }
	}
	if n, err := bodyOf(t, New(loopback), request(t, serve(t, send(MaxBody)).URL)); err != nil || n != MaxBody {
		t.Errorf("as much as allowed: %d, %v", n, err)
	}
	if n, err := bodyOf(t, New(loopback), request(t, serve(t, send(MaxBody+1)).URL)); !errors.Is(err, ErrTooLarge) ||
		n > MaxBody {
		t.Errorf("one byte more: %d, %v", n, err)
	}
}

func TestDo_EndsAGzipBombAtTheLimit(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		packed, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
		_, _ = io.CopyN(packed, zeros{}, MaxBody+1)
		packed.Close()
	})
	resp, err := New(loopback).HTTP().Do(request(t, s.URL))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	n, err := io.Copy(io.Discard, resp.Body)
	if !errors.Is(err, ErrTooLarge) || n > MaxBody {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := resp.Body.Read(make([]byte, 1)); n != 0 || !errors.Is(err, ErrTooLarge) {
		t.Errorf("after the end: %d, %v", n, err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func isFailure(t *testing.T, err error, says string) {
	t.Helper()
	var failure *Failure
	if !errors.As(err, &failure) || !strings.Contains(failure.Error(), says) {
		t.Errorf("%v", err)
	}
}

func TestDo_RefusesLargeHeaders(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("ETag", strings.Repeat("x", 70<<10)) })
	isFailure(t, fails(t, New(loopback), request(t, s.URL)), "")
}

func TestDo_EndsWithItsContext(t *testing.T) {
	arrived := make(chan struct{})
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-arrived
		cancel()
	}()
	err := fails(t, New(loopback), request(t, s.URL).WithContext(ctx))
	isFailure(t, err, "was canceled")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the caller cannot tell: %v", err)
	}
}

// piped returns a client whose connections are pipes to serve, so that it works in a synctest bubble.
func piped(serve func(net.Conn)) *Client {
	c := New(loopback)
	transport := c.http.Transport.(limited).next.(*http.Transport)
	transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go func() {
			defer server.Close()
			serve(server)
		}()
		return client, nil
	}
	return c
}

func TestDo_WaitsForNoSlowHeaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := piped(func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) })
		began := time.Now()
		isFailure(t, fails(t, c, request(t, "http://slow.example")), "didn't respond in time")
		if took := time.Since(began); took != headerTimeout {
			t.Errorf("headers may take %s", took)
		}
	})
}

func TestDo_WaitsForNoSlowBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := piped(func(conn net.Conn) {
			readAndSend(conn, "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
			for { // byte by byte, so that no pause is long
				if _, err := io.WriteString(conn, "x"); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		})
		began := time.Now()
		var timeout net.Error
		if _, err := bodyOf(t, c, request(t, "http://slow.example")); !errors.As(err, &timeout) || !timeout.Timeout() {
			t.Error(err)
		}
		if took := time.Since(began); took != requestTimeout {
			t.Errorf("an answer may take %s", took)
		}
		time.Sleep(2 * time.Second) // the server notices that nobody reads
	})
}

func TestDo_ShowsNothingOfARequestThatIsSentBack(t *testing.T) {
	echo := listen(t, func(conn net.Conn) { _, _ = io.CopyN(conn, conn, 60) })
	isFailure(t, fails(t, New(loopback), request(t, echo)), "didn't answer with HTTP")
	if _, err := New(loopback).HTTP().Do(request(t, echo)); !strings.Contains(err.Error(), hidden) {
		t.Error("the server does not send it back: this test shows nothing")
	}
}

func TestDo_SaysWhatIsWrong(t *testing.T) {
	down := serve(t, answerOK)
	down.Close()
	isFailure(t, fails(t, New(loopback), request(t, down.URL)), "Can't connect")

	untrusted := httptest.NewTLSServer(http.HandlerFunc(answerOK))
	t.Cleanup(untrusted.Close)
	isFailure(t, fails(t, New(loopback), request(t, untrusted.URL)), "unknown authority")

	nobody := named(t, loopback, always())
	isFailure(t, fails(t, nobody, request(t, "http://nobody.example")), "doesn't exist")
	isFailure(t, fails(t, New(loopback), request(t, raw(t, ""))), "closed the connection")
}
