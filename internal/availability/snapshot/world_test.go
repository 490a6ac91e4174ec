package snapshot

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"testing"
	"time"

	"slotd/internal/availability/slots"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
)

func TestMain(m *testing.M) {
	flag.Set("rapid.checks", "15") // each check commits to disk; a flag on the command line still wins
	testdb.Main(m)
}

var background = context.Background()

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// seed creates a workspace with host 1, a schedule and event type 1. Its name is the version that last wrote it.
func seed(t testing.TB, db *store.DB, id int64, slug string) {
	t.Helper()
	must(t, db.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		return errors.Join(
			tx.InsertWorkspace(ctx, sqlcgen.InsertWorkspaceParams{ID: id, Slug: slug, Name: "0", TimeZone: "UTC",
				Look: "{}", Embed: "{}"}),
			tx.InsertVersion(ctx, id),
			tx.InsertHost(ctx, sqlcgen.InsertHostParams{WorkspaceID: id, ID: 1, Name: "Ada",
				Email: "ada@acme.example"}),
			tx.PutSchedule(ctx, sqlcgen.PutScheduleParams{WorkspaceID: id, Name: "default", Settings: "{}"}),
			tx.PutEventType(ctx, sqlcgen.PutEventTypeParams{WorkspaceID: id, ID: 1, Slug: "intro",
				Settings: `{"schedule":"default"}`}),
		)
	}))
}

// touchConfig writes the workspace as a new configuration would, and returns the new version.
func touchConfig(db *store.DB, id int64) (version int64, err error) {
	err = db.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.LockHost(ctx, id, 1); err != nil {
			return err
		}
		if err := tx.BumpConfigVersion(ctx, id); err != nil {
			return err
		}
		v, err := tx.Version(ctx, id)
		if err != nil {
			return err
		}
		if err := tx.UpdateWorkspace(ctx,
			sqlcgen.UpdateWorkspaceParams{ID: id, Name: fmt.Sprint(v.Version + 1), TimeZone: "UTC", Look: "{}",
				Embed: "{}"}); err != nil {
			return err
		}
		version, err = tx.BumpVersion(ctx, id)
		return err
	})
	return version, err
}

// insert books the claim in workspace id and returns the new version.
func insert(db *store.DB, id int64, c slots.Claim) (version int64, err error) {
	booking := fmt.Sprintf("%x-%x-%x-%x-%x", c.Booking[:4], c.Booking[4:6], c.Booking[6:8], c.Booking[8:10],
		c.Booking[10:])
	err = db.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		err := errors.Join(
			tx.InsertBooking(ctx, sqlcgen.InsertBookingParams{WorkspaceID: id, ID: booking, HostID: 1, EventTypeID: 1,
				State:    "confirmed",
				StartsAt: c.StartsAt.UnixMilli(), EndsAt: c.StartsAt.UnixMilli() + 1, Terms: "{}"}),
			tx.InsertClaim(ctx, sqlcgen.InsertClaimParams{WorkspaceID: id, HostID: 1, BookingID: booking,
				EventTypeID: 1,
				StartsAt:    c.StartsAt.UnixMilli(), FromAt: c.Start.UnixMilli(), UntilAt: c.End.UnixMilli()}))
		if err != nil {
			return err
		}
		version, err = tx.BumpVersion(ctx, id)
		return err
	})
	return version, err
}

func remove(db *store.DB, id int64, c slots.Claim) (version int64, err error) {
	booking := fmt.Sprintf("%x-%x-%x-%x-%x", c.Booking[:4], c.Booking[4:6], c.Booking[6:8], c.Booking[8:10],
		c.Booking[10:])
	err = db.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.DeleteClaim(ctx, sqlcgen.DeleteClaimParams{WorkspaceID: id, HostID: 1,
			BookingID: booking}); err != nil {
			return err
		}
		version, err = tx.BumpVersion(ctx, id)
		return err
	})
	return version, err
}

func newCache(t testing.TB, db *store.DB, now func() time.Time) *Cache {
	t.Helper()
	s, err := NewCache(background, db, now)
	must(t, err)
	t.Cleanup(s.Close)
	return s
}

func fixed() *testdb.Clock { return testdb.NewClock(noon) }
