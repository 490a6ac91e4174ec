package slots_test

import (
	"testing"
	"time"

	"slotd/internal/availability/slots"
)

type row struct {
	name string
	world
	want string
}

func (r row) run(t *testing.T) {
	t.Run(r.name, func(t *testing.T) {
		if got := r.open(t); got != r.want {
			t.Errorf("open:\n  %s\nwant:\n  %s", got, r.want)
		}
	})
}

// Rule 1: weekly windows, overrides, merging. 2026-03-04 is a Wednesday, Kathmandu is +05:45.
func TestOpen_Hours(t *testing.T) {
	const wednesday = "2026-03-04T00:00Z +1d"
	for _, r := range []row{
		{"windows are local wall time",
			world{zone: "Asia/Kathmandu", daily: "09:00-11:00", rules: every(60), from: wednesday}, "4T03:15 4T04:15"},
		{"each weekday has its own", world{zone: "UTC",
			weekly: map[string]string{"tue": "08:00-09:00", "wed": "10:00-11:00", "thu": "12:00-13:00"},
			rules:  every(60), from: "2026-03-03T00:00Z +3d"}, "3T08:00 4T10:00 5T12:00"},
		{"a weekday without windows is closed",
			world{zone: "UTC", weekly: map[string]string{"tue": "08:00-09:00"}, rules: every(60), from: wednesday}, ""},
		{"the weekday is the local one",
			world{zone: "Asia/Kathmandu", weekly: map[string]string{"thu": "00:00-01:00"}, rules: every(60),
				from: wednesday}, "4T18:15"},
		{"overlapping windows are one grid",
			world{zone: "UTC", daily: "09:00-10:10 09:50-11:00", rules: every(30), from: wednesday},
			"4T09:00 4T09:30 4T10:00 4T10:30"},
		{"touching windows are one grid",
			world{zone: "UTC", daily: "09:00-09:50 09:50-11:00", rules: every(30), from: wednesday},
			"4T09:00 4T09:30 4T10:00 4T10:30"},
		{"a window inside another adds nothing",
			world{zone: "UTC", daily: "09:00-11:00 09:20-09:40", rules: every(60), from: wednesday}, "4T09:00 4T10:00"},
		{"windows in any order", world{zone: "UTC", daily: "14:00-15:00 09:00-10:00", rules: every(60),
			from: wednesday}, "4T09:00 4T14:00"},
		{"windows a minute apart have two grids and no slot across",
			world{zone: "UTC", daily: "09:00-09:50 09:51-11:00", rules: every(30), from: wednesday},
			"4T09:00 4T09:51 4T10:21"},
		{"an override replaces its date",
			world{zone: "UTC", daily: "09:00-10:00", overrides: map[string]string{"2026-03-04": "20:00-22:00"},
				rules: every(60), from: "2026-03-03T00:00Z +3d"}, "3T09:00 4T20:00 4T21:00 5T09:00"},
		{"an empty override closes its date",
			world{zone: "UTC", daily: "09:00-10:00", overrides: map[string]string{"2026-03-04": ""}, rules: every(60),
				from: "2026-03-03T00:00Z +3d"}, "3T09:00 5T09:00"},
		{"an override opens a closed weekday",
			world{zone: "UTC", overrides: map[string]string{"2026-03-04": "09:00-10:00"}, rules: every(60),
				from: wednesday}, "4T09:00"},
		{"an override's windows merge too",
			world{zone: "UTC", overrides: map[string]string{"2026-03-04": "09:30-11:00 09:00-09:45"}, rules: every(60),
				from: wednesday}, "4T09:00 4T10:00"},
		{"an override until 24:00", world{zone: "UTC", overrides: map[string]string{"2026-03-04": "22:00-24:00"},
			rules: every(60), from: "2026-03-04T00:00Z +2d"}, "4T22:00 4T23:00"},
		{"an override is of a local date",
			world{zone: "Asia/Kathmandu", overrides: map[string]string{"2026-03-04": "00:00-24:00"}, rules: every(720),
				from: "2026-03-01T00:00Z +7d"}, "3T18:15 4T06:15"},
		{"an override of the whole day",
			world{zone: "UTC", overrides: map[string]string{"2026-03-04": "00:00-24:00"}, rules: every(1440),
				from: "2026-03-01T00:00Z +7d"}, "4T00:00"},
	} {
		r.run(t)
	}
}

