package snapshot

import (
	"bytes"
	"context"
	"database/sql"
	"log/slog"
	"sync/atomic"
	"time"

	"slotd/internal/lib/coalesce"
	"slotd/internal/store"
)

// watcher detects what other processes and other servers write.
type watcher interface {
	// check returns once every change committed before the call (SQLite), or a second before the call
	// (PostgreSQL), has been reported to the cache.
	check(ctx context.Context, e *entry) error
	close()
}

// sqliteWatch watches a SQLite file. Where possible, it compares the header of the WAL index, which every commit
// changes; otherwise it queries PRAGMA data_version, which takes microseconds. One poll serves all requests that
// arrived before it started.
type sqliteWatch struct {
	cache           *Cache
	conn            *sql.Conn // always the same one: data_version is counted per connection
	dataVersionStmt *sql.Stmt
	polls           coalesce.Group
	cursor          int64

	header      walHeader // nil: use dataVersionStmt
	lastHeader  atomic.Pointer[[walHeaderSize]byte]
	dataVersion int64
}

// walHeader is the live shared memory at the start of the -shm file.
type walHeader []byte

const walHeaderSize = 2 * 48

func newSQLiteWatch(ctx context.Context, s *Cache) (*sqliteWatch, error) {
	conn, err := s.db.ReadConn(ctx)
	if err != nil {
		return nil, err
	}
	w := &sqliteWatch{cache: s, conn: conn}
	if w.dataVersionStmt, err = store.DataVersion(ctx, conn); err != nil {
		return nil, err
	}
	w.lastHeader.Store(new([walHeaderSize]byte))
	if err := w.poll(); err != nil {
		return nil, err
	}
	if w.header, err = openWALHeader(s.db.Path()); err != nil {
		slog.Debug("asking SQLite whether anything changed, its shared memory cannot be read", "error", err)
	}
	return w, nil
}

func (w *sqliteWatch) close() { w.conn.Close() }

func (w *sqliteWatch) check(ctx context.Context, _ *entry) error {
	if w.header != nil && bytes.Equal(w.header, w.lastHeader.Load()[:]) {
		return nil
	}
	return w.polls.Do(ctx, w.poll)
}

// poll reports the versions that changed since the last poll to the cache. Several requests may wait for one poll,
// so it does not use the context of any of them; besides, a context that can be canceled would cost the driver a
// goroutine per query.
func (w *sqliteWatch) poll() error {
	ctx := context.Background()
	// Read the header before the query: a commit in between causes another poll and is never missed.
	header := [walHeaderSize]byte{}
	copy(header[:], w.header)
	var version int64
	if w.header == nil {
		if err := w.dataVersionStmt.QueryRowContext(ctx).Scan(&version); err != nil || version == w.dataVersion {
			return err
		}
	}
	changed, err := w.cache.db.Read().ChangedVersions(ctx, w.cursor)
	if err != nil {
		return err
	}
	for _, c := range changed {
		w.cache.NoteVersion(c.WorkspaceID, c.Version)
		w.cursor = c.ChangedSeq + 1
	}
	w.dataVersion = version
	w.lastHeader.Store(&header)
	return nil
}

// poller watches a PostgreSQL database by polling. NOTIFY inside the booking's transaction reduced the commit rate
// to a quarter, and connection poolers break LISTEN. A poll every 250 ms costs one indexed query.
type poller struct {
	cache       *Cache
	cursor      int64
	lastSuccess atomic.Int64 // Unix milliseconds by the cache's clock
	stop        context.CancelFunc
	stopped     chan struct{}
}

const (
	pollInterval = 250 * time.Millisecond
	trustPollFor = time.Second
)

func newPoller(ctx context.Context, s *Cache) (*poller, error) {
	p := &poller{cache: s, stopped: make(chan struct{})}
	var err error
	if p.cursor, err = s.db.Cursor(ctx); err != nil {
		return nil, err
	}
	p.lastSuccess.Store(s.now().UnixMilli())
	ctx, p.stop = context.WithCancel(context.Background())
	go p.run(ctx)
	return p, nil
}

func (p *poller) close() {
	p.stop()
	<-p.stopped
}

func (p *poller) run(ctx context.Context) {
	defer close(p.stopped)
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	failing := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := p.pollInTime(ctx)
		if err != nil && !failing && ctx.Err() == nil {
			slog.Warn("cannot see what other servers write; every request asks the database until this works again",
				"error", err)
		}
		failing = err != nil
	}
}

// pollInTime ends a poll that takes too long to be trusted, so that the next one can begin.
func (p *poller) pollInTime(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, trustPollFor)
	defer cancel()
	return p.poll(ctx)
}

func (p *poller) poll(ctx context.Context) error {
	began := p.cache.now().UnixMilli()
	next, err := p.cache.db.Cursor(ctx)
	if err != nil {
		return err
	}
	changed, err := p.cache.db.Read().ChangedVersions(ctx, p.cursor)
	if err != nil {
		return err
	}
	for _, c := range changed {
		p.cache.NoteVersion(c.WorkspaceID, c.Version)
	}
	p.cursor = next
	p.lastSuccess.Store(began)
	return nil
}

// check relies on the polls while they succeed. Otherwise it reads the workspace's version from the database.
func (p *poller) check(ctx context.Context, e *entry) error {
	if p.cache.now().UnixMilli()-p.lastSuccess.Load() < trustPollFor.Milliseconds() {
		return nil
	}
	return p.cache.readVersion(ctx, e)
}
