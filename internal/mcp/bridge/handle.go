package bridge

import (
	"context"
	"fmt"
	"io"
	"net/http"
)

func (b *bridge) handleLines(ctx context.Context, lines <-chan line) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case l := <-lines:
			if l.err != nil && l.err != io.EOF {
				return fmt.Errorf("read input: %w", l.err)
			}
			b.handleLine(ctx, l)
			if l.err == io.EOF {
				return nil
			}
		}
	}
}

// handleLine starts the work for one line. It waits only for initialize, because later messages need the version it
// agrees on.
func (b *bridge) handleLine(ctx context.Context, l line) {
	if l.blank() {
		return
	}
	m, refused := l.message()
	if refused != nil {
		b.start(ctx, func() []byte { return errorLine(noID, refused.code, refused.text) })
		return
	}
	header := b.header(m)
	answered := b.start(ctx, func() []byte { return b.exchange(ctx, m, header) })
	if m.method != "initialize" {
		return
	}
	select {
	case answer := <-answered:
		b.rememberVersion(answer)
	case <-ctx.Done():
	}
}

// start runs work once fewer than maxInFlight are running, and sends the answer that it returns, if any, to Out.
func (b *bridge) start(ctx context.Context, work func() []byte) <-chan []byte {
	answered := make(chan []byte, 1)
	select {
	case b.inFlight <- struct{}{}:
	case <-ctx.Done():
		return answered
	}
	b.tasks.Go(func() {
		defer func() { <-b.inFlight }()
		answer := work()
		answered <- answer
		if answer == nil {
			return
		}
		select {
		case b.answers <- answer:
		case <-ctx.Done():
		}
	})
	return answered
}

// exchange sends one message and returns the line for the host: nil for a notification, or if the bridge is stopping.
func (b *bridge) exchange(ctx context.Context, m message, header http.Header) []byte {
	answer, problem := b.ask(ctx, m, header)
	if problem == "" || ctx.Err() != nil {
		return answer
	}
	problem = b.scrub(problem)
	b.log.Warn("message not answered", "method", b.quote(m.method, 100), "reason", problem)
	if !m.wantsAnswer {
		return nil
	}
	return errorLine(m.id, codeInternal, problem)
}

func (b *bridge) ask(ctx context.Context, m message, header http.Header) (answer []byte, problem string) {
	r, err := b.post(ctx, m.text, header)
	if err != nil {
		return nil, b.unreachable(err)
	}
	return b.answer(m, r)
}
