package worker

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/booking"
	"slotd/internal/calendar/calsync"
	"slotd/internal/calendar/cloudtest"
	"slotd/internal/calendar/oauth"
	"slotd/internal/jobs"
	"slotd/internal/lib/safehttp"
	"slotd/internal/lib/seal"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
	"slotd/internal/workspace"
)

// connected is a world whose host has a Google calendar that bookings are written into.
type connected struct {
	*world
	google *cloudtest.Google
	file   *slotd.Workspace
	keys   *seal.Keys
	reads  *jobs.Runner
	writes *jobs.Runner
}

func eachConnected(t *testing.T, test func(t *testing.T, w *connected)) {
	testdb.EachTarget(t, func(t *testing.T, target string) { test(t, newConnected(t, target)) })
}

func newConnected(t *testing.T, target string) *connected {
	t.Helper()
	w := &connected{world: newWorld(t, target), file: office()}
	w.google = cloudtest.NewGoogle(t, w.clock.Now)
	keys, err := seal.Ensure(filepath.Join(t.TempDir(), "secret.key"))
	w.must(err)
	w.keys = keys
	quiet := slog.New(slog.DiscardHandler)
	w.calendars = &calsync.Service{
		DB: w.db, Cache: w.cache, Keys: keys,
		Client: safehttp.New([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}), Interval: calsync.DefaultInterval,
		Now: w.now, Log: quiet,
		Apps: map[slotd.CalendarType]oauth.App{slotd.Google: {Kind: oauth.Google, ClientID: cloudtest.ClientID,
			ClientSecret: cloudtest.ClientSecret, Base: w.google.URL}},
	}
	w.newService()
	w.reads = jobs.New(w.db, jobs.Calendar,
		map[string]jobs.Handler{workspace.SyncJob: (&Calendars{Sync: w.calendars}).Read}, w.now, quiet)
	w.writes = jobs.New(w.db, jobs.WriteBack, map[string]jobs.Handler{booking.WriteBackJob: w.writeBack().Write}, w.now,
		quiet)
	mailer := w.mailer(w.box)
	w.runner = jobs.New(w.db, jobs.Mail,
		map[string]jobs.Handler{calsync.OwnerMailJob: mailer.SendCalendarMail, booking.NoticeJob: mailer.SendNotice,
			booking.ReminderJob: mailer.SendNotice}, w.now, quiet)
	w.file.Calendars = []slotd.Calendar{{Name: "office", Type: slotd.Google, WriteBack: true,
		StaleAfterMinutes: 7 * 24 * 60}}
	w.apply(nil)
	w.consent("office")
	return w
}

func (w *connected) writeBack() *WriteBack {
	return &WriteBack{Booking: w.Service, Sync: w.calendars, DB: w.db, Cache: w.cache, Now: w.now}
}

func (w *connected) apply(passwords map[string]string) {
	w.t.Helper()
	if problems := workspace.Validate(w.file); len(problems) > 0 {
		w.t.Fatalf("the test's workspace is wrong: %v", problems)
	}
	_, err := workspace.Put(background, w.db,
		workspace.Change{Desired: w.file, Passwords: passwords, Keys: w.keys, Now: w.clock.Now()})
	w.must(err)
}

func (w *connected) calendar(name string) *slotd.Calendar {
	w.t.Helper()
	c := w.config()
	at := slices.IndexFunc(c.Calendars, func(cal slotd.Calendar) bool { return cal.Name == name })
	if at < 0 {
		w.t.Fatalf("no calendar %s", name)
	}
	return &c.Calendars[at]
}

func (w *connected) config() *snapshot.Config {
	w.t.Helper()
	c, err := snapshot.LoadConfig(background, w.db.Read(), "acme")
	w.must(err)
	return c
}

// consent stores the owner's consent to a calendar.
func (w *connected) consent(name string) {
	w.t.Helper()
	cal := w.calendar(name)
	sealed, err := workspace.Credential{Token: w.google.Grant()}.Seal(w.keys, w.actor.WorkspaceID, cal)
	w.must(err)
	w.must(w.db.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.SealCalendar(ctx,
			sqlcgen.SealCalendarParams{WorkspaceID: w.actor.WorkspaceID, ID: cal.ID, Sealed: sealed,
				Sealed_2: []byte{}})
		return err
	}))
}

