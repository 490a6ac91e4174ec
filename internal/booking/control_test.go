package booking

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/identity/links"
	"slotd/internal/store"
	"slotd/internal/store/testdb"
	"slotd/internal/workspace"
	"slotd/internal/workspace/file"
)

// The races in test/load would prove nothing if they could not be lost. Here the same code books without the host's
// lock, and then also without the database constraint.

const controlWorkspace = `
workspace: {slug: control, name: Control, time_zone: UTC}
host: {name: Ada, email: ada@control.example}
schedules: {default: {weekly: {}, overrides: {"2030-01-08": ["09:00-17:00"]}}}
event_types:
  - {slug: call, title: Call, duration_minutes: 60, location: {type: video}}
`

var controlSlot = time.Date(2030, 1, 8, 9, 0, 0, 0, time.UTC)

func TestControl_WithoutTheLockTheDatabaseRefuses(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		c := newControl(t, target)
		stored, refused := c.raceWithoutLock(t)
		if stored != 1 || refused == 0 {
			t.Errorf("%d bookings stored and %d refused by the database, want 1 and all others", stored, refused)
		}
	})
}

func TestControl_WithoutBothTheSlotIsBookedTwice(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		c := newControl(t, target)
		c.dropConstraint(t, target)
		if stored, _ := c.raceWithoutLock(t); stored < 2 {
			t.Errorf("%d bookings stored: the race cannot be lost, so winning it proves nothing", stored)
		}
	})
}

// With the lock and without the database constraint, the same race has one winner.
func TestControl_TheLockAloneIsEnough(t *testing.T) {
	testdb.EachTarget(t, func(t *testing.T, target string) {
		c := newControl(t, target)
		c.dropConstraint(t, target)
		var won atomic.Int64
		var all sync.WaitGroup
		for i := range controlClients {
			all.Go(func() {
				_, err := c.service.Create(context.Background(), c.actor, c.request(i))
				if err == nil {
					won.Add(1)
				} else if !slotd.Is(err, slotd.SlotUnavailable) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if won.Load() != 1 {
			t.Errorf("%d clients got the slot", won.Load())
		}
	})
}

const controlClients = 12

type control struct {
	service *Service
	actor   Actor
	snap    *snapshot.Snapshot
}

func newControl(t *testing.T, target string) *control {
	t.Helper()
	ctx := context.Background()
	now := func() time.Time { return controlSlot.AddDate(0, 0, -7) }
	db := testdb.Open(t, target)
	file, err := file.Read([]byte(controlWorkspace))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := workspace.Put(ctx, db, workspace.Change{Desired: &file.Workspace, Now: now()}); err != nil {
		t.Fatal(err)
	}
	cache, err := snapshot.NewCache(ctx, db, now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cache.Close)
	signer, err := links.Load(ctx, db, now())
	if err != nil {
		t.Fatal(err)
	}
	snap, err := cache.Workspace(ctx, "control")
	if err != nil {
		t.Fatal(err)
	}
	return &control{
		service: &Service{db: db, cache: cache, links: signer, now: now, baseURL: "http://control.example",
			videoURL: "https://meet.example/{room}"},
		actor: Actor{WorkspaceID: snap.WorkspaceID, Name: "control"},
		snap:  snap,
	}
}

func (c *control) request(i int) Request {
	attendee := slotd.Attendee{Name: "Guest", Email: fmt.Sprintf("guest%d@example.com", i), TimeZone: "UTC"}
	return Request{EventType: "call", StartsAt: controlSlot, Attendee: attendee}
}

// raceWithoutLock checks outside the transaction that inserts, which has the effect of no lock: every client finds
// the slot free before any client takes it.
func (c *control) raceWithoutLock(t *testing.T) (stored, refused int64) {
	t.Helper()
	var free, all sync.WaitGroup
	var won, lost atomic.Int64
	free.Add(controlClients)
	for i := range controlClients {
		all.Go(func() {
			err := c.createWithoutLock(i, &free)
			switch {
			case err == nil:
				won.Add(1)
			case store.IsOverlap(err) || isDeadlock(err):
				lost.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	return won.Load(), lost.Load()
}

// isDeadlock reports whether PostgreSQL detected a deadlock. On a busy machine it rejects some clients this way,
// again and again. The lock prevents that.
func isDeadlock(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "40P01"
}

func (c *control) createWithoutLock(i int, free *sync.WaitGroup) error {
	ctx, r := context.Background(), c.request(i)
	e := c.snap.EventTypeBySlug(r.EventType)
	err := c.service.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		now := c.service.now()
		w, err := loadInTx(ctx, tx, c.snap, now)
		if err != nil {
			return err
		}
		reason, _, err := w.check(ctx, e, r.StartsAt, now, nil, nil)
		if err == nil && reason != slots.Free {
			err = errors.New("not free before anyone took it")
		}
		return err
	})
	free.Done()
	free.Wait()
	if err != nil {
		return err
	}
	return c.service.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return insertBooking(ctx, tx, c.actor, c.snap.Config,
			c.service.newBooking(c.snap.Config, e, r, c.service.now()))
	})
}

func (c *control) dropConstraint(t *testing.T, target string) {
	t.Helper()
	driver, statement := "sqlite", `DROP TRIGGER claims_overlap_insert`
	if store.IsPostgres(target) {
		driver, statement = "pgx", `ALTER TABLE claims DROP CONSTRAINT claims_overlap`
	}
	db, err := sql.Open(driver, target)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}
