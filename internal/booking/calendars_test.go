package booking

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/store"
	"slotd/internal/store/testdb"
	"slotd/test/await"
	"slotd/test/worlds"
)

const stale = worlds.StaleAfter

func TestQuery_WhatWasNeverReadIsNotKnown(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		f := w.connect()
		_, err := w.listed(w.Service, "intro")
		wantCode(t, err, slotd.CalendarUnavailable)
		f.WantRequests("listing", 0)
		f.Put("club", at("09:00"), time.Hour)
		w.ReadCalendars("acme")
		w.wantListed("read", w.Service, at("09:00"), false)
		w.wantListed("read", w.Service, at("09:30"), false)
		w.wantListed("read", w.Service, at("10:00"), true)
	})
}

// A copy that is exactly as old as allowed still counts.
func TestQuery_ACopyCountsUntilItIsTooOld(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world, f *worlds.Feed) {
		f.WantRequests("the first read", 1)
		w.Clock.Advance(stale)
		w.wantListed("as old as may be", w.Service, at("09:30"), true)
		w.Clock.Advance(time.Millisecond)
		_, err := w.listed(w.Service, "intro")
		wantCode(t, err, slotd.CalendarUnavailable)
		_, err = w.listed(w.secondServer(), "intro")
		wantCode(t, err, slotd.CalendarUnavailable)
		f.WantRequests("listing", 0)
		w.ReadCalendars("acme")
		w.wantListed("read again", w.Service, at("09:30"), true)
		w.wantListed("read by another server", w.secondServer(), at("09:30"), true)
	})
}

func TestQuery_TheOldestOfTheCopiesDecides(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world, _ *worlds.Feed) {
		second := worlds.NewFeed(t)
		w.file.Calendars = append(w.file.Calendars,
			slotd.Calendar{Name: "home", Type: slotd.ICSFeed, URL: second.URL, StaleAfterMinutes: 5})
		w.apply()
		_, err := w.listed(w.Service, "intro")
		wantCode(t, err, slotd.CalendarUnavailable)
		w.ReadCalendars("acme")
		w.Clock.Advance(5 * time.Minute)
		w.wantListed("both are young", w.Service, at("09:30"), true)
		w.Clock.Advance(time.Millisecond)
		_, err = w.listed(w.Service, "intro")
		wantCode(t, err, slotd.CalendarUnavailable)
	})
}

// If a calendar cannot be read, its copy decides, as long as the copy is recent enough.
func TestCreate_UnreadableCalendar(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world, f *worlds.Feed) {
		f.Put("club", at("10:00"), time.Hour)
		w.Clock.Advance(time.Minute)
		w.ReadCalendars("acme")
		f.Remove("club")
		f.SetStatus(http.StatusInternalServerError)
		w.mustCreate("intro", at("09:00"))
		_, err := w.create("intro", at("10:00"))
		wantCode(t, err, slotd.SlotUnavailable)
		w.Clock.Advance(stale)
		b := w.mustCreate("intro", at("11:00"))
		w.Clock.Advance(time.Millisecond)
		_, err = w.create("intro", at("12:00"))
		wantCode(t, err, slotd.CalendarUnavailable)
		_, err = w.Reschedule(background, w.actor, b.ID, at("12:00"))
		wantCode(t, err, slotd.CalendarUnavailable)
		if got := w.stored(b); !got.StartsAt.Equal(at("11:00")) {
			t.Errorf("the booking moved to %v", got.StartsAt)
		}
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
		f.SetStatus(http.StatusOK)
		w.mustCreate("intro", at("12:00"))
	})
}

func TestCreate_NeverReadAndUnreadable(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		f := w.connect()
		f.SetStatus(http.StatusInternalServerError)
		_, err := w.create("intro", at("09:00"))
		wantCode(t, err, slotd.CalendarUnavailable)
		w.Clock.Advance(time.Minute)
		f.SetStatus(http.StatusOK)
		w.mustCreate("intro", at("09:00")) // an empty calendar differs from an unread one
	})
}

