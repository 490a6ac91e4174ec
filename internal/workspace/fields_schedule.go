package workspace

import (
	"cmp"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
)

// ScheduleFields are the fields of a schedule. Its name is the key that it stands under in the file.
var ScheduleFields = []Field[slotd.Schedule]{
	{
		Name:     "time_zone",
		Help:     "where its hours apply",
		Kind:     text(func(s *slotd.Schedule) *string { return &s.TimeZone }, zoneFormat),
		Describe: func(s *slotd.Schedule) string { return cmp.Or(s.TimeZone, "the workspace's") },
	},
	{
		Name: "weekly", Required: true,
		Help: "the hours of each weekday; a day left out is closed",
		Kind: Week[slotd.Schedule]{At: func(s *slotd.Schedule) *map[time.Weekday][]slots.Window { return &s.Weekly }},
	},
	{
		Name:    "overrides",
		Help:    "hours that replace those of single dates; `[]` closes a date",
		Example: `{"2026-12-24": []}`,
		Kind: Dates[slotd.Schedule]{MaxItems: MaxOverrides,
			At: func(s *slotd.Schedule) *map[zone.Date][]slots.Window { return &s.Overrides }},
	},
}
