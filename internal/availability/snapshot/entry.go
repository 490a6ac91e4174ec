package snapshot

import (
	"sync"
	"sync/atomic"

	"slotd/internal/lib/coalesce"
)

// entry is one workspace's entry in the cache.
type entry struct {
	slug     string
	id       int64
	snapshot atomic.Pointer[Snapshot]
	latest   atomic.Int64 // the newest version known to exist
	loading  coalesce.Group

	mu      sync.Mutex
	pending map[int64]change        // by the version that each leads to
	commits map[int64]chan struct{} // commits of this process in progress, by the version that each leads to
}

// maxPending limits the changes that wait for a missing version. When there are more, they are dropped and the next
// reader loads instead.
const maxPending = 1000

// noteVersion raises latest to the version, if that is newer.
func (e *entry) noteVersion(version int64) {
	for {
		known := e.latest.Load()
		if version <= known || e.latest.CompareAndSwap(known, version) {
			return
		}
	}
}

// put replaces the snapshot if p is newer, and applies the changes that waited for it.
func (e *entry) put(p *Snapshot) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if old := e.snapshot.Load(); old == nil || old.Version < p.Version {
		e.snapshot.Store(p)
	}
	e.noteVersion(p.Version)
	e.catchUp()
}

// patch applies a change at its version. Commits may be reported out of order, so a change waits until the one
// before it has been applied.
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

// commit records that a transaction of this process is about to reach the version. The caller calls finish when
// the transaction is over.
func (e *entry) commit(version int64) (finish func()) {
	finished := make(chan struct{})
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.commits == nil {
		e.commits = map[int64]chan struct{}{}
	}
	e.commits[version] = finished
	return func() {
		e.mu.Lock()
		if e.commits[version] == finished {
			delete(e.commits, version)
		}
		e.mu.Unlock()
		close(finished)
	}
}

// committing returns a channel that is closed when this process's transaction for the version is over. It returns
// nil if there is no such transaction.
func (e *entry) committing(version int64) <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.commits[version]
}

// catchUp applies the pending changes that follow the snapshot without a gap, and drops those that are too old.
func (e *entry) catchUp() {
	p := e.snapshot.Load()
	for {
		next, ok := e.pending[p.Version+1]
		if !ok {
			break
		}
		p = p.apply(next)
		e.snapshot.Store(p)
	}
	for version := range e.pending {
		if version <= p.Version {
			delete(e.pending, version)
		}
	}
}
