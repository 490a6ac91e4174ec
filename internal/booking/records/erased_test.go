package records

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/store/testdb"
)

// recordErased records the arguments of Erased. It checks that Erased is called only after the commit.
func (w *world) recordErased() *[]uuid.UUID {
	var reported []uuid.UUID
	w.Erased = func(bookings []uuid.UUID) {
		for _, id := range bookings {
			if b := w.Stored(&slotd.Booking{ID: id}); b.Attendee.Email != "" {
				w.T.Errorf("told of %s before the commit", id)
			}
		}
		reported = append(reported, bookings...)
	}
	return &reported
}

func TestErased_IsCalledAfterTheCommit(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		reported := w.recordErased()
		one, two := w.MustCreate("intro", at("09:00")), w.MustCreate("intro", at("10:00"))
		w.erase("ian@guest.example")
		if len(*reported) != 0 {
			t.Fatalf("nobody was erased, but heard of %v", *reported)
		}
		w.erase(guest.Email)
		w.erase(guest.Email)
		if want := []uuid.UUID{one.ID, two.ID}; !slices.Equal(*reported, want) {
			t.Errorf("heard of %v, want %v", *reported, want)
		}
	})
}

func TestErased_IsCalledForEachOldBookingOnce(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	reported := w.recordErased()
	old, fresh := w.MustCreate("intro", at("09:00")), w.MustCreate("intro", at("+9 09:00"))
	w.Clock.Set(at("+10 09:00"))
	w.copyBooking(old, eraseBatch+5)
	for range 2 {
		_, err := w.EraseBefore(background, w.Actor.WorkspaceID, at("+9 09:00"))
		w.Must(err)
	}
	if len(*reported) != eraseBatch+6 || !slices.Contains(*reported, old.ID) || slices.Contains(*reported, fresh.ID) {
		t.Errorf("heard of %d", len(*reported))
	}
}
