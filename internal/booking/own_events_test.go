package booking

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/mail/invite"
	"slotd/test/worlds"
)

// createWithEvent creates a booking whose event is in the host's calendar and in its copy.
func (w *world) createWithEvent(f *worlds.Feed, slug string, start time.Time) *slotd.Booking {
	w.T.Helper()
	b := w.mustCreate(slug, start)
	f.Put(invite.UID(b.ID), b.StartsAt, b.EndsAt.Sub(b.StartsAt))
	w.Clock.Advance(time.Second)
	w.ReadCalendars("acme")
	return b
}

// The event overlaps the new time of the booking. For everyone else both times are busy.
func TestReschedule_ABookingsOwnEventIsNotInItsWay(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world, f *worlds.Feed) {
		b := w.createWithEvent(f, "visit", at("10:00"))
		_, err := w.create("intro", at("10:30"))
		wantCode(t, err, slotd.SlotUnavailable)
		w.mustMove(b, at("10:15"))
		moved, err := w.secondServer().Reschedule(background, w.actor, b.ID, at("10:45"))
		if err != nil || !moved.StartsAt.Equal(at("10:45")) {
			t.Errorf("another server: %v, %v", moved, err)
		}
		other := w.mustCreate("visit", at("13:00"))
		_, err = w.Reschedule(background, w.actor, other.ID, at("10:15"))
		wantCode(t, err, slotd.SlotUnavailable)
	})
}

// The event stays in the calendar until somebody removes it.
func TestCancel_TheEventOfACanceledBookingBlocksNothing(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world, f *worlds.Feed) {
		b := w.createWithEvent(f, "intro", at("10:00"))
		other := w.secondServer()
		w.wantListed("booked", w.Service, at("10:00"), false)
		w.wantListed("booked", other, at("10:00"), false)
		_, err := w.Cancel(background, w.actor, b.ID, "")
		w.Must(err)
		w.wantListed("canceled", w.Service, at("10:00"), true)
		w.wantListed("canceled, seen by another server", other, at("10:00"), true)
		w.wantListed("canceled, seen by a new server", w.secondServer(), at("10:00"), true)
		w.Clock.Advance(2 * time.Minute)
		w.ReadCalendars("acme")
		w.wantListed("canceled, and read again", w.Service, at("10:00"), true)
		second, err := other.Create(background, w.actor,
			Request{EventType: "intro", StartsAt: at("10:00"), Attendee: guest})
		w.Must(err)
		_, err = w.Cancel(background, w.actor, second.ID, "")
		w.Must(err)
		w.mustCreate("intro", at("10:00"))
	})
}

// A server's snapshot may be older than a cancellation on another server.
func TestCreate_ACancelElsewhereFreesItsEventAtOnce(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world, f *worlds.Feed) {
		b := w.createWithEvent(f, "intro", at("10:00"))
		err := w.createMeanwhile(at("10:00"), func() {
			_, err := w.secondServer().Cancel(background, w.actor, b.ID, "")
			w.Must(err)
		})
		w.Must(err)
	})
}

func TestQuery_AStrangersEventBlocks(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world, f *worlds.Feed) {
		elsewhere := w.canceledElsewhere()
		for about, uid := range map[string]string{
			"a booking nobody knows": invite.UID(uuid.MustParse("0190a000-0000-7000-8000-000000000000")),
			"another workspace's":    invite.UID(elsewhere.ID),
			"a name like ours":       "not-a-booking" + invite.UIDSuffix,
		} {
			f.Put(uid, at("10:00"), 30*time.Minute)
			w.Clock.Advance(2 * time.Minute)
			w.ReadCalendars("acme")
			w.wantListed(about, w.Service, at("10:00"), false)
			_, err := w.create("intro", at("10:00"))
			wantCode(t, err, slotd.SlotUnavailable)
			w.wantRefusedAtWriteTime(about, at("10:00"))
			f.Remove(uid)
			_, err = w.create("intro", at("10:00")) // the copy still has the event
			wantCode(t, err, slotd.SlotUnavailable)
			w.Clock.Advance(2 * time.Minute)
			w.ReadCalendars("acme")
			w.wantListed(about+", taken out", w.Service, at("10:00"), true)
		}
	})
}

// wantRefusedAtWriteTime skips the check before the transaction.
func (w *world) wantRefusedAtWriteTime(about string, start time.Time) {
	w.T.Helper()
	if err := w.createMeanwhile(start, func() {}); !wasRefused(err) {
		w.T.Errorf("%s: got %v at write time", about, err)
	}
}

// canceledElsewhere returns a canceled booking of another workspace, where its event would block nothing.
func (w *world) canceledElsewhere() *slotd.Booking {
	w.T.Helper()
	elsewhere := worlds.Office()
	elsewhere.Slug = "other"
	w.Put(elsewhere)
	actor := Token(w.WorkspaceID("other"), "tok_2", "")
	b, err := w.Create(background, actor, Request{EventType: "intro", StartsAt: at("10:00"), Attendee: guest})
	w.Must(err)
	_, err = w.Cancel(background, actor, b.ID, "")
	w.Must(err)
	return b
}

// The owner has dragged the event to another time. That time is taken too, until the booking is canceled.
func TestQuery_AnEventOutsideItsBookingsTimeBlocksThere(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world, f *worlds.Feed) {
		b := w.mustCreate("intro", at("10:00"))
		f.Put(invite.UID(b.ID), at("+1 14:00"), 30*time.Minute)
		w.Clock.Advance(2 * time.Minute)
		w.ReadCalendars("acme")
		w.wantListed("its own time", w.Service, at("10:00"), false)
		w.wantListed("where its event is", w.Service, at("+1 14:00"), false)
		_, err := w.create("intro", at("+1 14:00"))
		wantCode(t, err, slotd.SlotUnavailable)
		w.wantRefusedAtWriteTime("where its event is", at("+1 14:00"))
		w.mustMove(b, at("+1 14:00"))
		w.wantListed("where it was", w.Service, at("10:00"), true)
		_, err = w.Cancel(background, w.actor, b.ID, "")
		w.Must(err)
		w.wantListed("canceled", w.Service, at("+1 14:00"), true)
		w.wantListed("canceled", w.secondServer(), at("+1 14:00"), true)
	})
}
