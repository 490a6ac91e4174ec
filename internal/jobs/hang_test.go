package jobs

import (
	"context"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"slotd/internal/store"
	"slotd/internal/store/testdb"
	"slotd/test/await"
)

// A hanging database, which is worse than an unreachable one, does not keep a runner from stopping. A write may time out
// before it has reached the database: then this proves nothing, and is tried again with more time.
func TestRun_EndsAlthoughTheDatabaseHangs(t *testing.T) {
	timeout := time.Millisecond
	await.True(t, "a write to the database that hangs", func() bool {
		reached := runFrozen(t, timeout)
		timeout *= 4
		return reached
	})
}

// runFrozen runs a job whose database hangs when its result is to be written. reached reports whether the write got
// there.
func runFrozen(t *testing.T, timeout time.Duration) (reached bool) {
	t.Helper()
	w := onPostgres(t)
	proxy := startProxy(t, w.target)
	var r *Runner
	r = w.runnerOn(testdb.Open(t, proxy.target),
		func(ctx context.Context, j *Job) (func(context.Context, *store.Tx) error, error) {
			proxy.freeze()
			r.writeTimeout = timeout // only now: the claim took as long as it had to
			return nil, nil
		})
	w.enqueue(w.job("a"))
	ctx, stop := context.WithCancel(background)
	ran := make(chan struct{})
	go func() {
		defer close(ran)
		r.Run(ctx, background)
	}()
	await.Signal(t, "the database hangs", proxy.frozen)
	stop()
	await.Signal(t, "the runner ends although the database hangs", ran)
	if e := w.only(); e.ID != "a" {
		t.Errorf("left: %+v", e)
	}
	return proxy.swallowed.Load() > 0
}

// proxy forwards connections to a database until it is frozen.
type proxy struct {
	target    string
	frozen    chan struct{}
	once      sync.Once
	swallowed atomic.Int64 // bytes that were sent to the frozen database
}

func (p *proxy) freeze() { p.once.Do(func() { close(p.frozen) }) }

func startProxy(t *testing.T, target string) *proxy {
	t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{frozen: make(chan struct{})}
	ended := make(chan struct{})
	t.Cleanup(func() { close(ended); l.Close() })
	go p.serve(l, u.Host, ended)
	u.Host = l.Addr().String()
	p.target = u.String()
	return p
}

func (p *proxy) serve(l net.Listener, to string, ended <-chan struct{}) {
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", to)
		if err != nil {
			client.Close()
			continue
		}
		go p.pass(client, server, &p.swallowed, ended)
		go p.pass(server, client, new(atomic.Int64), ended)
	}
}

func (p *proxy) pass(from, to net.Conn, swallowed *atomic.Int64, ended <-chan struct{}) {
	defer to.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		select {
		case <-p.frozen:
			swallowed.Add(int64(n))
			<-ended
			return
		default:
		}
		if err == nil {
			_, err = to.Write(buffer[:n])
		}
		if err != nil {
			return
		}
	}
}
