package snapshot

import (
	"sync"
	"sync/atomic"

	"slotd/internal/lib/coalesce"
)

// entry is one workspace's place on the shelf.
type entry struct {
	slug     string
	id       int64
	snapshot atomic.Pointer[Snapshot]
	latest   atomic.Int64 // the newest version known to exist
	loading  coalesce.Group

	mu      sync.Mutex
	pending map[int64]change        // by the version they lead to
	commits map[int64]chan struct{} // own transactions that are committing, likewise
}

// maxPending bounds what waits for a version that never comes; the next reader loads instead.
const maxPending = 1000

func (e *entry) noteVersion(version int64) {
	for {
		known := e.latest.Load()
		if version <= known || e.latest.CompareAndSwap(known, version) {
			return
		}
	}
}

// put replaces the picture by a newer one.
func (e *entry) put(p *Snapshot) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if old := e.snapshot.Load(); old == nil || old.Version < p.Version {
		e.snapshot.Store(p)
	}
	e.noteVersion(p.Version)
	e.catchUp()
}

// patch applies a change at its version. Commits may report out of order, so a change waits
// until the one before it is there.
func (e *entry) patch(c change) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.pending == nil || len(e.pending) >= maxPending {
		e.pending = map[int64]change{}
	}
	e.pending[c.version] = c
	e.catchUp()
	e.noteVersion(c.version)
}

// commit notes that a transaction of our own is about to reach the version.
func (e *entry) commit(version int64) (settle func()) {
	settled := make(chan struct{})
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.commits == nil {
		e.commits = map[int64]chan struct{}{}
	}
	e.commits[version] = settled
	return func() {
		e.mu.Lock()
		if e.commits[version] == settled {
			delete(e.commits, version)
		}
		e.mu.Unlock()
		close(settled)
	}
}

// committing returns what closes when our own transaction for this version is over; nil if the
// version is not ours.
func (e *entry) committing(version int64) <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.commits[version]
}

func (e *entry) catchUp() {
	p := e.snapshot.Load()
	for {
		next, ok := e.pending[p.Version+1]
		if !ok {
			break
		}
		p = p.after(next)
		e.snapshot.Store(p)
	}
	for version := range e.pending {
		if version <= p.Version {
			delete(e.pending, version)
		}
	}
}
