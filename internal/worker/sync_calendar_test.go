package worker

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/calendar/calsync"
	"slotd/internal/calendar/cloudtest"
	"slotd/internal/calendar/oauth"
	"slotd/internal/jobs"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
	"slotd/internal/workspace"
)

// connected is a world whose host has a Google calendar that bookings are written into.
type connected struct {
	*world
	google *cloudtest.Google
	reads  *jobs.Runner
	writes *jobs.Runner
}

func eachConnected(t *testing.T, test func(t *testing.T, w *connected)) {
	testdb.EachTarget(t, func(t *testing.T, target string) { test(t, newConnected(t, target)) })
}

func newConnected(t *testing.T, target string) *connected {
	t.Helper()
	w := &connected{world: newWorld(t, target)}
	w.google = cloudtest.NewGoogle(t, w.Clock.Now)
	w.calendars = w.Calendars(w.DB, w.Cache)
	w.calendars.Apps = map[slotd.CalendarType]oauth.App{slotd.Google: {Kind: oauth.Google,
		ClientID: cloudtest.ClientID, ClientSecret: cloudtest.ClientSecret, Base: w.google.URL}}
	w.newService()
	w.reads = w.newRunner(jobs.Calendar,
		map[string]jobs.Handler{workspace.SyncJob: (&Calendars{Sync: w.calendars}).Read})
	w.writes = w.newWriter()
	w.deliverTo(w.box)
	w.File.Calendars = []slotd.Calendar{{Name: "office", Type: slotd.Google, WriteBack: true,
		StaleAfterMinutes: 7 * 24 * 60}}
	w.PutFile()
	w.consent("office")
	return w
}

func (w *connected) writeBack() *WriteBack {
	return &WriteBack{Booking: w.Service, Sync: w.calendars, DB: w.DB, Cache: w.Cache, Now: w.now}
}

// newWriter returns a server's runner of write-back jobs.
func (w *connected) newWriter() *jobs.Runner {
	return w.newRunner(jobs.WriteBack, map[string]jobs.Handler{booking.WriteBackJob: w.writeBack().Write})
}

func (w *connected) calendar(name string) *slotd.Calendar {
	w.T.Helper()
	c := w.Config("acme")
	at := slices.IndexFunc(c.Calendars, func(cal slotd.Calendar) bool { return cal.Name == name })
	if at < 0 {
		w.T.Fatalf("no calendar %s", name)
	}
	return &c.Calendars[at]
}

// consent stores the owner's consent to a calendar.
func (w *connected) consent(name string) {
	w.T.Helper()
	cal := w.calendar(name)
	sealed, err := workspace.Credential{Token: w.google.Grant()}.Seal(w.Keys, w.Actor.WorkspaceID, cal)
	w.Must(err)
	w.Must(w.DB.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.SealCalendar(ctx,
			sqlcgen.SealCalendarParams{WorkspaceID: w.Actor.WorkspaceID, ID: cal.ID, Sealed: sealed,
				Sealed_2: []byte{}})
		return err
	}))
}

func (w *connected) status(name string) calsync.Status {
	w.T.Helper()
	all, err := w.calendars.List(background, w.Config("acme"))
	w.Must(err)
	for _, s := range all {
		if s.Name == name {
			return s
		}
	}
	w.T.Fatalf("no calendar %s", name)
	return calsync.Status{}
}

func TestRead_TheJobReadsEveryFewMinutes(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		for i := range 3 {
			requests := w.google.Requests()
			w.Must(w.reads.RunDue(background))
			if w.google.Requests() == requests {
				t.Fatalf("round %d: nobody was asked", i)
			}
			left := w.pending(workspace.SyncJob)
			if len(left) != 1 || !left[0].NextAt.Equal(w.Clock.Now().Add(calsync.DefaultInterval)) ||
				left[0].Failures != 0 {
				t.Fatalf("round %d: %+v", i, left)
			}
			w.Clock.Set(left[0].NextAt)
		}
		if s := w.status("office"); s.ReadAt.IsZero() || s.Error != "" {
			t.Errorf("got %+v", s)
		}
	})
}

