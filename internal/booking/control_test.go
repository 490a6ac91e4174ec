package booking

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/store"
	"slotd/test/worlds"
)

// The races in test/load would prove nothing if they could not be lost. Here the same code books without the host's
// lock, and then also without the database constraint.

const controlClients = 12

// control is a world in which many clients want one slot.
type control struct {
	*world
	snap *snapshot.Snapshot
}

func eachControl(t *testing.T, test func(t *testing.T, c *control)) {
	each(t, func(t *testing.T, w *world) {
		snap, err := w.cache.Latest(background, w.actor.WorkspaceID)
		w.Must(err)
		test(t, &control{w, snap})
	})
}

func TestRace_ControlWithoutTheLockTheDatabaseRefuses(t *testing.T) {
	eachControl(t, func(t *testing.T, c *control) {
		stored, refused := c.raceWithoutLock()
		if stored != 1 || refused == 0 {
			t.Errorf("%d bookings stored and %d refused by the database, want 1 and all others", stored, refused)
		}
	})
}

func TestRace_ControlWithoutBothTheSlotIsBookedTwice(t *testing.T) {
	eachControl(t, func(t *testing.T, c *control) {
		c.dropConstraint()
		if stored, _ := c.raceWithoutLock(); stored < 2 {
			t.Errorf("%d bookings stored: the race cannot be lost, so winning it proves nothing", stored)
		}
	})
}

// With the lock and without the database constraint, the same race has one winner.
func TestRace_ControlTheLockAloneIsEnough(t *testing.T) {
	eachControl(t, func(t *testing.T, c *control) {
		c.dropConstraint()
		var clients []func() error
		for i := range controlClients {
			clients = append(clients, func() error {
				_, err := c.Create(background, c.actor, c.request(i))
				return err
			})
		}
		if n := countWinners(t, worlds.AtOnce(clients...)); n != 1 {
			t.Errorf("%d clients got the slot", n)
		}
	})
}

func (c *control) request(i int) Request {
	attendee := slotd.Attendee{Name: "Guest", Email: fmt.Sprintf("guest%d@example.com", i), TimeZone: "UTC"}
	return Request{EventType: "intro", StartsAt: at("10:00"), Attendee: attendee}
}

// raceWithoutLock checks outside the transaction that inserts, which has the effect of no lock: every client finds
// the slot free before any client takes it.
func (c *control) raceWithoutLock() (stored, refused int) {
	c.T.Helper()
	var free sync.WaitGroup
	free.Add(controlClients)
	var clients []func() error
	for i := range controlClients {
		clients = append(clients, func() error { return c.createWithoutLock(i, &free) })
	}
	for _, err := range worlds.AtOnce(clients...) {
		switch {
		case err == nil:
			stored++
		case store.IsOverlap(err) || isDeadlock(err):
			refused++
		default:
			c.T.Error(err)
		}
	}
	return stored, refused
}

// isDeadlock reports whether PostgreSQL detected a deadlock. On a busy machine it rejects some clients this way,
// again and again. The lock prevents that.
func isDeadlock(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "40P01"
}

func (c *control) createWithoutLock(i int, free *sync.WaitGroup) error {
	r := c.request(i)
	e := c.snap.EventTypeBySlug(r.EventType)
	err := c.db.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		now := c.now()
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
	return c.db.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		b, err := c.newBooking(c.snap.Config, e, r, c.atOnce(), c.now())
		if err != nil {
			return err
		}
		return insertBooking(ctx, tx, c.actor, c.snap.Config, b, slotd.ByBooking)
	})
}

func (c *control) dropConstraint() {
	c.T.Helper()
	statement := `DROP TRIGGER claims_overlap_insert`
	if store.IsPostgres(c.Target) {
		statement = `ALTER TABLE claims DROP CONSTRAINT claims_overlap`
	}
	_, err := c.Raw.Exec(statement)
	c.Must(err)
}
