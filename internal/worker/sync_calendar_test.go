package worker

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"slotd/internal/calendar/calsync"
	"slotd/internal/calendar/cloudtest"
	"slotd/internal/jobs"
	"slotd/internal/workspace"
)

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
		if err == nil || !strings.Contains(err.Error(), "stopped in the meantime") {
			t.Errorf("got %v", err)
		}
		// The read that the job started goes on. The next read waits for it.
		w.Must(w.calendars.Read(background, w.Actor.WorkspaceID, w.calendar("office").ID))
	})
}
