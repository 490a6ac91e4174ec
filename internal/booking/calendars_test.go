package booking

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/store"
	"slotd/internal/store/testdb"
)

const stale = 15 * time.Minute

func TestQuery_WhatWasNeverReadIsNotKnown(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		f := w.connect()
		_, err := w.listed(w.Service, "intro")
		wantCode(t, err, slotd.CalendarUnavailable)
		f.wantRequests("listing", 0)
		f.put("club", at("09:00"), time.Hour)
		w.read()
		w.wantListed("read", w.Service, at("09:00"), false)
		w.wantListed("read", w.Service, at("09:30"), false)
		w.wantListed("read", w.Service, at("10:00"), true)
	})
}

// A copy that is exactly as old as allowed still counts.
func TestQuery_ACopyCountsUntilItIsTooOld(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world, f *fakeFeed) {
		f.wantRequests("the first read", 1)
		w.clock.Advance(stale)
		w.wantListed("as old as may be", w.Service, at("09:30"), true)
		w.clock.Advance(time.Millisecond)
		_, err := w.listed(w.Service, "intro")
		wantCode(t, err, slotd.CalendarUnavailable)
		_, err = w.listed(w.secondServer(), "intro")
		wantCode(t, err, slotd.CalendarUnavailable)
		f.wantRequests("listing", 0)
		w.read()
		w.wantListed("read again", w.Service, at("09:30"), true)
		w.wantListed("read by another server", w.secondServer(), at("09:30"), true)
	})
}

func TestQuery_TheOldestOfTheCopiesDecides(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world, _ *fakeFeed) {
		second := newFakeFeed(t)
		w.file.Calendars = append(w.file.Calendars,
			slotd.Calendar{Name: "home", Type: slotd.ICSFeed, URL: second.URL, StaleAfterMinutes: 5})
		w.apply()
		_, err := w.listed(w.Service, "intro")
		wantCode(t, err, slotd.CalendarUnavailable)
		w.read()
		w.clock.Advance(5 * time.Minute)
		w.wantListed("both are young", w.Service, at("09:30"), true)
		w.clock.Advance(time.Millisecond)
		_, err = w.listed(w.Service, "intro")
		wantCode(t, err, slotd.CalendarUnavailable)
	})
}

// If a calendar cannot be read, its copy decides, as long as the copy is recent enough.
func TestCreate_UnreadableCalendar(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world, f *fakeFeed) {
		f.put("club", at("10:00"), time.Hour)
		w.clock.Advance(time.Minute)
		w.read()
		f.remove("club")
		f.setStatus(http.StatusInternalServerError)
		w.mustCreate("intro", at("09:00"))
		_, err := w.create("intro", at("10:00"))
		wantCode(t, err, slotd.SlotUnavailable)
		w.clock.Advance(stale)
		b := w.mustCreate("intro", at("11:00"))
		w.clock.Advance(time.Millisecond)
		_, err = w.create("intro", at("12:00"))
		wantCode(t, err, slotd.CalendarUnavailable)
		_, err = w.Reschedule(background, w.actor, b.ID, at("12:00"))
		wantCode(t, err, slotd.CalendarUnavailable)
		if got := w.stored(b); !got.StartsAt.Equal(at("11:00")) {
			t.Errorf("the booking moved to %v", got.StartsAt)
		}
		w.checkClaims(t.Fatalf)
		f.setStatus(http.StatusOK)
		w.mustCreate("intro", at("12:00"))
	})
}

func TestCreate_NeverReadAndUnreadable(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		f := w.connect()
		f.setStatus(http.StatusInternalServerError)
		_, err := w.create("intro", at("09:00"))
		wantCode(t, err, slotd.CalendarUnavailable)
		w.clock.Advance(time.Minute)
		f.setStatus(http.StatusOK)
		w.mustCreate("intro", at("09:00")) // an empty calendar differs from an unread one
	})
}

