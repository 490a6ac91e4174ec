package store

import (
	"context"
	"sync"
)

type gate struct{ workspaceID, hostID int64 }

// gates lets one at a time through for each host. A channel of one place, unlike a mutex, can be
// given up on when the caller's time is over.
type gates struct {
	mu   sync.Mutex
	open map[gate]*queue
}

type queue struct {
	place   chan struct{}
	waiting int
}

func (g *gates) enter(ctx context.Context, key gate) (leave func(), err error) {
	q := g.join(key)
	select {
	case q.place <- struct{}{}:
		return func() { <-q.place; g.part(key, q) }, nil
	case <-ctx.Done():
		g.part(key, q)
		return nil, ctx.Err()
	}
}

func (g *gates) join(key gate) *queue {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open == nil {
		g.open = map[gate]*queue{}
	}
	q := g.open[key]
	if q == nil {
		q = &queue{place: make(chan struct{}, 1)}
		g.open[key] = q
	}
	q.waiting++
	return q
}

func (g *gates) part(key gate, q *queue) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if q.waiting--; q.waiting == 0 {
		delete(g.open, key)
	}
}
