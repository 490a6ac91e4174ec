package server

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// These tests run in synctest bubbles: time passes only when client and server both wait, so it is exact.

// pipes is a listener for connections that are pipes.
type pipes struct {
	connections chan net.Conn
	closed      chan struct{}
}

func newPipes() *pipes { return &pipes{make(chan net.Conn), make(chan struct{})} }

func (p *pipes) dial() net.Conn {
	client, server := net.Pipe()
	p.connections <- server
	return client
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.connections:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	select {
	case <-p.closed:
	default:
		close(p.closed)
	}
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// testServer is a server without a database, routes or jobs.
func testServer() *Server {
	return &Server{Config: Config{Now: time.Now, Log: slog.New(slog.DiscardHandler)}}
}

// serving starts a server with one route, and stops it when the test ends.
func serving(t *testing.T, handler http.HandlerFunc) *pipes {
	l := newPipes()
	srv := testServer().newHTTPServer(handler)
	go srv.Serve(l)
	t.Cleanup(func() { srv.Close() })
	return l
}

// drip writes the text each second until the connection is closed.
func drip(conn net.Conn, text string) {
	for {
		time.Sleep(time.Second)
		if _, err := io.WriteString(conn, text); err != nil {
			return
		}
	}
}

func TestLimits_SlowRequestsAreCut(t *testing.T) {
	for name, c := range map[string]struct {
		begin, drip string
		after       time.Duration
	}{
		"silent":          {"", "", 5 * time.Second},
		"half the header": {"POST / HTTP/1.1\r\nHost: x\r\n", "", 5 * time.Second},
		"slow headers":    {"POST / HTTP/1.1\r\nHost: x\r\n", "X-Slow: 1\r\n", 5 * time.Second},
		"half the body":   {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n{", "", 10 * time.Second},
		"a slow body":     {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n{", " ", 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := serving(t, func(w http.ResponseWriter, r *http.Request) {
					if _, err := io.Copy(io.Discard, r.Body); err == nil {
						t.Error("the request was read to its end")
					}
				})
				conn := l.dial()
				var writer sync.WaitGroup
				defer writer.Wait()
				defer conn.Close()
				began := time.Now()
				writer.Go(func() {
					io.WriteString(conn, c.begin)
					if c.drip != "" {
						drip(conn, c.drip)
					}
				})
				in := bufio.NewReader(conn)
				if _, err := in.Peek(1); err != nil && err != io.EOF {
					t.Error(err)
				}
				if took := time.Since(began); took != c.after {
					t.Errorf("cut after %v, want %v", took, c.after)
				}
				io.Copy(io.Discard, in) // ends when the server hangs up
			})
		})
	}
}

// A request that needs almost as long as it may is answered.
func TestLimits_SlowRequestsInTimeAreAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := serving(t, func(w http.ResponseWriter, r *http.Request) {
			if body, err := io.ReadAll(r.Body); string(body) != "{}" {
				t.Errorf("read %q, %v", body, err)
			}
		})
		conn := l.dial()
		defer conn.Close()
		go func() {
			io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n")
			time.Sleep(headerTimeout - time.Millisecond)
			io.WriteString(conn, "\r\n{")
			time.Sleep(BodyTimeout - headerTimeout)
			io.WriteString(conn, "}")
		}()
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || response.StatusCode != http.StatusOK {
			t.Errorf("got %v, %v", response, err)
		}
	})
}

func TestLimits_LargeHeadersAreRefused(t *testing.T) {
	for size, want := range map[int]int{30 << 10: http.StatusOK, 40 << 10: http.StatusRequestHeaderFieldsTooLarge} {
		synctest.Test(t, func(t *testing.T) {
			conn := serving(t, func(http.ResponseWriter, *http.Request) {}).dial()
			defer conn.Close()
			go io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\nX: "+strings.Repeat("x", size)+"\r\n\r\n")
			in := bufio.NewReader(conn)
			response, err := http.ReadResponse(in, nil)
			if err != nil || response.StatusCode != want {
				t.Errorf("%d bytes: %v, %v", size, response, err)
			}
			io.Copy(io.Discard, in) // ends when the server hangs up
		})
	}
}

func TestLimits_IdleConnectionsAreClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn := serving(t, func(http.ResponseWriter, *http.Request) {}).dial()
		defer conn.Close()
		go io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		began := time.Now()
		text, err := io.ReadAll(conn)
		if took := time.Since(began); took != 60*time.Second || !strings.HasPrefix(string(text), "HTTP/1.1 200") {
			t.Errorf("closed after %v: %s, %v", took, text, err)
		}
	})
}

func TestLimits_LongAnswersAreCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cut := make(chan time.Time, 1)
		conn := serving(t, func(w http.ResponseWriter, _ *http.Request) {
			for err := error(nil); err == nil; { // a pipe has no buffer: each write waits for its reader
				_, err = w.Write(make([]byte, 64<<10))
			}
			cut <- time.Now()
		}).dial()
		defer conn.Close()
		began := time.Now()
		io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		if took := (<-cut).Sub(began); took != 60*time.Second { // and reads nothing meanwhile
			t.Errorf("cut after %v", took)
		}
	})
}

func TestDrain_WaitsForRequestsAndJobs(t *testing.T) {
	const never = time.Hour
	for name, c := range map[string]struct{ request, jobs, want time.Duration }{
		"nothing is in progress": {0, 0, time.Second},
		"a request":              {7 * time.Second, 0, 7 * time.Second},
		"a job":                  {0, 8 * time.Second, 8 * time.Second},
		"both":                   {9 * time.Second, 8 * time.Second, 9 * time.Second},
		"a request without end":  {never, 0, 25 * time.Second},
		"a job without end":      {0, never, 25 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, jobsDone := testServer(), make(chan struct{})
				s.state.active.Store(1)
				time.AfterFunc(c.request, func() { s.state.active.Add(-1) })
				time.AfterFunc(c.jobs, func() { close(jobsDone) })
				began := time.Now()
				s.drain(began, jobsDone)
				// The last look is at most 20 ms late.
				if took := time.Since(began); took < c.want || took > c.want+20*time.Millisecond {
					t.Errorf("took %v, want %v", took, c.want)
				}
				if !s.state.draining.Load() {
					t.Error("load balancers are not told")
				}
			})
		})
	}
}

// The server has 25 seconds to finish, and a second for connections. systemd kills it after 30.
func TestServe_CutsOffARequestWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, began, hang := newPipes(), make(chan struct{}), make(chan struct{})
		defer close(hang)
		ctx, stop := context.WithCancel(t.Context())
		stopped := make(chan error)
		go func() {
			stopped <- testServer().serve(ctx, l, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
				close(began)
				<-hang
			}))
		}()
		conn := l.dial()
		defer conn.Close()
		go io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		<-began
		asked := time.Now()
		stop()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
		if took := time.Since(asked); took != 26*time.Second {
			t.Errorf("stopped after %v", took)
		}
		if _, err := conn.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("the connection is not closed: %v", err)
		}
	})
}

func TestServe_StopsSoonWithoutRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		stop()
		began := time.Now()
		if err := testServer().serve(ctx, newPipes(), http.NotFoundHandler()); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != MinDrain {
			t.Errorf("stopped after %v", took)
		}
	})
}