// A guest waits for three seconds, then the copy decides.
func TestCreate_SlowCalendar(t *testing.T) {
	for name, old := range map[string]bool{"young copy": false, "old copy": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, testdb.SQLite(t))
			f := w.connect()
			w.read()
			f.hang()
			if old {
				w.clock.Advance(stale + time.Millisecond)
			}
			began := time.Now()
			_, err := w.create("intro", at("09:00"))
			if took := time.Since(began); took < 3*time.Second || took > 8*time.Second {
				t.Errorf("the guest waited for %v", took)
			}
			if old {
				wantCode(t, err, slotd.CalendarUnavailable)
			} else {
				w.must(err)
			}
		})
	}
}

func TestVerbs_AskNoCalendarWithoutNeed(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *world, f *fakeFeed) {
		f.wantRequests("the first read", 1)
		repeat := Request{EventType: "intro", StartsAt: at("09:00"), Attendee: guest,
			Idempotency: &Idempotency{TokenID: "tok_1", Key: "k"}}
		b, err := w.Create(background, w.actor, repeat)
		w.must(err)
		f.wantRequests("a booking", 1)
		again, err := w.Create(background, w.actor, repeat)
		if err != nil || again.ID != b.ID {
			t.Errorf("repeated: %v, %v", again, err)
		}
		f.wantRequests("the same request again", 0)
		for about, start := range map[string]time.Time{"taken": at("09:00"), "no start": at("09:10"),
			"past": at("07:00"), "too far": at("+40 09:00")} {
			_, err := w.create("intro", start)
			wantCode(t, err, slotd.SlotUnavailable)
			_, err = w.Reschedule(background, w.actor, b.ID, start)
			if about != "taken" { // the booking is already there
				wantCode(t, err, slotd.SlotUnavailable)
			}
			f.wantRequests(about, 0)
		}
		_, err = w.create("nothing", at("10:00"))
		wantCode(t, err, slotd.EventTypeNotFound)
		_, err = w.Reschedule(background, w.actor, uuid.New(), at("10:00"))
		wantCode(t, err, slotd.BookingNotFound)
		w.mustMove(b, at("09:00"))
		f.wantRequests("a move to where it is", 0)
		w.mustMove(b, at("10:00"))
		f.wantRequests("a move", 1)
		_, err = w.Cancel(background, w.actor, b.ID, "")
		w.must(err)
		_, err = w.Reschedule(background, w.actor, b.ID, at("11:00"))
		wantCode(t, err, slotd.BookingCanceled)
		f.wantRequests("a cancel and what follows", 0)
	})
}

// A calendar that is connected or reconnected after the live read and before the transaction counts as unread.
func TestCreate_ACalendarThatChangesMeanwhileIsUnread(t *testing.T) {
	for name, change := range map[string]func(w *world){
		"another address": func(w *world) { w.file.Calendars[0].URL = newFakeFeed(w.t).URL },
		"another zone":    func(w *world) { w.file.TimeZone = "Europe/Berlin" },
		"one more": func(w *world) {
			w.file.Calendars = append(w.file.Calendars,
				slotd.Calendar{Name: "new", Type: slotd.ICSFeed, URL: newFakeFeed(w.t).URL, StaleAfterMinutes: 15})
		},
	} {
		t.Run(name, func(t *testing.T) {
			eachConnected(t, func(t *testing.T, w *world, f *fakeFeed) {
				f.put("club", at("09:00"), time.Hour)
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
	w.t.Helper()
	p, err := w.cache.Latest(background, w.actor.WorkspaceID)
	w.must(err)
	n := &creation{
		service: w.Service, actor: w.actor, request: Request{EventType: "intro", StartsAt: start, Attendee: guest},
		snap: p, reads: w.readCalendars(background, p.Config), commit: w.newCommit(p.WorkspaceID),
	}
	defer n.commit.end()
	meanwhile()
	return w.db.InHostTx(background, p.WorkspaceID, p.HostID,
		func(ctx context.Context, tx *store.Tx) error { return n.run(ctx, tx) })
}
