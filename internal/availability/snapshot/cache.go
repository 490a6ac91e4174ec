// Package snapshot keeps pictures of workspaces in memory, so that reading needs no query
// beyond asking whether anything changed.
//
// A picture is never patched in place: a booking made by this process puts a new one beside the
// old, and a change made elsewhere makes the next reader load one. Which of the two databases is
// behind it decides how a change elsewhere is noticed (watch.go).
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

// Shelf holds the pictures of one database.
type Cache struct {
	db        *store.DB
	now       func() time.Time
	watch     watcher
	Responses Responses

	mu     sync.RWMutex
	bySlug map[string]*entry
	byID   map[int64]*entry
	firsts singleflight.Group
	Loads  atomic.Int64 // how many pictures were loaded, for metrics and tests
}

// maxPictures bounds memory; past it an arbitrary picture makes room, and is loaded again if
// somebody asks for it.
const maxSnapshots = 10_000

func NewCache(ctx context.Context, db *store.DB, now func() time.Time) (*Cache, error) {
	s := &Cache{db: db, now: now, bySlug: map[string]*entry{}, byID: map[int64]*entry{}}
	var err error
	if db.Postgres() {
		s.watch, err = newPoller(ctx, s)
	} else {
		s.watch, err = newSQLiteWatch(ctx, s)
	}
	if err != nil {
		return nil, fmt.Errorf("watch for changes: %w", err)
	}
	return s, nil
}

// Close stops watching.
func (s *Cache) Close() { s.watch.close() }

// Workspace is the picture of a workspace as it is now: on SQLite exactly, on PostgreSQL at
// most a second old.
func (s *Cache) Workspace(ctx context.Context, slug string) (*Snapshot, error) {
	e := s.entry(slug)
	if e == nil {
		return s.loadFirst(ctx, slug)
	}
	if err := s.watch.check(ctx, e); err != nil {
		return nil, err
	}
	p, err := s.current(ctx, e)
	if slotd.Is(err, slotd.WorkspaceNotFound) { // it was deleted; another one may have its slug by now
		return s.loadFirst(ctx, slug)
	}
	return p, err
}

// WorkspaceByID is Workspace for those who hold a token.
func (s *Cache) WorkspaceByID(ctx context.Context, id int64) (*Snapshot, error) {
	slug, err := s.slugOf(ctx, id)
	if err != nil {
		return nil, err
	}
	p, err := s.Workspace(ctx, slug)
	if e := s.entry(slug); err == nil && p.WorkspaceID != id && e != nil { // one of the two was deleted
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
	return slotd.Errorf(slotd.WorkspaceNotFound, "The token's workspace is gone.")
}

// Latest is the picture as the database has it at this moment, on both databases.
func (s *Cache) Latest(ctx context.Context, id int64) (*Snapshot, error) {
	p, err := s.WorkspaceByID(ctx, id)
	if err != nil || !s.db.Postgres() {
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

// first loads a workspace that nobody asked for yet, once for all who ask at the same time. Slugs
// that do not exist leave no trace.
func (s *Cache) loadFirst(ctx context.Context, slug string) (*Snapshot, error) {
	load := func() (any, error) {
		p, err := s.load(ctx, slug, nil)
		if err != nil {
			return nil, err
		}
		return s.insert(p), nil
	}
	found, err, shared := s.firsts.Do(slug, load)
	if shared && slotd.Is(err, slotd.WorkspaceNotFound) {
		found, err = load() // the one that was shared may have begun before the workspace was made
	}
	if err != nil {
		return nil, err
	}
	e := found.(*entry)
	// What changed while it was loaded went unnoticed, because the entry was not there yet.
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

// forget takes a workspace that was deleted off the shelf.
func (s *Cache) forget(e *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bySlug[e.slug] == e {
		delete(s.bySlug, e.slug)
	}
	delete(s.byID, e.id)
}

// current returns the entry's picture if it is as new as what is known to exist, and loads it
// otherwise. Those who come while one loads wait for that one and look again.
func (s *Cache) current(ctx context.Context, e *entry) (*Snapshot, error) {
	for {
		p := e.snapshot.Load()
		if p.Version >= e.latest.Load() {
			return p, nil
		}
		if settled := e.committing(p.Version + 1); settled != nil {
			select {
			case <-settled:
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

// askFor is how long a reader waits for a database that does not answer.
const loadTimeout = 10 * time.Second

// load serves all who wait for it, so the end of one's own request does not end it.
func (s *Cache) load(ctx context.Context, slug string, known *Config) (*Snapshot, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), loadTimeout)
	defer cancel()
	s.Loads.Add(1)
	return load(ctx, s.db, slug, known, s.now())
}

// askVersion reads one workspace's version from the database.
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

// Changed is told that a workspace has reached a version: by the watcher, or by this process's own
// transaction whose change is not worth a patch.
func (s *Cache) Changed(id, version int64) {
	s.mu.RLock()
	e := s.byID[id]
	s.mu.RUnlock()
	if e != nil {
		e.noteVersion(version)
	}
}

// Committing is told by this process's own transaction, before its commit, which version it
// leads to. Whoever sees that version in the database meanwhile waits for Booked, instead of
// loading everything for the sake of one change. settle must be called when all is over.
func (s *Cache) Committing(id, version int64) (settle func()) {
	s.mu.RLock()
	e := s.byID[id]
	s.mu.RUnlock()
	if e == nil {
		return func() {}
	}
	return e.commit(version)
}

// Booked is told by this process's own transaction, after its commit, which version it reached
// and which claims it removed and added.
func (s *Cache) Booked(id, version int64, removed, added []slots.Claim) {
	s.mu.RLock()
	e := s.byID[id]
	s.mu.RUnlock()
	if e != nil {
		e.patch(change{version: version, removed: removed, added: added})
	}
}

// Read is Booked for a calendar that was read and found unchanged.
func (s *Cache) CalendarRead(id, version, calendar int64, at time.Time) {
	s.mu.RLock()
	e := s.byID[id]
	s.mu.RUnlock()
	if e != nil {
		e.patch(change{version: version, calendar: calendar, readAt: at})
	}
}
