package records

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/store/testdb"
)

// hearErased gathers what Erased is called with. It holds that it is called when the database has forgotten, and not
// before.
func (w *world) hearErased() *[]uuid.UUID {
	var heard []uuid.UUID
	w.Erased = func(bookings []uuid.UUID) {
		for _, id := range bookings {
			if b := w.stored(&slotd.Booking{ID: id}); b.Attendee.Email != "" {
				w.t.Errorf("told of %s before the commit", id)
			}
		}
		heard = append(heard, bookings...)
	}
	return &heard
}

func TestErased_IsToldAfterTheCommit(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		heard := w.hearErased()
		one, two := w.mustCreate("intro", at("09:00")), w.mustCreate("intro", at("10:00"))
		w.erase("ian@guest.example")
		if len(*heard) != 0 {
			t.Fatalf("nobody was erased, but heard of %v", *heard)
		}
		w.erase(guest.Email)
		w.erase(guest.Email)
		if want := []uuid.UUID{one.ID, two.ID}; !slices.Equal(*heard, want) {
			t.Errorf("heard of %v, want %v", *heard, want)
		}
	})
}

func TestErased_IsToldOfEachOldBookingOnce(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	heard := w.hearErased()
	old, fresh := w.mustCreate("intro", at("09:00")), w.mustCreate("intro", at("+9 09:00"))
	w.clock.Set(at("+10 09:00"))
	w.copyBooking(old, eraseAtOnce+5)
	for range 2 {
		_, err := w.EraseBefore(background, w.actor.WorkspaceID, at("+9 09:00"))
		w.must(err)
	}
	if len(*heard) != eraseAtOnce+6 || !slices.Contains(*heard, old.ID) || slices.Contains(*heard, fresh.ID) {
		t.Errorf("heard of %d", len(*heard))
	}
}
