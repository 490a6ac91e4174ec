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

// watcher notices what other processes and other servers write.
type watcher interface {
	// check returns once every change that was committed before the call (SQLite), or a second
	// before it (PostgreSQL), has been reported to the shelf.
	check(ctx context.Context, e *entry) error
	close()
}

// sqliteWatch watches a SQLite file. Where it can, it compares the header of the WAL index, which
// every commit changes; elsewhere it asks PRAGMA data_version, which costs microseconds. One look
// serves every request that arrived before it began.
type sqliteWatch struct {
	shelf  *Cache
	conn   *sql.Conn // always the same: the data version counts per connection
	ask    *sql.Stmt
	looks  coalesce.Group
	cursor int64

	header  walHeader // nil: ask for the data version
	seen    atomic.Pointer[[walHeaderSize]byte]
	version int64
}

// walHeader is the first part of the -shm file, as it is in shared memory at this moment.
type walHeader []byte

const walHeaderSize = 2 * 48

func newSQLiteWatch(ctx context.Context, s *Cache) (*sqliteWatch, error) {
	conn, err := s.db.ReadConn(ctx)
	if err != nil {
		return nil, err
	}
	w := &sqliteWatch{shelf: s, conn: conn}
	if w.ask, err = store.DataVersion(ctx, conn); err != nil {
		return nil, err
	}
	w.seen.Store(new([walHeaderSize]byte))
	if err := w.look(); err != nil {
		return nil, err
	}
	if w.header, err = openWALHeader(s.db.Path()); err != nil {
		slog.Debug("asking SQLite whether anything changed, its shared memory cannot be read", "error", err)
	}
	return w, nil
}

func (w *sqliteWatch) close() { w.conn.Close() }

func (w *sqliteWatch) check(ctx context.Context, _ *entry) error {
	if w.header != nil && bytes.Equal(w.header, w.seen.Load()[:]) {
		return nil
	}
	return w.looks.Do(ctx, w.look)
}

// look belongs to all who wait for it, so it runs on no one's own context; and one that can end
// would cost the driver a goroutine per query.
func (w *sqliteWatch) look() error {
	ctx := context.Background()
	// Read before the query: what is committed in between is looked for again, never missed.
	now := [walHeaderSize]byte{}
	copy(now[:], w.header)
	var version int64
	if w.header == nil {
		if err := w.ask.QueryRowContext(ctx).Scan(&version); err != nil || version == w.version {
			return err
		}
	}
	changed, err := w.shelf.db.Read().ChangedVersions(ctx, w.cursor)
	if err != nil {
		return err
	}
	for _, c := range changed {
		w.shelf.Changed(c.WorkspaceID, c.Version)
		w.cursor = c.ChangedSeq + 1
	}
	w.version = version
	w.seen.Store(&now)
	return nil
}

// poller watches a PostgreSQL database. NOTIFY inside the booking's transaction cut commits to a
// quarter, and poolers break LISTEN; a poll every 250 ms costs one indexed query.
type poller struct {
	shelf    *Cache
	cursor   int64
	lastGood atomic.Int64 // milliseconds, as the shelf's clock counts
	stop     context.CancelFunc
	stopped  chan struct{}
}

const (
	pollEvery    = 250 * time.Millisecond
	trustPollFor = time.Second
)

func newPoller(ctx context.Context, s *Cache) (*poller, error) {
	p := &poller{shelf: s, stopped: make(chan struct{})}
	var err error
	if p.cursor, err = s.db.Cursor(ctx); err != nil {
		return nil, err
	}
	p.lastGood.Store(s.now().UnixMilli())
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
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	failing := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := p.poll(ctx)
		if err != nil && !failing && ctx.Err() == nil {
			slog.Warn("cannot see what other servers write; every request asks the database until this works again",
				"error", err)
		}
		failing = err != nil
	}
}

func (p *poller) poll(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, trustPollFor)
	defer cancel()
	began := p.shelf.now().UnixMilli()
	next, err := p.shelf.db.Cursor(ctx)
	if err != nil {
		return err
	}
	changed, err := p.shelf.db.Read().ChangedVersions(ctx, p.cursor)
	if err != nil {
		return err
	}
	for _, c := range changed {
		p.shelf.Changed(c.WorkspaceID, c.Version)
	}
	p.cursor = next
	p.lastGood.Store(began)
	return nil
}

// check trusts the polls while they work; otherwise the request asks for itself.
func (p *poller) check(ctx context.Context, e *entry) error {
	if p.shelf.now().UnixMilli()-p.lastGood.Load() < trustPollFor.Milliseconds() {
		return nil
	}
	return p.shelf.readVersion(ctx, e)
}
