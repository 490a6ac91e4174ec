package store_test

import (
	"context"
	"testing"

	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
)

func TestMain(m *testing.M) { testdb.Main(m) }

var ctx = context.Background()

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// seed inserts workspace 1 with host 1, one event type and the given bookings.
func seed(t *testing.T, db *store.DB, bookings ...string) {
	t.Helper()
	must(t, db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		must(t, tx.InsertWorkspace(ctx,
			sqlcgen.InsertWorkspaceParams{ID: 1, Slug: "acme", Name: "Acme", TimeZone: "UTC"}))
		must(t, tx.InsertVersion(ctx, 1))
		must(t, tx.InsertHost(ctx, sqlcgen.InsertHostParams{WorkspaceID: 1, ID: 1, Name: "Ada",
			Email: "ada@acme.example"}))
		must(t, tx.PutEventType(ctx, sqlcgen.PutEventTypeParams{WorkspaceID: 1, ID: 1, Slug: "intro", Settings: "{}"}))
		for _, id := range bookings {
			must(t, tx.InsertBooking(ctx, sqlcgen.InsertBookingParams{WorkspaceID: 1, ID: id, HostID: 1, EventTypeID: 1,
				State: "confirmed", StartsAt: 1, EndsAt: 2}))
		}
		return nil
	}))
}

func TestLower_KnowsAllLettersOnEachDatabase(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		seed(t, db)
		must(t, db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			return tx.InsertBooking(ctx, sqlcgen.InsertBookingParams{WorkspaceID: 1, ID: "a", HostID: 1, EventTypeID: 1,
				State: "confirmed", AttendeeName: "Gül ÖZ", AttendeeEmail: "Ö@guest.example", StartsAt: 1, EndsAt: 2})
		}))
		for email, want := range map[string]int64{"ö@GUEST.example": 1, "Ö@guest.example": 1, "o@guest.example": 0,
			"": 0} {
			n, err := db.Read().CountBookingsOfPerson(ctx,
				sqlcgen.CountBookingsOfPersonParams{WorkspaceID: 1, Email: email})
			if err != nil || n != want {
				t.Errorf("%q: %d, %v", email, n, err)
			}
		}
	})
}

func claim(db *store.DB, booking string, from, until int64) error {
	return db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertClaim(ctx, sqlcgen.InsertClaimParams{WorkspaceID: 1, HostID: 1, BookingID: booking,
			EventTypeID: 1, StartsAt: from, FromAt: from, UntilAt: until})
	})
}

func TestClaims_DatabaseRefusesOverlaps(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		seed(t, db, "a", "b", "c", "d")
		must(t, claim(db, "a", 100, 200))
		must(t, claim(db, "b", 300, 400))
		for _, c := range []struct{ from, until int64 }{{100, 200}, {50, 101}, {199, 250}, {120, 130}, {0, 500},
			{250, 301}, {399, 500}, {100, 101}, {199, 200}} {
			if err := claim(db, "c", c.from, c.until); !store.IsOverlap(err) {
				t.Errorf("claim %v: got %v, want an overlap", c, err)
			}
		}
		must(t, claim(db, "c", 200, 300)) // touching on both sides is fine
		must(t, claim(db, "d", 0, 100))
	})
}

func TestClaims_DatabaseRefusesAMoveOntoAnother(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		seed(t, db, "a", "b")
		must(t, claim(db, "a", 100, 200))
		must(t, claim(db, "b", 300, 400))
		move := func(from, until int64) error {
			return db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
				return tx.MoveClaim(ctx, sqlcgen.MoveClaimParams{WorkspaceID: 1, HostID: 1, BookingID: "b",
					StartsAt: from, FromAt: from, UntilAt: until})
			})
		}
		if err := move(150, 250); !store.IsOverlap(err) {
			t.Errorf("got %v, want an overlap", err)
		}
		must(t, move(350, 450)) // overlaps only its own old time
		must(t, move(200, 300))
	})
}

func TestBumpVersion_OrdersChangesForTheCursor(t *testing.T) {
	testdb.Each(t, func(t *testing.T, db *store.DB) {
		seed(t, db)
		cursor, err := db.Cursor(ctx)
		must(t, err)
		must(t, db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			v, err := tx.BumpVersion(ctx, 1)
			if v != 1 {
				t.Errorf("version %d, want 1", v)
			}
			return err
		}))
		changed, err := db.Read().ChangedVersions(ctx, cursor)
		must(t, err)
		if len(changed) != 1 || changed[0].Version != 1 {
			t.Errorf("changed since the cursor: %+v, want workspace 1 at version 1", changed)
		}
	})
}

// A transaction that began before the cursor was read and commits afterwards must not be missed.
func TestCursor_SeesATransactionThatWasOpen(t *testing.T) {
	db := testdb.Open(t, testdb.Postgres(t))
	seed(t, db)
	bumped, commit, done := make(chan bool), make(chan bool), make(chan error)
	go func() {
		done <- db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.BumpVersion(ctx, 1)
			bumped <- true
			<-commit
			return err
		})
	}()
	<-bumped
	for range 3 { // other transactions advance the transaction id
		must(t, db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			return tx.PutSetting(ctx, sqlcgen.PutSettingParams{Name: "x", Value: "y"})
		}))
	}
	cursor, err := db.Cursor(ctx)
	must(t, err)
	commit <- true
	must(t, <-done)
	changed, err := db.Read().ChangedVersions(ctx, cursor)
	must(t, err)
	if len(changed) != 1 || changed[0].Version != 1 {
		t.Errorf("changed since the cursor: %+v, want workspace 1 at version 1", changed)
	}
}
