package ical

import (
	"strings"
	"testing"
	"time"
)

// january returns the days and hours, in UTC, at which the events of January 2030 start.
func january(t *testing.T, r Reader, text string) string {
	t.Helper()
	r.From, r.Until = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2030, 2, 1, 0, 0, 0, 0, time.UTC)
	busy, _, err := r.Busy(strings.NewReader(text))
	if err != nil {
		return err.Error()
	}
	var starts []string
	for _, s := range busy {
		starts = append(starts, s.Start.Format("2T15:04"))
	}
	return strings.Join(starts, " ")
}

func TestSeries_WhatIsLeftOut(t *testing.T) {
	const utc, berlin, days = "DTSTART:20300107T090000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=3\n",
		"DTSTART;TZID=Europe/Berlin:20300107T100000\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=3\n", "DTSTART;VALUE=DATE:20300107\nRRULE:FREQ=DAILY;COUNT=3\n"
	const all, second, allDays = "7T09:00 8T09:00 9T09:00", "7T09:00 9T09:00", "7T05:00 8T05:00 9T05:00"
	for name, c := range map[string]struct{ lines, want string }{
		"nothing":                     {berlin, all},
		"the same spelling":           {berlin + "EXDATE;TZID=Europe/Berlin:20300108T100000", second},
		"in UTC":                      {berlin + "EXDATE:20300108T090000Z", second},
		"on another clock":            {berlin + "EXDATE;TZID=America/New_York:20300108T040000", second},
		"on no clock":                 {berlin + "EXDATE:20300108T100000", second},
		"as a date":                   {berlin + "EXDATE;VALUE=DATE:20300108", second},
		"an hour beside":              {berlin + "EXDATE:20300108T100000Z", all},
		"on a clock nobody knows":     {berlin + "EXDATE;TZID=Mars:20300108T100000", all},
		"unreadable":                  {berlin + "EXDATE:8 January", all},
		"without a colon":             {berlin + "EXDATE 20300108T100000", all},
		"a zoned one of a UTC series": {utc + "EXDATE;TZID=Europe/Berlin:20300108T100000", second},
		"a day of days":               {days + "EXDATE;VALUE=DATE:20300108", "7T05:00 9T05:00"},
		"midnight of a day":           {days + "EXDATE:20300108T000000", "7T05:00 9T05:00"},
		"midnight in UTC of a day":    {days + "EXDATE:20300108T000000Z", "7T05:00 9T05:00"},
		"the owner's midnight":        {days + "EXDATE:20300108T050000Z", "7T05:00 9T05:00"},
		"another hour of a day":       {days + "EXDATE:20300108T060000Z", allDays},
		"the first":                   {berlin + "EXDATE:20300107T090000Z", "8T09:00 9T09:00"},
		"by a rule":                   {berlin + "EXRULE:FREQ=DAILY;INTERVAL=2", "8T09:00"},
	} {
		if got := january(t, newYork(t), ics(c.lines)); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

func TestSeries_Exceptions(t *testing.T) {
	const series = "UID:a\nDTSTART:20300107T090000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=4\n"
	const moved = "UID:a\nDTSTART:20300120T120000Z\nDURATION:PT1H\nRECURRENCE-ID"
	const all = "7T09:00 8T09:00 9T09:00 10T09:00"
	for name, c := range map[string]struct {
		want   string
		events []string
	}{
		"moved": {"7T09:00 9T09:00 10T09:00 20T12:00",
			[]string{series, moved + ":20300108T090000Z"}},
		"before its series": {"7T09:00 9T09:00 10T09:00 20T12:00",
			[]string{moved + ":20300108T090000Z", series}},
		"canceled": {"7T09:00 9T09:00 10T09:00",
			[]string{series, moved + ":20300108T090000Z\nSTATUS:CANCELLED"}},
		"canceled without a start": {"7T09:00 9T09:00 10T09:00",
			[]string{series, "UID:a\nRECURRENCE-ID:20300108T090000Z\nSTATUS:CANCELLED"}},
		"of no date of the series": {all + " 20T12:00", []string{series, moved + ":20300108T093000Z"}},
		"of another series": {all + " 20T12:00",
			[]string{series, strings.Replace(moved, "UID:a", "UID:b", 1) + ":20300108T090000Z"}},
		"without a UID": {all + " 20T12:00",
			[]string{strings.TrimPrefix(series, "UID:a\n"),
				strings.TrimPrefix(moved, "UID:a\n") + ":20300108T090000Z"}},
		"two series of one UID": {"7T09:00 7T09:00 8T09:00 8T09:00 9T09:00 9T09:00 10T09:00 10T09:00 20T12:00",
			[]string{series, series, moved + ":20300108T090000Z"}},
		"busy in a free series": {"20T12:00", []string{series + "TRANSP:TRANSPARENT", moved + ":20300108T090000Z"}},
		"onwards": {"7T09:00 20T12:00 21T12:00 22T12:00",
			[]string{series, moved + ";RANGE=THISANDFUTURE:20300108T090000Z"}},
		"onwards canceled": {"7T09:00",
			[]string{series, moved + ";RANGE=THISANDFUTURE:20300108T090000Z\nSTATUS:CANCELLED"}},
		"onwards busy": {"20T12:00 21T12:00",
			[]string{series + "TRANSP:TRANSPARENT", moved + ";RANGE=THISANDFUTURE:20300109T090000Z"}},
		"onwards, then one": {"7T09:00 15T12:00 20T12:00 22T12:00",
			[]string{series, moved + ";RANGE=THISANDFUTURE:20300108T090000Z",
				strings.Replace(moved, "0120", "0115", 1) + ":20300109T090000Z"}},
		"onwards, unclear": {"Line 9: this exception also applies to later dates, but its RECURRENCE-ID isn't in the time " +
			"zone of its series.",
			[]string{series, moved + ";RANGE=THISANDFUTURE;TZID=Mars:20300108T090000"}},
		"onwards of two": {"Line 15: this exception also applies to later dates, but there are several series with its " +
			"UID.",
			[]string{series, series, moved + ";RANGE=THISANDFUTURE:20300108T090000Z"}},
		"onwards of a broken one": {"Line 5: DTSTART isn't a time like 20300108, 20300108T100000 or " +
			"20300108T100000Z.",
			[]string{"UID:a\nDTSTART:soon\nTRANSP:TRANSPARENT", moved + ";RANGE=THISANDFUTURE:20300108T090000Z"}},
	} {
		for i := range c.events {
			c.events[i] = strings.TrimSpace(c.events[i])
		}
		if got := january(t, newYork(t), ics(c.events...)); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

func TestSeries_Ends(t *testing.T) {
	const berlin, days = "DTSTART;TZID=Europe/Berlin:20300107T003000\nDURATION:PT1H\nRRULE:FREQ=DAILY;UNTIL=",
		"DTSTART;VALUE=DATE:20300107\nRRULE:FREQ=DAILY;UNTIL="
	for name, c := range map[string]struct{ lines, want string }{
		"at an instant":          {berlin + "20300108T233000Z", "6T23:30 7T23:30 8T23:30"},
		"a second before":        {berlin + "20300108T232959Z", "6T23:30 7T23:30"},
		"on its clock":           {berlin + "20300108T003000", "6T23:30 7T23:30"},
		"with a day":             {berlin + "20300108", "6T23:30 7T23:30"},
		"before it starts":       {berlin + "20300101", "6T23:30"},
		"days with a day":        {days + "20300108", "7T05:00 8T05:00"},
		"days at UTC's midnight": {days + "20300108T000000Z", "7T05:00 8T05:00"},
		"days at the owner's":    {days + "20300108T050000Z", "7T05:00 8T05:00"},
		"days, a second before":  {days + "20300107T235959Z", "7T05:00"},
		"days, hourly": {"DTSTART;VALUE=DATE:20300107\nRRULE:FREQ=HOURLY;COUNT=26;BYHOUR=5",
			"7T05:00 8T05:00"},
		"on a clock nobody knows": {"DTSTART;TZID=Mars:20300107T120000\nDURATION:PT1H\nRRULE:FREQ=DAILY;UNTIL=20300107T220000Z", "6T22:00 7T22:00"},
	} {
		if got := january(t, newYork(t), ics(c.lines)); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

func TestSeries_DatesOfTheirOwn(t *testing.T) {
	const hour = "DTSTART;TZID=Europe/Berlin:20300107T100000\nDURATION:PT1H\n"
	for name, c := range map[string]struct{ lines, want string }{
		"on its clock": {hour + "RDATE;TZID=Europe/Berlin:20300109T110000,20300110T120000",
			"7T09:00 9T10:00 10T11:00"},
		"in UTC":                  {hour + "RDATE:20300109T100000Z", "7T09:00 9T10:00"},
		"the first again":         {hour + "RDATE:20300107T090000Z", "7T09:00"},
		"on a clock nobody knows": {hour + "RDATE;TZID=Mars:20300109T100000", "7T09:00 8T20:00"},
		"a day of hours":          {hour + "RDATE;VALUE=DATE:20300109", "7T09:00 9T05:00 9T09:00"},
		"an hour of days":         {"DTSTART;VALUE=DATE:20300107\nRDATE:20300109T060000Z", "7T05:00 9T06:00"},
		"left out again": {hour + "RDATE:20300109T100000Z\nEXDATE;TZID=Europe/Berlin:20300109T110000",
			"7T09:00"},
		"a period left out": {hour + "RDATE;VALUE=PERIOD:20300109T100000Z/PT3H\nEXDATE:20300109T100000Z", "7T09:00"},
		"of a free one":     {hour + "TRANSP:TRANSPARENT\nRDATE;VALUE=PERIOD:20300109T100000Z/PT3H\nRDATE:20300110T100000Z", ""},
	} {
		if got := january(t, newYork(t), ics(c.lines)); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

func TestExpansion_NamesEventsAndBoundsThem(t *testing.T) {
	r := newYork(t)
	r.From, r.Until = time.Date(2030, 1, 8, 10, 0, 0, 0, time.UTC), time.Date(2030, 1, 9, 10, 0, 0, 0, time.UTC)
	x := NewExpansion(r)
	for _, lines := range []string{
		"UID:ends at the start\nDTSTART:20300108T090000Z\nDURATION:PT1H",
		"UID:b\nDTSTART:20300108T090000Z\nDURATION:PT61M",
		"UID:starts at the end\nDTSTART:20300109T100000Z\nDURATION:PT1H",
		"UID:d\nDTSTART:20300109T095900Z\nDURATION:PT1H", "UID:a\nDTSTART:20200108T090000Z\nDTEND:20400101T000000Z",
		"UID:c\nDTSTART:20200101T120000Z\nDTEND:20200105T120000Z\nRRULE:FREQ=DAILY;INTERVAL=4",
		"UID:back\nDTSTART:20300112T120000Z\nDTEND:20300109T000000Z",
	} {
		if err := x.Add(ics(lines)); err != nil {
			t.Fatal(err)
		}
	}
	events, warnings, err := x.Events()
	var uids []string
	for _, e := range events {
		uids = append(uids, e.UID)
	}
	if got := strings.Join(uids, " "); err != nil || len(warnings) != 1 || got != "a c b c back d" {
		t.Errorf("%s, %q, %v", got, warnings, err)
	}
}

func TestExpansion_ExceptionsApplyWithinOneItem(t *testing.T) {
	r := newYork(t)
	series, exception := ics("UID:a\nDTSTART:20300107T090000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=2"),
		ics("UID:a\nDTSTART:20300107T090000Z\nRECURRENCE-ID:20300107T090000Z\nSTATUS:CANCELLED")
	for want, items := range map[int][]string{1: {series + exception}, 2: {series, exception}} {
		x := NewExpansion(r)
		for _, item := range items {
			if err := x.Add(item); err != nil {
				t.Fatal(err)
			}
		}
		if events, _, err := x.Events(); err != nil || len(events) != want {
			t.Errorf("%d events in %d items, %v", len(events), len(items), err)
		}
	}
}

// The event lasts from Saturday 23:00 until Sunday 07:00: eight hours. When clocks change that night, either the
// duration or the wall time stays the same. Neither reading may lose time.
func TestSeries_OverANightInWhichClocksChange(t *testing.T) {
	weekly := ics("UID:n\nDTSTART;TZID=America/New_York:20300302T230000\nDTEND;TZID=America/New_York:20300303T070000\nRRULE:FREQ=WEEKLY;COUNT=2")
	wantBusy(t, newYork(t), weekly,
		"2030-03-03T04:00:00Z/2030-03-03T12:00:00Z 2030-03-10T04:00:00Z/2030-03-10T12:00:00Z")
	autumn := ics("UID:n\nDTSTART;TZID=America/New_York:20301026T230000\nDTEND;TZID=America/New_York:20301027T070000\nRRULE:FREQ=WEEKLY;COUNT=2")
	wantBusy(t, newYork(t), autumn,
		"2030-10-27T03:00:00Z/2030-10-27T11:00:00Z 2030-11-03T03:00:00Z/2030-11-03T12:00:00Z")
}
