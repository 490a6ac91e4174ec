package booking

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"slotd"
	"slotd/internal/store"
	"slotd/test/worlds"
)

func TestCreate_SeesWhatAppearedSinceTheListing(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world, f *worlds.Feed) {
		w.wantListed("before", w.Service, at("09:00"), true)
		f.Put("club", at("08:45"), 30*time.Minute)
		_, err := w.create("intro", at("09:00"))
		no := wantCode(t, err, slotd.SlotUnavailable)
		if slices.ContainsFunc(no.Alternatives, at("09:00").Equal) || len(no.Alternatives) != 3 {
			t.Errorf("alternatives %v", no.Alternatives)
		}
		w.wantListed("after", w.Service, at("09:00"), false)
		w.mustCreate("intro", at("09:30"))
	})
}

func TestReschedule_SeesWhatAppearedSinceTheListing(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world, f *worlds.Feed) {
		b := w.mustCreate("intro", at("09:00"))
		f.Put("club", at("10:00"), time.Hour)
		_, err := w.Reschedule(background, w.actor, b.ID, at("10:30"))
		wantCode(t, err, slotd.SlotUnavailable)
		f.Remove("club")
		w.ReadCalendars("acme")
		w.mustMove(b, at("10:30"))
	})
}

// race books every slot of a morning from several clients while an event appears at each slot: at every other slot
// before the first client asks, so that the race can always be lost, otherwise while the clients ask. It returns how
// many bookings overlap an event that existed before the client's request, and how many do not.
func (w *world) race(f *worlds.Feed, create func(start time.Time) error) (over, booked int64) {
	var wrong, right atomic.Int64
	for i := range 8 {
		start := at("09:00").Add(time.Duration(i) * 30 * time.Minute)
		uid := fmt.Sprint("event ", i)
		if i%2 == 0 {
			f.Put(uid, start, 30*time.Minute)
		}
		var all sync.WaitGroup
		for client := range 4 {
			all.Go(func() {
				if client == i/2 { // sometimes the first, sometimes the last
					f.Put(uid, start, 30*time.Minute)
				}
				there := f.Has(uid)
				err := create(start)
				switch {
				case err == nil && there:
					wrong.Add(1)
				case err == nil:
					right.Add(1)
				case !slotd.Is(err, slotd.SlotUnavailable):
					w.T.Error(err)
				}
			})
		}
		all.Wait()
	}
	return wrong.Load(), right.Load()
}

func TestRace_NeverOverAnEventThatWasThereBefore(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world, f *worlds.Feed) {
		over, booked := w.race(f, func(start time.Time) error {
			_, err := w.create("intro", start)
			return err
		})
		if over != 0 {
			t.Errorf("%d bookings lie over events that were there before (%d do not)", over, booked)
		}
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
	})
}

// The race above can be lost: without the live read, the same code books over events.
func TestRace_ControlWithoutTheLiveReadEventsAreBookedOver(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world, f *worlds.Feed) {
		over, _ := w.race(f, func(start time.Time) error {
			p, err := w.cache.Latest(background, w.actor.WorkspaceID)
			w.Must(err)
			n := &creation{service: w.Service, actor: w.actor, plan: w.atOnce(),
				request: Request{EventType: "intro", StartsAt: start,
					Attendee: guest}, snap: p, commit: w.newCommit(p.WorkspaceID)}
			defer n.commit.end()
			err = w.db.InHostTx(background, p.WorkspaceID, p.HostID,
				func(ctx context.Context, tx *store.Tx) error { return n.run(ctx, tx) })
			if wasRefused(err) {
				return slotd.NewError(slotd.SlotUnavailable, slotd.Facts{})
			}
			return err
		})
		if over == 0 {
			t.Error("no booking lies over an event: the race cannot be lost, so winning it proves nothing")
		}
	})
}

// The check at write time includes what another server read, whatever this server knows.
func TestCreate_TakesAnotherServersReadIntoAccount(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world, f *worlds.Feed) {
		other := w.secondServer()
		err := w.createMeanwhile(at("09:00"), func() {
			f.Put("club", at("09:00"), time.Hour)
			w.Clock.Advance(time.Minute)
			c := w.Config("acme")
			w.Must(other.calendars.Read(background, c.WorkspaceID, c.Calendars[0].ID))
		})
		if !wasRefused(err) {
			t.Errorf("got %v", err)
		}
	})
}
