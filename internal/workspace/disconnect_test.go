package workspace

import (
	"testing"

	"slotd"
	"slotd/internal/store/sqlcgen"
)

func (d *fixture) wantEntries(name string, want int) {
	d.t.Helper()
	c, n := config(d.t, d.db, "acme"), 0
	claims, err := d.db.Read().ClaimsBetween(ctx,
		sqlcgen.ClaimsBetweenParams{WorkspaceID: c.WorkspaceID, HostID: c.HostID, FromAt: 0, FromAt_2: 1 << 60,
			UntilAt: 0})
	must(d.t, err)
	entries, err := d.db.Read().EntriesOfBooking(ctx,
		sqlcgen.EntriesOfBookingParams{WorkspaceID: c.WorkspaceID, BookingID: claims[0].BookingID})
	must(d.t, err)
	for _, e := range entries {
		if e.CalendarID == d.calendar(name).ID {
			n++
		}
	}
	if n != want {
		d.t.Errorf("%d bookings are known to be in %s, want %d", n, name, want)
	}
}

// All-day events follow the workspace's time zone, and declined invitations are found by the host's address. After a
// change of either, the copies of the calendars are no longer right.
func TestPut_WhatChangesTheMeaningOfEventsReadsThemAgain(t *testing.T) {
	for about, edit := range map[string]func(*slotd.Workspace){
		"email": func(w *slotd.Workspace) { w.Host.Email = "ada@other.example" },
		"zone":  func(w *slotd.Workspace) { w.TimeZone = "Asia/Tokyo" },
	} {
		t.Run(about, func(t *testing.T) {
			eachFixture(t, func(t *testing.T, d *fixture) {
				edit(d.file)
				_, err := d.put("")
				must(t, err)
				for _, name := range []string{"office", "club"} {
					d.wantCalendarState(about, name, "due")
					d.wantEntries(name, 1) // the entry stays in the calendar
				}
				d.wantPassword("correct horse")
			})
		})
	}
}

func TestPut_OtherSettingsLeaveTheCopies(t *testing.T) {
	eachFixture(t, func(t *testing.T, d *fixture) {
		d.file.Host.Name, d.file.Name = "Ada P.", "Acme"
		d.file.Calendars[0].WriteBack, d.file.Calendars[0].StaleAfterMinutes = false, 99
		_, err := d.put("")
		must(t, err)
		if got := d.calendar("office"); got.WriteBack || got.StaleAfterMinutes != 99 {
			t.Errorf("got %+v", got)
		}
		d.wantCalendarState("settings", "office", untouched)
		d.wantPassword("correct horse")
	})
}

func TestPut_ACalendarLeftOutIsDisconnected(t *testing.T) {
	eachFixture(t, func(t *testing.T, d *fixture) {
		c, removed := config(t, d.db, "acme"), d.calendar("office")
		d.file.Calendars = d.file.Calendars[1:]
		_, err := d.put("")
		must(t, err)
		d.wantCalendarState("left out", "office", "nothing")
		d.wantCalendarState("not left out", "club", untouched)
		d.wantEntries("club", 1)
		q := d.db.Read()
		items, err := q.CalendarItems(ctx,
			sqlcgen.CalendarItemsParams{WorkspaceID: c.WorkspaceID, CalendarID: removed.ID})
		must(t, err)
		busy, err := q.CalendarBusy(ctx, sqlcgen.CalendarBusyParams{WorkspaceID: c.WorkspaceID, CalendarID: removed.ID})
		must(t, err)
		_, noRead := q.CalendarRead(ctx, sqlcgen.CalendarReadParams{WorkspaceID: c.WorkspaceID, CalendarID: removed.ID})
		_, noRow := q.Calendar(ctx, sqlcgen.CalendarParams{WorkspaceID: c.WorkspaceID, ID: removed.ID})
		if len(items)+len(busy) != 0 || noRead == nil || noRow == nil {
			t.Errorf("left: %v, %v, %v, %v", items, busy, noRead, noRow)
		}
		v, err := q.Version(ctx, c.WorkspaceID)
		if err != nil || v.BusyVersion == 0 {
			t.Errorf("the change of busy times was not counted: %+v, %v", v, err)
		}
		d.file = office()
		if _, err := d.put(""); !needsPassword(err) {
			t.Errorf("connected again with a forgotten password: %v", err)
		}
	})
}

func TestPut_ADryRunOfCalendarsChangesNothing(t *testing.T) {
	eachFixture(t, func(t *testing.T, d *fixture) {
		v, _ := versions(t, d.db, "acme")
		d.file.Calendars = d.file.Calendars[:1]
		d.file.TimeZone = "Asia/Tokyo"
		before, err := d.apply("battery staple", true)
		must(t, err)
		if len(before.NewPasswords) != 1 || len(before.Workspace.Calendars) != 2 {
			t.Errorf("before: %+v", before)
		}
		if v2, _ := versions(t, d.db, "acme"); v2 != v {
			t.Errorf("version %d → %d", v, v2)
		}
		d.wantCalendarState("dry run", "office", untouched)
		d.wantCalendarState("dry run", "club", untouched)
		d.wantPassword("correct horse")
	})
}