// Rule 2: gaps and overlaps. The zones' own tables are in package zone.
func TestOpen_WhereClocksChange(t *testing.T) {
	for _, r := range []row{
		{"New York: a start in the gap is the first instant after",
			world{zone: "America/New_York", overrides: map[string]string{"2026-03-08": "02:15-04:00"}, rules: every(30),
				from: "2026-03-08T00:00Z +1d"}, "8T07:00 8T07:30"},
		{"New York: an end in the gap is the gap's instant",
			world{zone: "America/New_York", overrides: map[string]string{"2026-03-08": "01:00-02:45"}, rules: every(30),
				from: "2026-03-08T00:00Z +1d"}, "8T06:00 8T06:30"},
		{"New York: a window inside the gap is none",
			world{zone: "America/New_York", overrides: map[string]string{"2026-03-08": "02:00-03:00"}, rules: every(1),
				from: "2026-03-08T00:00Z +1d"}, ""},
		{"New York: windows on both sides of the gap join",
			world{zone: "America/New_York", overrides: map[string]string{"2026-03-08": "01:00-02:00 03:00-04:00"},
				rules: every(90), from: "2026-03-08T00:00Z +1d"}, "8T06:00"},
		{"New York: the grid goes on in elapsed time across the gap",
			world{zone: "America/New_York", overrides: map[string]string{"2026-03-08": "00:30-05:00"}, rules: every(45),
				from: "2026-03-08T00:00Z +1d"}, "8T05:30 8T06:15 8T07:00 8T07:45"},
		{"New York: a start in the overlap is the first, an end the second",
			world{zone: "America/New_York", overrides: map[string]string{"2026-11-01": "01:30-01:45"}, rules: every(15),
				from: "2026-11-01T00:00Z +1d"}, "1T05:30 1T05:45 1T06:00 1T06:15 1T06:30"},
		{"New York: an end at the overlap's first minute is the first",
			world{zone: "America/New_York", overrides: map[string]string{"2026-11-01": "00:30-01:00"}, rules: every(15),
				from: "2026-11-01T00:00Z +1d"}, "1T04:30 1T04:45"},
		{"New York: an end a minute later is the second",
			world{zone: "America/New_York", overrides: map[string]string{"2026-11-01": "00:59-01:01"}, rules: every(31),
				from: "2026-11-01T00:00Z +1d"}, "1T04:59 1T05:30"},
		{"New York: the end of the overlap comes once",
			world{zone: "America/New_York", overrides: map[string]string{"2026-11-01": "01:00-02:00"}, rules: every(60),
				from: "2026-11-01T00:00Z +1d"}, "1T05:00 1T06:00"},
		{"New York: equal instants of two windows count once",
			world{zone: "America/New_York", overrides: map[string]string{"2026-11-01": "01:00-01:20 01:40-01:50"},
				rules: every(20), from: "2026-11-01T00:00Z +1d"}, "1T05:00 1T05:20 1T05:40 1T06:00 1T06:20"},
		{"New York: two windows' grids mix where they overlap",
			world{zone: "America/New_York", overrides: map[string]string{"2026-11-01": "01:00-01:20 01:45-01:50"},
				rules: every(40), from: "2026-11-01T00:00Z +1d"}, "1T05:00 1T05:40 1T05:45"},
		{"New York: each grid ends with its own window",
			world{zone: "America/New_York", overrides: map[string]string{"2026-11-01": "01:00-01:20 01:45-01:50"},
				rules: slots.Rules{Duration: minutes(20), Interval: minutes(40)}, from: "2026-11-01T00:00Z +1d"},
			"1T05:00 1T05:40 1T05:45 1T06:25"},
		{"New York: 24 hours from before a day of 23 end on the day after",
			world{zone: "America/New_York", daily: "00:00-24:00",
				rules: slots.Rules{Duration: minutes(1440), Interval: minutes(30)}, from: "2026-03-08T04:30Z +1m"},
			"8T04:30"},
		{"London: both borders of its own gap",
			world{zone: "Europe/London", overrides: map[string]string{"2026-03-29": "00:00-01:30 01:45-03:00"},
				rules: every(60), from: "2026-03-29T00:00Z +1d"}, "29T00:00 29T01:00"},
		{"London: the repeated hour", world{zone: "Europe/London",
			overrides: map[string]string{"2026-10-25": "01:30-02:00"}, rules: every(30), from: "2026-10-25T00:00Z +1d"},
			"25T00:30 25T01:00 25T01:30"},
		{"London: a day of 23 hours holds no slot of 24",
			world{zone: "Europe/London", overrides: map[string]string{"2026-03-29": "00:00-24:00"}, rules: every(1440),
				from: "2026-03-28T00:00Z +3d"}, ""},
		{"London: a day of 25 hours has 25",
			world{zone: "Europe/London", overrides: map[string]string{"2026-10-25": "00:00-24:00"}, rules: every(300),
				from: "2026-10-24T00:00Z +3d"}, "24T23:00 25T04:00 25T09:00 25T14:00 25T19:00"},
		{"Lord Howe: half an hour is skipped",
			world{zone: "Australia/Lord_Howe", overrides: map[string]string{"2026-10-04": "01:30-03:00"},
				rules: every(30), from: "2026-10-03T00:00Z +1d"}, "3T15:00 3T15:30"},
		{"Lord Howe: half an hour is repeated",
			world{zone: "Australia/Lord_Howe", overrides: map[string]string{"2026-04-05": "01:00-02:00"},
				rules: every(30), from: "2026-04-04T00:00Z +1d"}, "4T14:00 4T14:30 4T15:00"},
		{"Lord Howe: an end where the repetition starts",
			world{zone: "Australia/Lord_Howe", overrides: map[string]string{"2026-04-05": "01:00-01:30"},
				rules: every(30), from: "2026-04-04T00:00Z +1d"}, "4T14:00"},
		{"Cairo: midnight is skipped",
			world{zone: "Africa/Cairo", overrides: map[string]string{"2026-04-24": "00:00-02:00"}, rules: every(30),
				from: "2026-04-23T00:00Z +2d"}, "23T22:00 23T22:30"},
		{"Cairo: the day before ends at the gap",
			world{zone: "Africa/Cairo", overrides: map[string]string{"2026-04-23": "23:00-24:00"}, rules: every(30),
				from: "2026-04-23T00:00Z +2d"}, "23T21:00 23T21:30"},
		{"Cairo: windows join across the skipped midnight",
			world{zone: "Africa/Cairo", overrides: map[string]string{"2026-04-23": "23:00-24:00",
				"2026-04-24": "01:00-02:00"}, rules: every(90), from: "2026-04-23T00:00Z +2d"}, "23T21:00"},
		{"Cairo: the last hour comes twice",
			world{zone: "Africa/Cairo", overrides: map[string]string{"2026-10-29": "22:00-24:00"}, rules: every(60),
				from: "2026-10-29T00:00Z +2d"}, "29T19:00 29T20:00 29T21:00"},
		{"Santiago: 24:00 comes once, after the repeated hour",
			world{zone: "America/Santiago", overrides: map[string]string{"2026-04-04": "23:00-24:00"}, rules: every(60),
				from: "2026-04-04T00:00Z +2d"}, "5T02:00 5T03:00"},
		{"Santiago: an end at 23:00 is the first",
			world{zone: "America/Santiago", overrides: map[string]string{"2026-04-04": "22:00-23:00"}, rules: every(60),
				from: "2026-04-04T00:00Z +2d"}, "5T01:00"},
		{"Santiago: midnight is skipped",
			world{zone: "America/Santiago", overrides: map[string]string{"2026-09-06": "00:30-02:00"}, rules: every(60),
				from: "2026-09-05T00:00Z +2d"}, "6T04:00"},
		{"Azores: 24:00 is the overlap's first minute",
			world{zone: "Atlantic/Azores", overrides: map[string]string{"2026-10-24": "23:00-24:00"}, rules: every(60),
				from: "2026-10-24T00:00Z +2d"}, "24T23:00"},
		{"Azores: the first hour comes twice",
			world{zone: "Atlantic/Azores", overrides: map[string]string{"2026-10-25": "00:00-01:00"}, rules: every(60),
				from: "2026-10-24T00:00Z +2d"}, "25T00:00 25T01:00"},
		{"Apia: the date that never was has no windows",
			world{zone: "Pacific/Apia", overrides: map[string]string{"2011-12-30": "09:00-17:00"}, rules: every(60),
				from: "2011-12-28T00:00Z +5d"}, ""},
		{"Apia: Thursday and Saturday are neighbours",
			world{zone: "Pacific/Apia", overrides: map[string]string{"2011-12-29": "23:00-24:00",
				"2011-12-31": "00:00-01:00"}, rules: every(120), from: "2011-12-28T00:00Z +5d"}, "30T09:00"},
		{"Apia: every day but the 30th",
			world{zone: "Pacific/Apia", daily: "12:00-13:00", rules: every(60), from: "2011-12-29T00:00Z +3d"},
			"29T22:00 30T22:00 31T22:00"},
		{"Kathmandu: no change, and quarters",
			world{zone: "Asia/Kathmandu", overrides: map[string]string{"2026-03-08": "00:00-01:00"}, rules: every(20),
				from: "2026-03-07T00:00Z +1d"}, "7T18:15 7T18:35 7T18:55"},
		{"St Johns: midnight comes twice, a Saturday until 24:00 ends at the second",
			world{zone: "America/St_Johns", overrides: map[string]string{"2010-11-06": "23:00-24:00"}, rules: every(30),
				from: "2010-11-06T00:00Z +2d"}, "7T01:30 7T02:00 7T02:30 7T03:00"},
		{"St Johns: Saturday's window in a range that starts on Sunday",
			world{zone: "America/St_Johns", overrides: map[string]string{"2010-11-06": "23:00-24:00"}, rules: every(30),
				from: "2010-11-07T02:30Z +2h"}, "7T02:30 7T03:00"},
		{"St Johns: a Sunday from 00:00 starts at the first",
			world{zone: "America/St_Johns", overrides: map[string]string{"2010-11-07": "00:00-00:30"}, rules: every(30),
				from: "2010-11-06T00:00Z +2d"}, "7T02:30 7T03:00 7T03:30"},
	} {
		r.run(t)
	}
}