func (w *connected) status(name string) calsync.Status {
	w.t.Helper()
	all, err := w.calendars.List(background, w.config())
	w.must(err)
	for _, s := range all {
		if s.Name == name {
			return s
		}
	}
	w.t.Fatalf("no calendar %s", name)
	return calsync.Status{}
}

// pending returns the jobs of one kind that are not done.
func (w *connected) pending(kind string) (all []jobs.Entry) {
	w.t.Helper()
	entries, err := jobs.List(background, w.db, false, 1000)
	w.must(err)
	return slices.DeleteFunc(entries, func(e jobs.Entry) bool { return e.Kind != kind })
}

func TestRead_TheJobReadsEveryFewMinutes(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		for i := range 3 {
			requests := w.google.Requests()
			w.must(w.reads.RunDue(background))
			if w.google.Requests() == requests {
				t.Fatalf("round %d: nobody was asked", i)
			}
			left := w.pending(workspace.SyncJob)
			if len(left) != 1 || !left[0].NextAt.Equal(w.clock.Now().Add(calsync.DefaultInterval)) ||
				left[0].Failures != 0 {
				t.Fatalf("round %d: %+v", i, left)
			}
			w.clock.Set(left[0].NextAt)
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
			w.must(w.reads.RunDue(background))
			p, err := w.cache.Latest(background, w.actor.WorkspaceID)
			w.must(err)
			if s := w.status("office"); len(p.Busy.Busy()) != events || s.Error != "" {
				t.Errorf("round %d: busy %v, %+v", i, p.Busy.Busy(), s)
			}
			w.clock.Advance(calsync.DefaultInterval)
		}
	})
}

// An unreadable calendar is not a failure of the job. The job waits, and is not given up after three days.
func TestRead_AnUnreadableCalendarIsNoFailedJob(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		w.google.FailNext(1000, 500)
		for range 12 {
			w.must(w.reads.RunDue(background))
			left := w.pending(workspace.SyncJob)
			if len(left) != 1 || left[0].State != jobs.Waiting || left[0].Failures != 0 ||
				!left[0].NextAt.After(w.clock.Now()) {
				t.Fatalf("got %+v", left)
			}
			w.clock.Set(left[0].NextAt.Add(12 * time.Hour))
		}
	})
}

func TestRead_TheJobEndsWithItsCalendar(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		w.must(w.reads.RunDue(background))
		w.file.Calendars = nil
		w.apply(nil)
		w.clock.Advance(time.Hour)
		requests := w.google.Requests()
		w.must(w.reads.RunDue(background))
		if left := w.pending(workspace.SyncJob); len(left) != 0 || w.google.Requests() != requests {
			t.Errorf("%d requests, left: %+v", w.google.Requests()-requests, left)
		}
	})
}

// Only the owner can restore the access, so nothing is tried until then.
func TestRead_TheJobEndsWhenThePermissionIsTakenBack(t *testing.T) {
	eachConnected(t, func(t *testing.T, w *connected) {
		w.must(w.reads.RunDue(background))
		w.google.RevokeGrant()
		w.clock.Advance(time.Hour)
		j := &jobs.Job{WorkspaceID: w.actor.WorkspaceID, Detail: w.detail("office")}
		if _, err := (&Calendars{Sync: w.calendars}).Read(background, j); err != nil {
			t.Fatalf("the job goes on: %v", err)
		}
		w.must(w.reads.RunDue(background))
		if s := w.status("office"); !s.Broken || s.Error == "" || !s.NextAt.IsZero() {
			t.Errorf("got %+v", s)
		}
		if left := w.pending(workspace.SyncJob); len(left) != 0 {
			t.Errorf("left: %+v", left)
		}
		requests, tokens := w.google.Requests(), w.google.TokenRequests()
		w.clock.Advance(24 * time.Hour)
		w.must(w.reads.RunDue(background))
		if err := w.calendars.Read(background, w.actor.WorkspaceID, w.calendar("office").ID); err == nil {
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
		j := &jobs.Job{WorkspaceID: w.actor.WorkspaceID, Detail: w.detail("office")}
		_, err := (&Calendars{Sync: w.calendars}).Read(ctx, j)
		if err == nil || !strings.Contains(err.Error(), "stopped meanwhile") {
			t.Errorf("got %v", err)
		}
		// The read that the job started goes on. The next read waits for it.
		w.must(w.calendars.Read(background, w.actor.WorkspaceID, w.calendar("office").ID))
	})
}
