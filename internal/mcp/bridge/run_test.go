package bridge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
)

func TestRun_ForwardsEachLineUntouchedAndEndsWithItsInput(t *testing.T) {
	s := serve(t, echo)
	var out, log strings.Builder
	in := "{\"jsonrpc\":\"2.0\", \"id\":1,\"method\":\"ping\" }\r\n\n  \n"
	err := Run(t.Context(), Options{URL: s.URL, In: strings.NewReader(in), Out: &out, Log: &log})
	if err != nil || out.String() != `{"jsonrpc":"2.0","id":1,"result":{}}`+"\n" || log.String() != "" {
		t.Fatalf("Run = %v, out %q, log %q", err, &out, &log)
	}
	if got := s.requests(); len(got) != 1 || got[0].body != `{"jsonrpc":"2.0", "id":1,"method":"ping" }` {
		t.Errorf("the server got %q", got)
	}
}

func TestRun_TakesALastLineWithoutItsNewline(t *testing.T) {
	s := serve(t, echo)
	var out strings.Builder
	err := Run(t.Context(), Options{URL: s.URL, In: strings.NewReader(`{"id":1,"method":"ping"}`), Out: &out,
		Log: io.Discard})
	if err != nil || !strings.Contains(out.String(), `"id":1,"result"`) {
		t.Fatalf("Run = %v, out %q", err, &out)
	}
}

func TestRun_EmptyInputEndsAtOnce(t *testing.T) {
	err := Run(t.Context(), Options{URL: "http://127.0.0.1:1", In: strings.NewReader(""), Out: io.Discard,
		Log: io.Discard})
	if err != nil {
		t.Fatalf("Run = %v", err)
	}
}

func TestRace_ManyRequestsAreInFlightTogether(t *testing.T) {
	const together = 8 // more than one, whatever the limit
	var all sync.WaitGroup
	all.Add(together)
	s := serve(t, func(n int, w http.ResponseWriter, body string) {
		all.Done()
		all.Wait() // no request is answered before all have arrived
		echo(n, w, body)
	})
	h := start(t, Options{URL: s.URL})
	for i := range together {
		h.send(fmt.Sprintf(`{"id":%d,"method":"ping"}`, i))
	}
	got := map[string]bool{}
	for range together {
		got[h.read()] = true
	}
	if len(got) != together {
		t.Errorf("%d different answers, want %d: %v", len(got), together, got)
	}
	h.end()
}

// blockingTransport is a transport whose answers wait for release.
type blockingTransport struct {
	mu      sync.Mutex
	arrived int
	release chan struct{}
}

func (h *blockingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	h.mu.Lock()
	h.arrived++
	h.mu.Unlock()
	select {
	case <-h.release:
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	return &http.Response{StatusCode: 200,
		Body: io.NopCloser(strings.NewReader(`{"jsonrpc":"2.0","id":1,"result":{}}`))}, nil
}

func TestRace_NeverMoreInFlightThanTheBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &blockingTransport{release: make(chan struct{})}
		h := start(t, Options{URL: "http://127.0.0.1:1"}, func(b *bridge) { b.transport = server })
		const lines = 3 * maxInFlight
		go io.WriteString(h.in, strings.Repeat(`{"id":1,"method":"ping"}`+"\n", lines))
		synctest.Wait()
		if server.arrived != maxInFlight {
			t.Errorf("%d requests under way, want %d", server.arrived, maxInFlight)
		}
		close(server.release)
		for range lines {
			h.want(`{"jsonrpc":"2.0","id":1,"result":{}}`)
		}
		h.end()
	})
}

func TestRun_InputThatEndsWaitsForWhatIsInFlight(t *testing.T) {
	arrived, release := make(chan struct{}), make(chan struct{})
	s := serve(t, func(n int, w http.ResponseWriter, body string) {
		close(arrived)
		<-release
		echo(n, w, body)
	})
	h := start(t, Options{URL: s.URL})
	h.send(`{"id":"last","method":"ping"}`)
	<-arrived
	h.in.Close()
	select {
	case err := <-h.ended:
		t.Fatalf("ended before its answer came: %v", err)
	default:
	}
	close(release)
	h.want(`{"jsonrpc":"2.0","id":"last","result":{}}`)
	h.end()
}

func TestRun_CancelStopsWhatIsInFlightAndSaysNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &blockingTransport{release: make(chan struct{})}
		h := start(t, Options{URL: "http://127.0.0.1:1"}, func(b *bridge) { b.transport = server })
		h.send(`{"id":1,"method":"initialize"}`) // the bridge waits for this one
		synctest.Wait()
		h.cancel()
		if err := <-h.ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Run = %v, want context.Canceled", err)
		}
		if rest, _ := io.ReadAll(h.out); len(rest) > 0 {
			t.Errorf("output after the end: %s", rest)
		}
		if h.log.Len() > 0 {
			t.Errorf("stopping is logged as a failure: %s", h.log)
		}
	})
}

func TestRun_CancelStopsThoughNobodyReadsTheOutput(t *testing.T) {
	s := serve(t, echo)
	h := start(t, Options{URL: s.URL})
	h.send(strings.TrimSpace(strings.Repeat(`{"id":1,"method":"ping"}`+"\n", 3*maxInFlight)))
	h.read()
	h.cancel()
	if err := <-h.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v, want context.Canceled", err)
	}
}

func TestRun_AHostThatNoLongerReadsEndsIt(t *testing.T) {
	s := serve(t, echo)
	inR, inW := io.Pipe() // never ends on its own
	outR, outW := io.Pipe()
	outR.Close()
	go io.WriteString(inW, `{"id":1,"method":"ping"}`+"\n")
	err := Run(t.Context(), Options{URL: s.URL, In: inR, Out: outW, Log: io.Discard})
	if !errors.Is(err, io.ErrClosedPipe) || !strings.HasPrefix(err.Error(), "write answer: ") {
		t.Errorf("Run = %v, want a write error", err)
	}
}

func TestRun_InputThatBreaksIsAnErrorAfterTheAnswers(t *testing.T) {
	s := serve(t, echo)
	var out strings.Builder
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader("{\"id\":1,\"method\":\"ping\"}\n{\"id\":2,"), iotest.ErrReader(broken))
	err := Run(t.Context(), Options{URL: s.URL, In: in, Out: &out, Log: io.Discard})
	if !errors.Is(err, broken) || out.String() != `{"jsonrpc":"2.0","id":1,"result":{}}`+"\n" {
		t.Errorf("Run = %v, out %q", err, &out)
	}
}
