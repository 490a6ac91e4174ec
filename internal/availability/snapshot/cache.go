// Package snapshot keeps snapshots of workspaces in memory, so that a read needs no query except to check
// whether anything changed.
//
// A snapshot is never modified. A booking made by this process replaces it with a patched copy; after a change made
// elsewhere, the next reader loads a new one. How changes made elsewhere are detected depends on the database
// (watch.go).
package snapshot

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/store"
)

// Cache holds the snapshots of one database's workspaces.
type Cache struct {
	db        *store.DB
	now       func() time.Time
	watch     watcher
	Responses Responses

	mu         sync.RWMutex
	bySlug     map[string]*entry
	byID       map[int64]*entry
	firstLoads singleflight.Group
	Loads      atomic.Int64 // how many snapshots were loaded, for metrics and tests
}

// maxSnapshots limits memory. When the cache is full, it evicts an arbitrary snapshot, which is loaded again when
// it is needed.
const maxSnapshots = 10_000

// NewCache returns an empty cache that watches db for changes. Close stops the watching.
func NewCache(ctx context.Context, db *store.DB, now func() time.Time) (*Cache, error) {
	s := &Cache{db: db, now: now, bySlug: map[string]*entry{}, byID: map[int64]*entry{}}
	var err error
	if db.IsPostgres() {
		s.watch, err = newPoller(ctx, s)
	} else {
		s.watch, err = newSQLiteWatch(ctx, s)
	}
	if err != nil {
		return nil, fmt.Errorf("watch for changes: %w", err)
	}
	return s, nil
}

// Close stops watching the database.
func (s *Cache) Close() { s.watch.close() }

// Workspace returns the current snapshot of a workspace. On SQLite it is exactly current, on PostgreSQL at most a
// second old.
func (s *Cache) Workspace(ctx context.Context, slug string) (*Snapshot, error) {
	e := s.entry(slug)
	if e == nil {
		return s.loadFirst(ctx, slug)
	}
	if err := s.watch.check(ctx, e); err != nil {
		return nil, err
	}
	p, err := s.current(ctx, e)
	if slotd.Is(err, slotd.WorkspaceNotFound) { // it was deleted; another workspace may have its slug by now
		return s.loadFirst(ctx, slug)
	}
	return p, err
}

// WorkspaceByID is like Workspace, for requests with a token, which names the workspace by id.
func (s *Cache) WorkspaceByID(ctx context.Context, id int64) (*Snapshot, error) {
	slug, err := s.slugOf(ctx, id)
	if err != nil {
		return nil, err
	}
	p, err := s.Workspace(ctx, slug)
	if e := s.entry(slug); err == nil && p.WorkspaceID != id && e != nil { // one of the two workspaces was deleted
		if err := s.readVersion(ctx, e); err != nil {
			return nil, err
		}
		p, err = s.Workspace(ctx, slug)
	}
	if err == nil && p.WorkspaceID != id {
		return nil, workspaceGone()
	}
	return p, err
}

func (s *Cache) slugOf(ctx context.Context, id int64) (string, error) {
	s.mu.RLock()
	e := s.byID[id]
	s.mu.RUnlock()
	if e != nil {
		return e.slug, nil
	}
	slug, err := s.db.Read().WorkspaceSlug(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", workspaceGone()
	} else if err != nil {
		return "", fmt.Errorf("find workspace %d: %w", id, err)
	}
	return slug, nil
}

func workspaceGone() error {
	return slotd.NewError(slotd.WorkspaceNotFound, slotd.Facts{})
}

// Latest returns a snapshot that is exactly current on both databases.
func (s *Cache) Latest(ctx context.Context, id int64) (*Snapshot, error) {
	p, err := s.WorkspaceByID(ctx, id)
	if err != nil || !s.db.IsPostgres() {
		return p, err
	}
	e := s.entry(p.Slug)
	if e == nil {
		return p, nil
	}
	if err := s.readVersion(ctx, e); err != nil {
		return nil, err
	}
	return s.current(ctx, e)
}

func (s *Cache) entry(slug string) *entry {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.bySlug[slug]
}