// When the guest's patience ends, the copy decides.
func TestCreate_SlowCalendar(t *testing.T) {
	for name, old := range map[string]bool{"young copy": false, "old copy": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, testdb.SQLite(t))
			f := w.connect()
			asked := make(chan struct{}, 100)
			before := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
				asked <- struct{}{}
				f.ServeHTTP(out, r)
			}))
			t.Cleanup(before.Close)
			w.file.Calendars[0].URL = before.URL
			w.apply()
			w.ReadCalendars("acme")
			await.Signal(t, "the first read", asked)
			f.Hang()
			w.calendars.LiveTimeout = time.Millisecond
			if old {
				w.Clock.Advance(stale + time.Millisecond)
			}
			_, err := w.create("intro", at("09:00"))
			if old {
				wantCode(t, err, slotd.CalendarUnavailable)
			} else {
				w.Must(err)
			}
			await.Signal(t, "a request to the calendar, which goes on without the guest", asked)
		})
	}
}

func TestVerbs_AskNoCalendarWithoutNeed(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world, f *worlds.Feed) {
		f.WantRequests("the first read", 1)
		repeat := Request{EventType: "intro", StartsAt: at("09:00"), Attendee: guest,
			Idempotency: &Idempotency{TokenID: "tok_1", Key: "k"}}
		b, err := w.Create(background, w.actor, repeat)
		w.Must(err)
		f.WantRequests("a booking", 1)
		again, err := w.Create(background, w.actor, repeat)
		if err != nil || again.ID != b.ID {
			t.Errorf("repeated: %v, %v", again, err)
		}
		f.WantRequests("the same request again", 0)
		for about, start := range map[string]time.Time{"taken": at("09:00"), "no start": at("09:10"),
			"past": at("07:00"), "too far": at("+40 09:00")} {
			_, err := w.create("intro", start)
			wantCode(t, err, slotd.SlotUnavailable)
			_, err = w.Reschedule(background, w.actor, b.ID, start)
			if about != "taken" { // the booking is already there
				wantCode(t, err, slotd.SlotUnavailable)
			}
			f.WantRequests(about, 0)
		}
		_, err = w.create("nothing", at("10:00"))
		wantCode(t, err, slotd.EventTypeNotFound)
		_, err = w.Reschedule(background, w.actor, uuid.New(), at("10:00"))
		wantCode(t, err, slotd.BookingNotFound)
		w.mustMove(b, at("09:00"))
		f.WantRequests("a move to where it is", 0)
		w.mustMove(b, at("10:00"))
		f.WantRequests("a move", 1)
		_, err = w.Cancel(background, w.actor, b.ID, "")
		w.Must(err)
		_, err = w.Reschedule(background, w.actor, b.ID, at("11:00"))
		wantCode(t, err, slotd.BookingCanceled)
		f.WantRequests("a cancel and what follows", 0)
	})
}

// A calendar that is connected or reconnected after the live read and before the transaction counts as unread.
func TestCreate_ACalendarThatChangesMeanwhileIsUnread(t *testing.T) {
	for name, change := range map[string]func(w *world){
		"another address": func(w *world) { w.file.Calendars[0].URL = worlds.NewFeed(w.T).URL },
		"another zone":    func(w *world) { w.file.TimeZone = "Europe/Berlin" },
		"one more": func(w *world) {
			w.file.Calendars = append(w.file.Calendars,
				slotd.Calendar{Name: "new", Type: slotd.ICSFeed, URL: worlds.NewFeed(w.T).URL, StaleAfterMinutes: 15})
		},
	} {
		t.Run(name, func(t *testing.T) {
			eachConnected(t, func(t *testing.T, w *world, f *worlds.Feed) {
				f.Put("club", at("09:00"), time.Hour)
				err := w.createMeanwhile(at("11:00"), func() {
					change(w)
					w.apply()
				})
				wantCode(t, err, slotd.CalendarUnavailable)
				w.mustCreate("intro", at("11:00")) // reads the calendar
			})
		})
	}
}

// createMeanwhile is Create with a change between the live read and the transaction.
func (w *world) createMeanwhile(start time.Time, meanwhile func()) error {
	w.T.Helper()
	p, err := w.cache.Latest(background, w.actor.WorkspaceID)
	w.Must(err)
	n := &creation{
		service: w.Service, actor: w.actor, request: Request{EventType: "intro", StartsAt: start, Attendee: guest},
		plan: w.atOnce(), snap: p, reads: w.readCalendars(background, p.Config), commit: w.newCommit(p.WorkspaceID),
	}
	defer n.commit.end()
	meanwhile()
	return w.db.InHostTx(background, p.WorkspaceID, p.HostID,
		func(ctx context.Context, tx *store.Tx) error { return n.run(ctx, tx) })
}
