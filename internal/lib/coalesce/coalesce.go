// Package coalesce lets one run of a function serve everyone who came before it began: whoever asks
// gets an answer that is no older than the question, and a crowd costs as much as two.
package coalesce

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// Rounds is a queue for one function. The zero value is ready. No lock is held while the function runs.
type Group struct {
	mu      sync.Mutex
	running bool
	next    *round
}

type round struct {
	done chan struct{}
	err  error
}

// Join is Do for a function that may take long: it never runs in the caller's own goroutine, so that the
// caller can leave when its context ends. The run goes on for the others.
func (r *Group) Join(ctx context.Context, fn func() error) error {
	return r.join(ctx, func() { go r.run(fn) })
}

// Do returns what the first run returned that began after the call.
func (r *Group) Do(ctx context.Context, fn func() error) error {
	return r.join(ctx, func() { r.run(fn) })
}

func (r *Group) join(ctx context.Context, run func()) error {
	r.mu.Lock()
	mine := r.next
	if mine == nil {
		mine = &round{done: make(chan struct{})}
		r.next = mine
	}
	lead := !r.running
	r.running = true
	r.mu.Unlock()
	if lead {
		run()
	}
	select {
	case <-mine.done:
		return mine.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run runs the round that waits. The next one, if somebody came meanwhile, gets a goroutine of
// its own, so that nobody works for others longer than for themselves.
func (r *Group) run(fn func() error) {
	r.mu.Lock()
	now := r.next
	r.next = nil
	r.mu.Unlock()
	defer func() {
		if p := recover(); p != nil { // everyone who waits gets an answer
			now.err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
		close(now.done)
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.next == nil {
			r.running = false
		} else {
			go r.run(fn)
		}
	}()
	now.err = fn()
}