// Rule 3: the grid.
func TestOpen_Grid(t *testing.T) {
	const day = "2026-03-04T00:00Z +1d"
	for _, r := range []row{
		{"steps of the interval from the window's start",
			world{zone: "UTC", daily: "09:10-10:30", rules: slots.Rules{Duration: minutes(30), Interval: minutes(20)},
				from: day}, "4T09:10 4T09:30 4T09:50"},
		{"an interval longer than the duration",
			world{zone: "UTC", daily: "09:00-12:00", rules: slots.Rules{Duration: minutes(30), Interval: minutes(75)},
				from: day}, "4T09:00 4T10:15 4T11:30"},
		{"each window has its own grid",
			world{zone: "UTC", daily: "09:00-10:00 13:05-14:05", rules: every(60), from: day}, "4T09:00 4T13:05"},
		{"busy time does not move the grid",
			world{zone: "UTC", daily: "09:00-12:00", rules: every(60), busy: []string{"2026-03-04T09:20Z +10m"},
				from: day}, "4T10:00 4T11:00"},
		{"a booking off the grid does not move it either",
			world{zone: "UTC", daily: "09:00-12:00", rules: every(60), booked: []string{"2026-03-04T08:30Z +45m"},
				from: day}, "4T10:00 4T11:00"},
		{"a range that starts between two steps",
			world{zone: "UTC", daily: "09:00-12:00", rules: every(60), from: "2026-03-04T09:01Z +2h"},
			"4T10:00 4T11:00"},
		{"a slot belongs to the range if its start does",
			world{zone: "UTC", daily: "09:00-12:00", rules: every(60), from: "2026-03-04T10:00Z +1h"}, "4T10:00"},
		{"the notice does not move the grid",
			world{zone: "UTC", daily: "09:00-12:00", rules: every(60), now: "2026-03-04T09:30Z", from: day},
			"4T10:00 4T11:00"},
		{"a candidate is before the window's end",
			world{zone: "UTC", daily: "09:00-10:00",
				overrides: map[string]string{"2026-03-04": "22:00-24:00", "2026-03-05": "00:15-02:00"},
				rules:     every(60), from: "2026-03-04T12:00Z +20h"}, "4T22:00 4T23:00 5T00:15"},
		{"the day after starts a grid of its own",
			world{zone: "UTC", daily: "00:00-24:00", rules: every(420), from: "2026-03-04T00:00Z +2d"},
			"4T00:00 4T07:00 4T14:00 4T21:00 5T00:00 5T07:00 5T14:00 5T21:00"},
		{"no slot is offered twice where grids meet",
			world{zone: "UTC", daily: "00:00-24:00", rules: every(1440), from: "2026-03-04T00:00Z +2d"},
			"4T00:00 5T00:00"},
	} {
		r.run(t)
	}
}

