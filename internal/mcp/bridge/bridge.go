// Package bridge connects an MCP host that can only run local servers to the endpoint: standard input and output to
// HTTP.
//
// It decides which headers a message is sent with, what is retried, and what the host reads when no proper answer
// came back: every request gets exactly one answer, under its own id. It never judges a method or an argument, which
// is the server's job. It never sends a credential in the clear or to a server other than the configured one.
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

// maxInFlight bounds the requests in flight. Beyond it the bridge stops reading input, so a host that floods it slows
// itself down.
const maxInFlight = 16

// Options configure where to forward messages and with which credentials.
type Options struct {
	URL     string   // the endpoint, such as https://book.example/api/mcp
	Headers []string // each 'Name: value'; they override all derived headers
	Token   string   // sent as a bearer token; may be empty
	In      io.Reader
	Out     io.Writer
	Log     io.Writer
}

// Run forwards messages until its input ends and everything in flight is answered, then returns nil. Canceling ctx
// stops it at once with the context's error; a read of In or a write to Out that is blocked at that moment is
// abandoned.
func Run(ctx context.Context, o Options) error {
	b, err := newBridge(o)
	if err != nil {
		return err
	}
	return b.run(ctx)
}

type bridge struct {
	endpoint  *url.URL
	fixed     http.Header // sent with every message, overriding the message's own headers
	secrets   []string    // never shown, even if a server echoes them
	transport http.RoundTripper
	pause     func(context.Context, time.Duration) error
	log       *slog.Logger

	in       io.Reader
	out      io.Writer
	answers  chan []byte
	inFlight chan struct{}
	tasks    sync.WaitGroup

	version string // agreed on by initialize; used only by the goroutine that handles lines
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
	secret := hasSecret(fixed, o.Token)
	if secret && !isPrivate(endpoint) {
		return nil, fmt.Errorf("--url %s is plain http to another machine, where anyone on the way could read the "+
			"token: use https, or leave out SLOTD_TOKEN and the header", displayURL(endpoint))
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
		inFlight:  make(chan struct{}, maxInFlight),
	}, nil
}

func (b *bridge) run(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	written := b.writeAnswers(ctx, stop)

	err := b.handleLines(ctx, readLines(ctx, b.in))
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

// writeAnswers is the only writer to Out, so lines never interleave. If the host no longer reads, the run ends.
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