// An empty calendar means that the host is free. It is not an unreadable calendar.
func TestRead_WhatIsInTheCalendarAndThenNothing(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		for i, events := range []int{0, 1, 2, 1, 0} {
			for n := range 2 {
				start := monday.Add(time.Duration(n) * 24 * time.Hour)
				at := func(t time.Time) cloudtest.Event { return cloudtest.Event{"dateTime": t.Format(time.RFC3339)} }
				id := fmt.Sprint("event", n)
				if _, there := w.google.Events("primary")[id]; n < events && !there {
					w.google.Put("primary", cloudtest.Event{"id": id, "start": at(start),
						"end": at(start.Add(time.Hour))})
				} else if n >= events && there {
					w.google.Remove("primary", id)
				}
			}
			w.Must(w.reads.RunDue(background))
			p, err := w.Cache.Latest(background, w.Actor.WorkspaceID)
			w.Must(err)
			if s := w.status("office"); len(p.Busy.Busy()) != events || s.Error != "" {
				t.Errorf("round %d: busy %v, %+v", i, p.Busy.Busy(), s)
			}
			w.Clock.Advance(calsync.DefaultInterval)
		}
	})
}

// An unreadable calendar is not a failure of the job. The job waits, and is not given up after three days.
func TestRead_AnUnreadableCalendarIsNoFailedJob(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		w.google.FailNext(1000, 500)
		for range 12 {
			w.Must(w.reads.RunDue(background))
			left := w.pending(workspace.SyncJob)
			if len(left) != 1 || left[0].State != jobs.Waiting || left[0].Failures != 0 ||
				!left[0].NextAt.After(w.Clock.Now()) {
				t.Fatalf("got %+v", left)
			}
			w.Clock.Set(left[0].NextAt.Add(12 * time.Hour))
		}
	})
}

func TestRead_TheJobEndsWithItsCalendar(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		w.Must(w.reads.RunDue(background))
		w.File.Calendars = nil
		w.PutFile()
		w.Clock.Advance(time.Hour)
		requests := w.google.Requests()
		w.Must(w.reads.RunDue(background))
		if left := w.pending(workspace.SyncJob); len(left) != 0 || w.google.Requests() != requests {
			t.Errorf("%d requests, left: %+v", w.google.Requests()-requests, left)
		}
	})
}

// Only the owner can restore the access, so nothing is tried until then.
func TestRead_TheJobEndsWhenThePermissionIsTakenBack(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		w.Must(w.reads.RunDue(background))
		w.google.RevokeGrant()
		w.Clock.Advance(time.Hour)
		j := &jobs.Job{WorkspaceID: w.Actor.WorkspaceID, Detail: w.detail("office")}
		if _, err := (&Calendars{Sync: w.calendars}).Read(background, j); err != nil {
			t.Fatalf("the job goes on: %v", err)
		}
		w.Must(w.reads.RunDue(background))
		if s := w.status("office"); !s.Broken || s.Error == "" || !s.NextAt.IsZero() {
			t.Errorf("got %+v", s)
		}
		if left := w.pending(workspace.SyncJob); len(left) != 0 {
			t.Errorf("left: %+v", left)
		}
		requests, tokens := w.google.Requests(), w.google.TokenRequests()
		w.Clock.Advance(24 * time.Hour)
		w.Must(w.reads.RunDue(background))
		if err := w.calendars.Read(background, w.Actor.WorkspaceID, w.calendar("office").ID); err == nil {
			t.Error("a guest's read got through")
		}
		if w.google.Requests() != requests || w.google.TokenRequests() != tokens {
			t.Error("it was tried again")
		}
	})
}

func TestRead_AServerThatStopsLeavesTheJobToOthers(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		ctx, cancel := context.WithCancel(background)
		w.google.BeforeNext(cancel)
		j := &jobs.Job{WorkspaceID: w.Actor.WorkspaceID, Detail: w.detail("office")}
		_, err := (&Calendars{Sync: w.calendars}).Read(ctx, j)
		if err == nil || !strings.Contains(err.Error(), "stopped meanwhile") {
			t.Errorf("got %v", err)
		}
		// The read that the job started goes on. The next read waits for it.
		w.Must(w.calendars.Read(background, w.Actor.WorkspaceID, w.calendar("office").ID))
	})
}
