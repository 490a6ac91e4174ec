// Package bridge lets an MCP host that only runs local servers reach the endpoint: standard input and output to HTTP.
//
// It decides which headers a message travels with, what is sent again, and what the host reads when no proper answer
// came back: every request gets exactly one answer, under its own id. It never judges a method or an argument, which
// is the server's part, and never lets a credential travel in the clear or to another server than the one named.
package bridge

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// maxInFlight bounds the requests under way. Input waits beyond it, so a host that floods us slows itself down.
const maxInFlight = 16

// Options say where to forward and as whom.
type Options struct {
	URL     string   // the endpoint, such as https://book.example/api/mcp
	Headers []string // 'Name: value' each; they win over everything derived
	Token   string   // sent as a bearer token; may be empty
	In      io.Reader
	Out     io.Writer
	Log     io.Writer
}

// Run forwards until its input ends and everything in flight is answered, then returns nil. Canceling ctx stops it at
// once with the context's error; a read of In or a write to Out that is blocked at that moment is left behind.
func Run(ctx context.Context, o Options) error {
	b, err := newBridge(o)
	if err != nil {
		return err
	}
	return b.run(ctx)
}

type bridge struct {
	endpoint  *url.URL
	fixed     http.Header // sent with every message, whatever the message says
	secrets   []string    // never shown, not even when a server sends them back
	transport http.RoundTripper
	pause     func(context.Context, time.Duration) error
	log       *slog.Logger

	in      io.Reader
	out     io.Writer
	answers chan []byte
	places  chan struct{}
	tasks   sync.WaitGroup

	version string // what initialize agreed on; only the goroutine that takes lines touches it
}

func newBridge(o Options) (*bridge, error) {
	endpoint, err := parseEndpoint(o.URL)
	if err != nil {
		return nil, err
	}
	fixed, err := fixedHeader(o.Headers, o.Token)
	if err != nil {
		return nil, err
	}
	secret := confidential(fixed, o.Token)
	if secret && !private(endpoint) {
		return nil, fmt.Errorf("--url %s is plain http to another machine, where anyone on the way could read the "+
			"token: use https, or leave out SLOTD_TOKEN and the header", shown(endpoint))
	}
	return &bridge{
		endpoint:  endpoint,
		fixed:     fixed,
		secrets:   secretsOf(fixed, o.Token),
		transport: newTransport(endpoint, secret),
		pause:     pause,
		log:       slog.New(slog.NewTextHandler(o.Log, nil)),
		in:        o.In,
		out:       o.Out,
		answers:   make(chan []byte),
		places:    make(chan struct{}, maxInFlight),
	}, nil
}

func (b *bridge) run(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	written := b.writeAnswers(ctx, stop)

	err := b.takeLines(ctx, readLines(ctx, b.in))
	b.tasks.Wait()
	close(b.answers)
	select {
	case <-written:
	case <-ctx.Done():
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// writeAnswers is the only writer to Out, so lines never mix. A host that no longer reads ends the run.
func (b *bridge) writeAnswers(ctx context.Context, stop context.CancelCauseFunc) (written <-chan struct{}) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for answer := range b.answers {
			if ctx.Err() != nil {
				return
			}
			if _, err := b.out.Write(append(answer, '\n')); err != nil {
				stop(fmt.Errorf("write answer: %w", err))
				return
			}
		}
	}()
	return done
}