// Rule 4: when a candidate is open.
func TestOpen_Limits(t *testing.T) {
	const day = "2026-03-04T00:00Z +1d"
	with := func(r slots.Rules, change func(*slots.Rules)) slots.Rules { change(&r); return r }
	notice := with(every(60), func(r *slots.Rules) { r.Notice = minutes(90) })
	oneDay := with(every(60), func(r *slots.Rules) { r.WindowDays = 1 })
	two := with(every(60), func(r *slots.Rules) { r.MaxPerDay = 2 })
	for _, r := range []row{
		{"a slot ends with the window at the latest",
			world{zone: "UTC", daily: "09:00-10:30", rules: every(60), from: day}, "4T09:00"},
		{"a slot as long as the window", world{zone: "UTC", daily: "09:00-10:00", rules: every(60), from: day},
			"4T09:00"},
		{"a slot a minute longer than the window",
			world{zone: "UTC", daily: "09:00-10:00", rules: every(61), from: day}, ""},
		{"windows on both sides of midnight join",
			world{zone: "UTC", daily: "00:00-01:00 23:00-24:00",
				rules: slots.Rules{Duration: minutes(90), Interval: minutes(30)}, from: "2026-03-04T12:00Z +20h"},
			"4T23:00 4T23:30"},
		{"they join in the zone's midnight",
			world{zone: "America/New_York", daily: "00:00-01:00 23:00-24:00", rules: every(120), from: day}, "4T04:00"},
		{"a window until 23:59 does not join",
			world{zone: "UTC", daily: "00:00-01:00 23:00-23:59", rules: every(90), from: "2026-03-04T00:00Z +2d"}, ""},
		{"a closed day does not join",
			world{zone: "UTC", daily: "00:00-24:00", overrides: map[string]string{"2026-03-05": ""},
				rules: slots.Rules{Duration: minutes(1440), Interval: minutes(720)}, from: "2026-03-03T00:00Z +2d"},
			"3T00:00 3T12:00 4T00:00"},
		{"notice to the minute", world{zone: "UTC", daily: "09:00-12:00", rules: notice, now: "2026-03-04T08:30Z",
			from: day}, "4T10:00 4T11:00"},
		{"notice a nanosecond late", world{zone: "UTC", daily: "09:00-12:00", rules: notice,
			now: "2026-03-04T08:30:00.000000001Z", from: day}, "4T11:00"},
		{"a start that is now", world{zone: "UTC", daily: "09:00-12:00", rules: every(60), now: "2026-03-04T10:00Z",
			from: day}, "4T10:00 4T11:00"},
		{"past slots are never offered",
			world{zone: "UTC", daily: "09:00-12:00", rules: every(60), now: "2026-03-05T00:00Z", from: day}, ""},
		{"a window of a day: all of tomorrow, not the day after",
			world{zone: "UTC", daily: "00:00-24:00",
				rules: with(oneDay, func(r *slots.Rules) { r.Duration, r.Interval = minutes(30), minutes(710) }),
				now:   "2026-03-03T23:59Z", from: "2026-03-04T00:00Z +3d"}, "4T00:00 4T11:50 4T23:40"},
		{"the window's date is the schedule's: New York's evening",
			world{zone: "America/New_York", daily: "20:00-24:00", rules: oneDay, now: "2026-03-04T04:59:59Z",
				from: "2026-03-04T00:00Z +4d"}, "5T01:00 5T02:00 5T03:00 5T04:00"},
		{"and a second later it is tomorrow",
			world{zone: "America/New_York", daily: "20:00-24:00", rules: oneDay, now: "2026-03-04T05:00:00Z",
				from: "2026-03-05T00:00Z +4d"}, "5T01:00 5T02:00 5T03:00 5T04:00 6T01:00 6T02:00 6T03:00 6T04:00"},
		{"the window counts dates, not days of 24 hours",
			world{zone: "America/New_York", daily: "23:00-24:00", rules: oneDay, now: "2026-11-01T03:30Z",
				from: "2026-11-01T00:00Z +4d"}, "2T04:00"},
		{"the window counts the date that never was",
			world{zone: "Pacific/Apia", daily: "12:00-13:00",
				rules: with(every(60), func(r *slots.Rules) { r.WindowDays = 2 }), now: "2011-12-29T22:30Z",
				from: "2011-12-29T00:00Z +5d"}, "30T22:00"},
		{"Apia: a window of a day reaches nothing but the date that never was",
			world{zone: "Pacific/Apia", daily: "12:00-13:00", rules: oneDay, now: "2011-12-29T22:30Z",
				from: "2011-12-29T00:00Z +5d"}, ""},
		{"a slot of the last date may end on the next",
			world{zone: "UTC", daily: "00:00-02:00 23:00-24:00",
				rules: with(oneDay, func(r *slots.Rules) { r.Duration = minutes(120) }), now: "2026-03-04T00:00Z",
				from: "2026-03-05T12:00Z +2d"}, "5T23:00"},
		{"a full day", world{zone: "UTC", daily: "09:00-13:00", rules: two,
			booked: []string{"2026-03-04T09:00Z +1h", "2026-03-04T20:00Z +1h"}, from: "2026-03-04T00:00Z +2d"},
			"5T09:00 5T10:00 5T11:00 5T12:00"},
		{"a day with room for one", world{zone: "UTC", daily: "09:00-13:00", rules: two,
			booked: []string{"2026-03-04T09:00Z +1h", "2026-03-03T20:00Z +1h"}, from: day}, "4T10:00 4T11:00 4T12:00"},
		{"other event types do not fill the day",
			world{zone: "UTC", daily: "09:00-13:00", rules: two,
				others: []string{"2026-03-04T09:00Z +1h", "2026-03-04T20:00Z +1h"}, from: day},
			"4T10:00 4T11:00 4T12:00"},
		{"a day is a local date: New York's evening is tomorrow in UTC",
			world{zone: "America/New_York", daily: "20:00-24:00", rules: two,
				booked: []string{"2026-03-05T00:30Z +5m", "2026-03-05T04:59Z +1m"}, from: "2026-03-05T00:00Z +2d"},
			"6T01:00 6T02:00 6T03:00 6T04:00"},
		{"a booking counts where it starts, its buffers do not",
			world{zone: "UTC", daily: "12:00-13:00", rules: with(two, func(r *slots.Rules) { r.MaxPerDay = 1 }),
				booked: []string{"2026-03-05T00:00Z +1h -4h +0m"}, from: "2026-03-04T00:00Z +2d"}, "4T12:00"},
		{"a booking across midnight counts on its first date only",
			world{zone: "UTC", daily: "12:00-13:00", rules: with(two, func(r *slots.Rules) { r.MaxPerDay = 1 }),
				booked: []string{"2026-03-03T23:30Z +1h"}, from: "2026-03-03T00:00Z +2d"}, "4T12:00"},
		{"25 hours are one date", world{zone: "America/New_York", daily: "22:00-24:00",
			rules: with(two, func(r *slots.Rules) { r.MaxPerDay = 1 }), booked: []string{"2026-11-01T04:00Z +1h"},
			from: "2026-11-01T00:00Z +3d"}, "1T02:00 1T03:00 3T03:00 3T04:00"},
		{"St Johns: a minute of Sunday inside Saturday",
			world{zone: "America/St_Johns", overrides: map[string]string{"2010-11-06": "23:00-24:00"},
				rules:  with(every(30), func(r *slots.Rules) { r.MaxPerDay = 1 }),
				booked: []string{"2010-11-07T13:00Z +1h"}, from: "2010-11-06T00:00Z +2d"}, "7T01:30 7T02:00 7T03:00"},
		{"St Johns: Saturday's second last hour is in a window that ends on Saturday",
			world{zone: "America/St_Johns", overrides: map[string]string{"2010-11-06": "23:00-24:00"},
				rules: with(every(30), func(r *slots.Rules) { r.WindowDays = 1 }), now: "2010-11-05T12:00Z",
				from: "2010-11-06T00:00Z +2d"}, "7T01:30 7T02:00 7T03:00"},
	} {
		r.run(t)
	}
}

