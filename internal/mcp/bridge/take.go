package bridge

import (
	"context"
	"fmt"
	"io"
	"net/http"
)

func (b *bridge) takeLines(ctx context.Context, lines <-chan line) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case l := <-lines:
			if l.err != nil && l.err != io.EOF {
				return fmt.Errorf("read input: %w", l.err)
			}
			b.take(ctx, l)
			if l.err == io.EOF {
				return nil
			}
		}
	}
}

// take starts the work for one line. Only initialize is waited for: the version it agrees on belongs on what follows.
func (b *bridge) take(ctx context.Context, l line) {
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
		b.remember(answer)
	case <-ctx.Done():
	}
}

// start runs work once there is a place for it, and puts what it returns, if anything, on Out.
func (b *bridge) start(ctx context.Context, work func() []byte) <-chan []byte {
	answered := make(chan []byte, 1)
	select {
	case b.places <- struct{}{}:
	case <-ctx.Done():
		return answered
	}
	b.tasks.Go(func() {
		defer func() { <-b.places }()
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

// exchange sends one message and returns the line the host gets for it: nil for a notification, or when we stop.
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
