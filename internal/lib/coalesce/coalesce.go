// Package coalesce lets one run of a function serve all callers that arrived before it started. Every caller gets a
// result that is no older than its call, and any number of concurrent callers cost no more than two runs.
package coalesce

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// Group combines concurrent calls of one function. The zero value is ready to use. No lock is held while the function
// runs.
type Group struct {
	mu      sync.Mutex
	running bool
	next    *call // the run that has not started yet; nil: nobody waits for one
}

// call is one run of the function that one or more callers wait for.
type call struct {
	done chan struct{}
	err  error
}

// Join is like Do, for a function that may take long: the function never runs in the caller's goroutine, so the caller
// can return when its context ends. The run continues for the others.
func (r *Group) Join(ctx context.Context, fn func() error) error {
	return r.join(ctx, func() { go r.run(fn) })
}

// Do returns the result of the first run that starts after the call to Do.
func (r *Group) Do(ctx context.Context, fn func() error) error {
	return r.join(ctx, func() { r.run(fn) })
}

func (r *Group) join(ctx context.Context, run func()) error {
	r.mu.Lock()
	c := r.next
	if c == nil {
		c = &call{done: make(chan struct{})}
		r.next = c
	}
	lead := !r.running
	r.running = true
	r.mu.Unlock()
	if lead {
		run()
	}
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
	}
	select {
	case <-c.done: // a result that is there counts, although the context has ended too
		return c.err
	default:
		return ctx.Err()
	}
}

// run runs the function for the waiting callers. If others arrived in the meantime, their run gets its own goroutine,
// so that no caller works for others longer than for itself.
func (r *Group) run(fn func() error) {
	r.mu.Lock()
	current := r.next
	r.next = nil
	r.mu.Unlock()
	defer func() {
		if p := recover(); p != nil { // all waiting callers must get a result
			current.err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
		close(current.done)
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.next == nil {
			r.running = false
		} else {
			go r.run(fn)
		}
	}()
	current.err = fn()
}