// Rules 4 and 5: what is busy, and buffers.
func TestOpen_Busy(t *testing.T) {
	const day = "2026-03-04T00:00Z +1d"
	buffers := func(before, after int) slots.Rules {
		return slots.Rules{Duration: minutes(60), BufferBefore: minutes(before), BufferAfter: minutes(after)}
	}
	for _, r := range []row{
		{"touching is not busy", world{zone: "UTC", daily: "09:00-12:00", rules: every(60),
			busy: []string{"2026-03-04T10:00Z +1h"}, from: day}, "4T09:00 4T11:00"},
		{"a millisecond before the end",
			world{zone: "UTC", daily: "09:00-12:00", rules: every(60), busy: []string{"2026-03-04T09:59:59.999Z +1ms"},
				from: day}, "4T10:00 4T11:00"},
		{"a millisecond after the start",
			world{zone: "UTC", daily: "09:00-12:00", rules: every(60), busy: []string{"2026-03-04T08:00Z +3600001ms"},
				from: day}, "4T10:00 4T11:00"},
		{"an event without length is left out",
			world{zone: "UTC", daily: "09:00-12:00", rules: every(60), busy: []string{"2026-03-04T10:30Z +0m"},
				from: day}, "4T09:00 4T10:00 4T11:00"},
		{"an event that ends before it starts is left out",
			world{zone: "UTC", daily: "09:00-12:00", rules: every(60), busy: []string{"2026-03-04T10:30Z +-5m"},
				from: day}, "4T09:00 4T10:00 4T11:00"},
		{"bookings of every event type are busy",
			world{zone: "UTC", daily: "09:00-12:00", rules: every(60), booked: []string{"2026-03-04T09:00Z +1h"},
				others: []string{"2026-03-04T10:30Z +5m"}, from: day}, "4T11:00"},
		{"an event longer than the range",
			world{zone: "UTC", daily: "09:00-12:00", rules: every(60), busy: []string{"2026-02-01T00:00Z +60d"},
				from: day}, ""},
		{"many events", world{zone: "UTC", daily: "09:00-14:00", rules: every(60),
			busy: []string{"2026-03-04T12:10Z +1m", "2026-03-04T09:10Z +1m", "2026-03-04T09:10Z +3m",
				"2026-03-04T10:59Z +1m"}, from: day}, "4T11:00 4T13:00"},
		{"the buffer before must be free",
			world{zone: "UTC", daily: "09:00-12:00", rules: buffers(15, 0), busy: []string{"2026-03-04T09:50Z +1m"},
				from: day}, "4T11:00"},
		{"the buffer after must be free",
			world{zone: "UTC", daily: "09:00-12:00", rules: buffers(0, 15), busy: []string{"2026-03-04T11:10Z +1m"},
				from: day}, "4T09:00"},
		{"buffers may touch", world{zone: "UTC", daily: "09:00-12:00", rules: buffers(10, 15),
			busy: []string{"2026-03-04T08:40Z +10m", "2026-03-04T12:15Z +10m"}, from: day}, "4T09:00 4T10:00 4T11:00"},
		{"and a minute more is too much",
			world{zone: "UTC", daily: "09:00-12:00", rules: buffers(10, 15),
				busy: []string{"2026-03-04T08:40Z +11m", "2026-03-04T12:14Z +10m"}, from: day}, "4T10:00"},
		{"buffers reach outside the windows",
			world{zone: "UTC", daily: "09:00-10:00", rules: buffers(120, 120), from: day}, "4T09:00"},
		{"and outside the range", world{zone: "UTC", daily: "00:00-01:00 23:00-24:00", rules: buffers(120, 120),
			busy: []string{"2026-03-03T22:30Z +1m", "2026-03-05T01:30Z +1m"}, from: day}, ""},
		{"the longest buffers", world{zone: "UTC", daily: "09:00-10:00", rules: buffers(1440, 1440),
			busy: []string{"2026-03-03T08:00Z +61m"}, from: day}, ""},
		{"the longest buffers, touching",
			world{zone: "UTC", daily: "09:00-10:00", rules: buffers(1440, 1440),
				busy: []string{"2026-03-03T08:00Z +1h", "2026-03-05T10:00Z +1h"}, from: day}, "4T09:00"},
		{"a booking keeps the buffers it was booked with",
			world{zone: "UTC", daily: "09:00-13:00", rules: every(60),
				booked: []string{"2026-03-04T11:00Z +30m -30m +40m"}, from: day}, "4T09:00"},
		{"two bookings' buffers add up",
			world{zone: "UTC", daily: "09:00-15:00",
				rules:  slots.Rules{Duration: minutes(30), BufferBefore: minutes(10), BufferAfter: minutes(10)},
				booked: []string{"2026-03-04T11:00Z +30m -20m +20m"}, from: day},
			"4T09:00 4T09:30 4T10:00 4T12:00 4T12:30 4T13:00 4T13:30 4T14:00 4T14:30"},
		{"buffers add up to the minute",
			world{zone: "UTC", daily: "09:00-15:00",
				rules:  slots.Rules{Duration: minutes(30), BufferBefore: minutes(11), BufferAfter: minutes(11)},
				booked: []string{"2026-03-04T11:00Z +30m -20m +20m"}, from: day},
			"4T09:00 4T09:30 4T12:30 4T13:00 4T13:30 4T14:00 4T14:30"},
		{"the longest claim, from its far end",
			world{zone: "UTC", daily: "00:00-24:00", rules: every(720),
				booked: []string{"2026-03-03T00:01Z +1d -1d +1d"}, from: "2026-03-05T00:00Z +1d"}, "5T12:00"},
		{"busy in elapsed time on a day of change",
			world{zone: "America/New_York", overrides: map[string]string{"2026-11-01": "00:00-03:00"}, rules: every(60),
				busy: []string{"2026-11-01T06:00Z +30m"}, from: "2026-11-01T00:00Z +1d"}, "1T04:00 1T05:00 1T07:00"},
		{"a slot of the skipped hour is in no one's way",
			world{zone: "Europe/London", overrides: map[string]string{"2026-03-29": "00:00-03:00"}, rules: every(60),
				busy: []string{"2026-03-29T00:59Z +1m"}, from: "2026-03-29T00:00Z +1d"}, "29T01:00"},
	} {
		r.run(t)
	}
}