// loadFirst loads a workspace that is not in the cache, once for all concurrent requests. Slugs that do not exist
// leave no entry.
func (s *Cache) loadFirst(ctx context.Context, slug string) (*Snapshot, error) {
	load := func() (any, error) {
		p, err := s.load(ctx, slug, nil)
		if err != nil {
			return nil, err
		}
		return s.insert(p), nil
	}
	found, err, shared := s.firstLoads.Do(slug, load)
	if shared && slotd.Is(err, slotd.WorkspaceNotFound) {
		found, err = load() // the shared load may have started before the workspace was created
	}
	if err != nil {
		return nil, err
	}
	e := found.(*entry)
	// Changes during the load went unnoticed, because the entry did not exist yet.
	if err := s.readVersion(ctx, e); err != nil {
		return nil, err
	}
	return s.current(ctx, e)
}

func (s *Cache) insert(p *Snapshot) *entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.bySlug[p.Slug]
	if e == nil {
		s.evict()
		e = &entry{slug: p.Slug, id: p.WorkspaceID}
		e.put(p)
		s.bySlug[e.slug], s.byID[e.id] = e, e
	}
	return e
}

func (s *Cache) evict() {
	if len(s.bySlug) < maxSnapshots {
		return
	}
	for slug, e := range s.bySlug {
		delete(s.bySlug, slug)
		delete(s.byID, e.id)
		return
	}
}

// forget removes a deleted workspace from the cache.
func (s *Cache) forget(e *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bySlug[e.slug] == e {
		delete(s.bySlug, e.slug)
	}
	delete(s.byID, e.id)
}

// current returns the entry's snapshot if it is at the latest known version, and loads a new one otherwise.
// Requests that arrive during a load wait for it and check again.
func (s *Cache) current(ctx context.Context, e *entry) (*Snapshot, error) {
	for {
		p := e.snapshot.Load()
		if p.Version >= e.latest.Load() {
			return p, nil
		}
		if finished := e.committing(p.Version + 1); finished != nil {
			select {
			case <-finished:
				continue
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		err := e.loading.Do(ctx, func() error {
			if e.snapshot.Load().Version >= e.latest.Load() {
				return nil
			}
			p, err := s.load(ctx, e.slug, e.snapshot.Load().Config)
			if err == nil && p.WorkspaceID != e.id {
				err = WorkspaceNotFound(e.slug)
			}
			if slotd.Is(err, slotd.WorkspaceNotFound) {
				s.forget(e)
			}
			if err == nil {
				e.put(p)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
}

// loadTimeout is how long a reader waits for a database that does not answer.
const loadTimeout = 10 * time.Second

// load loads a snapshot. Several requests may wait for it, so canceling one of them does not cancel the load.
func (s *Cache) load(ctx context.Context, slug string, known *Config) (*Snapshot, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), loadTimeout)
	defer cancel()
	s.Loads.Add(1)
	return load(ctx, s.db, slug, known, s.now())
}

// readVersion reads one workspace's version from the database.
func (s *Cache) readVersion(ctx context.Context, e *entry) error {
	ctx, cancel := context.WithTimeout(ctx, loadTimeout)
	defer cancel()
	v, err := s.db.Read().Version(ctx, e.id)
	if err != nil {
		return fmt.Errorf("read the version of %s: %w", e.slug, err)
	}
	e.noteVersion(v.Version)
	return nil
}

// NoteVersion reports that a workspace has reached a version. The watcher calls it, and so do this process's own
// transactions if their change is not worth a patch.
func (s *Cache) NoteVersion(id, version int64) {
	s.mu.RLock()
	e := s.byID[id]
	s.mu.RUnlock()
	if e != nil {
		e.noteVersion(version)
	}
}

// Committing announces the version that a transaction of this process is about to commit. A reader that sees that
// version in the database meanwhile waits for ApplyBooking instead of loading everything because of one change. The
// caller must call finish after the commit and ApplyBooking, or after the commit failed.
func (s *Cache) Committing(id, version int64) (finish func()) {
	s.mu.RLock()
	e := s.byID[id]
	s.mu.RUnlock()
	if e == nil {
		return func() {}
	}
	return e.commit(version)
}

// ApplyBooking reports a committed transaction of this process: the version it reached and the claims it removed and
// added.
func (s *Cache) ApplyBooking(id, version int64, removed, added []slots.Claim) {
	s.mu.RLock()
	e := s.byID[id]
	s.mu.RUnlock()
	if e != nil {
		e.patch(change{version: version, removed: removed, added: added})
	}
}

// ApplyCalendarRead is like ApplyBooking, for a calendar that was read and found unchanged.
func (s *Cache) ApplyCalendarRead(id, version, calendar int64, at time.Time) {
	s.mu.RLock()
	e := s.byID[id]
	s.mu.RUnlock()
	if e != nil {
		e.patch(change{version: version, calendar: calendar, readAt: at})
	}
}
