package store

import (
	"context"
	"sync"
)

type hostKey struct{ workspaceID, hostID int64 }

// hostLocks holds one lock per host. A lock is a channel with a buffer of one because, unlike with a mutex, a caller
// can stop waiting when its context ends.
type hostLocks struct {
	mu    sync.Mutex
	locks map[hostKey]*hostLock
}

// hostLock is the lock of one host. users counts the holder and everybody who waits; the lock is dropped at zero.
type hostLock struct {
	held  chan struct{}
	users int
}

// acquire waits until the caller holds the host's lock or ctx ends.
func (h *hostLocks) acquire(ctx context.Context, key hostKey) (release func(), err error) {
	l := h.retain(key)
	select {
	case l.held <- struct{}{}:
		return func() { <-l.held; h.drop(key, l) }, nil
	case <-ctx.Done():
		h.drop(key, l)
		return nil, ctx.Err()
	}
}

func (h *hostLocks) retain(key hostKey) *hostLock {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.locks == nil {
		h.locks = map[hostKey]*hostLock{}
	}
	l := h.locks[key]
	if l == nil {
		l = &hostLock{held: make(chan struct{}, 1)}
		h.locks[key] = l
	}
	l.users++
	return l
}

func (h *hostLocks) drop(key hostKey, l *hostLock) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if l.users--; l.users == 0 {
		delete(h.locks, key)
	}
}