// Rule 6: Check returns its reason. The hours are 09:00 to 12:30 UTC in steps of an hour.
func TestCheck_GivesItsReason(t *testing.T) {
	base := world{
		zone: "UTC", daily: "09:00-12:30", from: "2026-03-04T00:00Z +1d", now: "2026-03-04T08:00Z",
		rules: slots.Rules{Duration: minutes(60), Notice: minutes(120), WindowDays: 7, MaxPerDay: 2,
			BufferBefore: minutes(5), BufferAfter: minutes(10)},
		booked: []string{"2026-03-05T09:00Z +1h", "2026-03-05T11:00Z +1h", "2026-03-06T09:00Z +1h -0m +55m"},
		busy:   []string{"2026-03-07T09:05Z +10m", "2026-03-08T08:50Z +6m", "2026-03-09T10:09Z +1m"},
	}
	for _, r := range []struct {
		start string
		want  slots.Reason
	}{
		{"2026-03-04T10:00Z", slots.Free},
		{"2026-03-04T09:00Z", slots.TooSoon},
		{"2026-03-03T09:00Z", slots.TooSoon},
		{"2026-03-04T10:30Z", slots.NotOffered},
		{"2026-03-04T10:00:00.001Z", slots.NotOffered},
		{"2026-03-04T09:59:59.999Z", slots.NotOffered},
		{"2026-03-04T10:00:00.000000001Z", slots.NotOffered},
		{"2026-03-04T12:00Z", slots.NotOffered}, // on the grid, but it would end after the window
		{"2026-03-04T08:00Z", slots.NotOffered},
		{"2026-03-04T13:00Z", slots.NotOffered},
		{"2026-03-11T11:00Z", slots.Free},
		{"2026-03-12T09:00Z", slots.TooFar},
		{"2026-03-12T09:30Z", slots.NotOffered},
		{"2026-03-05T10:00Z", slots.DayFull},
		{"2026-03-06T09:00Z", slots.Busy},
		{"2026-03-06T10:00Z", slots.Busy}, // the booking's own buffer
		{"2026-03-06T11:00Z", slots.Free},
		{"2026-03-07T09:00Z", slots.Busy},
		{"2026-03-07T10:00Z", slots.Free},
		{"2026-03-08T09:00Z", slots.Busy}, // the buffer before
		{"2026-03-09T09:00Z", slots.Busy}, // the buffer after
		{"2026-03-09T11:00Z", slots.Free},
		{"1999-01-01T10:00Z", slots.TooSoon},
		{"2100-12-31T10:00Z", slots.TooFar},
	} {
		if got := slots.Check(base.query(t), instant(t, r.start)); got != r.want {
			t.Errorf("%s is %v, want %v", r.start, got, r.want)
		}
	}
}

