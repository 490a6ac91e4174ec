package snapshot

import (
	"context"
	"database/sql"
	"log/slog"
	"sync/atomic"
	"time"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// watcher notices what other processes and other servers write.
type watcher interface {
	// check returns once every change that was committed before the call (SQLite), or a second
	// before it (PostgreSQL), has been reported to the shelf.
	check(ctx context.Context, e *entry) error
	close()
}

// dataVersion watches a SQLite file. PRAGMA data_version costs microseconds, and one look
// serves every request that arrived before it began.
type dataVersion struct {
	shelf  *Shelf
	conn   *sql.Conn // always the same: the version counts per connection
	looks  rounds
	seen   int64
	cursor int64
}

func newDataVersion(ctx context.Context, s *Shelf) (*dataVersion, error) {
	conn, err := s.db.ReadConn(ctx)
	if err != nil {
		return nil, err
	}
	d := &dataVersion{shelf: s, conn: conn}
	return d, d.look()
}

func (d *dataVersion) close() { d.conn.Close() }

func (d *dataVersion) check(ctx context.Context, _ *entry) error { return d.looks.do(ctx, d.look) }

// look belongs to all who wait for it, so it runs on no one's own context; and one that can end
// would cost the driver a goroutine per query.
func (d *dataVersion) look() error {
	ctx := context.Background()
	version, err := store.DataVersion(ctx, d.conn)
	if err != nil || version == d.seen {
		return err
	}
	changed, err := sqlcgen.New(d.conn).ChangedVersions(ctx, d.cursor)
	if err != nil {
		return err
	}
	for _, c := range changed {
		d.shelf.changed(c.WorkspaceID, c.Version)
		d.cursor = c.ChangedSeq + 1
	}
	d.seen = version
	return nil
}

// poller watches a PostgreSQL database. NOTIFY inside the booking's transaction cut commits to a
// quarter, and poolers break LISTEN; a poll every 250 ms costs one indexed query.
type poller struct {
	shelf    *Shelf
	cursor   int64
	lastGood atomic.Int64 // milliseconds, as the shelf's clock counts
	stop     context.CancelFunc
	stopped  chan struct{}
}

const (
	pollEvery  = 250 * time.Millisecond
	trustPolls = time.Second
)

func newPoller(ctx context.Context, s *Shelf) (*poller, error) {
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
			slog.Warn("cannot see what other servers write; every request asks the database until this works again", "error", err)
		}
		failing = err != nil
	}
}

func (p *poller) poll(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, trustPolls)
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
		p.shelf.changed(c.WorkspaceID, c.Version)
	}
	p.cursor = next
	p.lastGood.Store(began)
	return nil
}

// check trusts the polls while they work; otherwise the request asks for itself.
func (p *poller) check(ctx context.Context, e *entry) error {
	if p.shelf.now().UnixMilli()-p.lastGood.Load() < trustPolls.Milliseconds() {
		return nil
	}
	return p.shelf.askVersion(ctx, e)
}
