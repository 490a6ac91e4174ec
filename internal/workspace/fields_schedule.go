package workspace

import (
	"cmp"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
	"slotd/internal/lib/say"
)

// ScheduleFields are the fields of a schedule. Its name is the key that it stands under in the file.
var ScheduleFields = []Field[slotd.Schedule]{
	{
		Name: "time_zone", Input: "zone", Label: "Time zone",
		Hint:     "leave blank for the workspace's",
		Help:     "where its hours apply",
		Kind:     text(func(s *slotd.Schedule) *string { return &s.TimeZone }, zoneFormat),
		Describe: func(s *slotd.Schedule) string { return cmp.Or(s.TimeZone, say.T("the workspace's")) },
	},
	{
		Name: "weekly", Required: true, Input: "week", Label: "Weekly hours",
		Hint: "such as 09:00-12:00, 13:00-17:00; leave blank for closed",
		Help: "the hours of each weekday; a day left out is closed",
		Kind: Week[slotd.Schedule]{At: func(s *slotd.Schedule) *map[time.Weekday][]slots.Window { return &s.Weekly }},
	},
	{
		Name: "overrides", NoInput: true, // each date has a form of its own
		Help:    "hours that replace those of single dates; `[]` closes a date",
		Example: `{"2026-12-24": []}`,
		Kind: Dates[slotd.Schedule]{MaxItems: MaxOverrides,
			At: func(s *slotd.Schedule) *map[zone.Date][]slots.Window { return &s.Overrides }},
	},
}