func TestCheck_TakesTheInstantNotItsZone(t *testing.T) {
	q := world{zone: "Asia/Kathmandu", daily: "09:00-10:00", rules: every(60), from: "2026-03-04T00:00Z +1d"}.query(t)
	for _, s := range []string{"2026-03-04T03:15:00Z", "2026-03-04T09:00:00+05:45", "2026-03-03T22:15:00-05:00"} {
		if got := slots.Check(q, instant(t, s)); got != slots.Free {
			t.Errorf("%s is %v", s, got)
		}
	}
}

func TestReach_HoldsTheWholeDateWhereADayCanBeFull(t *testing.T) {
	w := world{zone: "UTC", daily: "12:00-13:00", from: "2026-03-04T12:00Z +1h",
		booked: []string{"2026-03-04T00:00Z +1m"}}
	for limit, full := range []bool{false, true, false} {
		w.rules = slots.Rules{Duration: minutes(60), MaxPerDay: limit}
		q := w.query(t)
		if got := w.open(t) == ""; got != full {
			t.Errorf("with a limit of %d the day is full: %v", limit, got)
		}
		if reach := q.Reach(w.within(t)); full && !reach.Touches(span(t, "2026-03-04T00:00Z +1m")) {
			t.Errorf("the booking that fills the day is out of reach: %v", reach)
		}
	}
}

func TestNearest(t *testing.T) {
	week := world{zone: "UTC", daily: "09:00-12:00", rules: slots.Rules{Duration: minutes(60), WindowDays: 30},
		now: "2026-03-02T00:00Z", from: "2026-03-02T00:00Z +30d"}
	rare := world{zone: "UTC", overrides: map[string]string{"2026-03-03": "09:00-10:00", "2026-04-20": "09:00-10:00"},
		rules: slots.Rules{Duration: minutes(60),
			WindowDays: 300}, now: "2026-03-02T00:00Z", from: "2026-03-02T00:00Z +1d"}
	for _, r := range []struct {
		name string
		world
		start string
		n     int
		want  string
	}{
		{"around a time", week, "2026-03-04T09:50Z", 3, "4T09:00 4T10:00 4T11:00"},
		{"the time itself, if open", week, "2026-03-04T10:00Z", 1, "4T10:00"},
		{"a tie goes to the earlier one", week, "2026-03-04T09:30Z", 1, "4T09:00"},
		{"in time order", week, "2026-03-04T11:10Z", 2, "4T10:00 4T11:00"},
		{"a tie over a night", week, "2026-03-03T22:00Z", 1, "3T11:00"},
		{"before now", week, "2020-01-01T00:00Z", 2, "2T09:00 2T10:00"},
		{"after the window", week, "2099-01-01T00:00Z", 2, "1T10:00 1T11:00"},
		{"far away ones are found", rare, "2026-03-20T00:00Z", 2, "3T09:00 20T09:00"},
		{"the nearer of two far ones", rare, "2026-03-27T09:01Z", 1, "20T09:00"},
		{"and the tie of two far ones", rare, "2026-03-27T09:00Z", 1, "3T09:00"},
		{"fewer than asked for", rare, "2026-03-20T00:00Z", 3, "3T09:00 20T09:00"},
		{"none at all", world{zone: "UTC", rules: every(60), from: week.from}, "2026-03-04T10:00Z", 3, ""},
		{"none asked for", week, "2026-03-04T10:00Z", 0, ""},
		{"notice beyond the window", world{zone: "UTC", daily: "00:00-24:00",
			rules: slots.Rules{Duration: minutes(60), Notice: 48 * time.Hour, WindowDays: 1}, from: week.from},
			"2026-03-04T10:00Z", 3, ""},
	} {
		t.Run(r.name, func(t *testing.T) {
			if got := short(slots.Nearest(r.query(t), instant(t, r.start), r.n)); got != r.want {
				t.Errorf("nearest to %s: %s, want %s", r.start, got, r.want)
			}
		})
	}
}

func TestOpen_HoldsUntil(t *testing.T) {
	notice := slots.Rules{Duration: minutes(60), Notice: minutes(90), WindowDays: 2}
	for _, r := range []struct {
		name string
		world
		want string
	}{
		{"the notice reaches the first slot",
			world{zone: "UTC", daily: "09:00-12:00", rules: notice, now: "2026-03-04T00:00Z",
				from: "2026-03-04T00:00Z +1d"}, "2026-03-04T07:30:00.000000001Z"},
		{"the first that is still open",
			world{zone: "UTC", daily: "09:00-12:00", rules: notice, now: "2026-03-04T08:00Z",
				from: "2026-03-04T00:00Z +1d"}, "2026-03-04T08:30:00.000000001Z"},
		{"nothing listed, nothing to come",
			world{zone: "UTC", daily: "09:00-12:00", rules: every(60), now: "2026-03-04T12:00Z",
				from: "2026-03-04T00:00Z +1d"}, "0001-01-01T00:00:00Z"},
		{"a new day comes in at local midnight",
			world{zone: "Asia/Kathmandu", daily: "09:00-12:00", rules: notice, now: "2026-03-04T12:00Z",
				from: "2026-03-08T00:00Z +5d"}, "2026-03-04T18:15:00Z"},
		{"the earlier of the two", world{zone: "UTC", daily: "09:00-12:00", rules: notice, now: "2026-03-04T00:00Z",
			from: "2026-03-04T00:00Z +10d"}, "2026-03-04T07:30:00.000000001Z"},
		{"midnight may be skipped", world{zone: "Africa/Cairo", daily: "09:00-12:00", rules: notice,
			now: "2026-04-23T12:00Z", from: "2026-04-24T00:00Z +10d"}, "2026-04-23T22:00:00Z"},
		{"and so may tomorrow", world{zone: "Pacific/Apia", daily: "09:00-12:00", rules: notice,
			now: "2011-12-30T00:00Z", from: "2012-01-05T00:00Z +10d"}, "2011-12-30T10:00:00Z"},
	} {
		t.Run(r.name, func(t *testing.T) {
			_, until := slots.Open(r.query(t), r.within(t))
			if got := until.Format(time.RFC3339Nano); got != r.want {
				t.Errorf("holds until %s, want %s", got, r.want)
			}
		})
	}
}

// St Johns set its clocks back at 00:01 until 2011: Saturday, a minute of Sunday, Saturday again. So "today" goes back
// by one date, and the booking window with it.
func TestOpen_HoldsUntilTodayIsYesterdayAgain(t *testing.T) {
	rules := slots.Rules{Duration: minutes(60), WindowDays: 1}
	sunday := world{zone: "America/St_Johns", daily: "09:00-12:00", rules: rules, now: "2010-11-07T02:30:30Z"}
	t.Run("Monday falls out with the range inside the window", func(t *testing.T) {
		sunday.from = "2010-11-08T03:30Z +20h"
		wantChangeAt(t, sunday, "2010-11-07T02:31Z")
	})
	t.Run("Monday falls out with the range beyond the window", func(t *testing.T) {
		sunday.from = "2010-11-08T03:30Z +3d"
		wantChangeAt(t, sunday, "2010-11-07T02:31Z")
	})
	t.Run("a day comes in at the second midnight", func(t *testing.T) {
		again := sunday
		again.now, again.from = "2010-11-07T03:00Z", "2010-11-08T03:30Z +3d"
		wantChangeAt(t, again, "2010-11-07T03:30Z")
	})
	t.Run("a minute of Sunday inside a range that ends on Saturday", func(t *testing.T) {
		late := world{zone: "America/St_Johns", overrides: map[string]string{"2010-11-07": "00:00-00:01"},
			rules: slots.Rules{Duration: minutes(1), WindowDays: 1}}
		late.now, late.from = "2010-11-05T12:00Z", "2010-11-06T12:00Z +15h"
		wantChangeAt(t, late, "2010-11-06T02:30Z")
	})
}

// wantChangeAt checks that the list changes at the instant, and that it is not said to be valid any longer.
func wantChangeAt(t *testing.T, w world, changes string) {
	t.Helper()
	q, at := w.query(t), instant(t, changes)
	open, until := slots.Open(q, w.within(t))
	if until.IsZero() || until.After(at) {
		t.Errorf("said to hold until %s, but changes at %s", until, at)
	}
	if !until.IsZero() && !until.After(q.Now) {
		t.Errorf("said to hold until %s, which is over at %s", until, q.Now)
	}
	q.Now = at
	if after, _ := slots.Open(q, w.within(t)); short(after) == short(open) {
		t.Errorf("nothing changes at %s: %s", at, short(open))
	}
}
