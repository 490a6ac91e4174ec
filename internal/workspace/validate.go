// Package workspace validates and changes the configuration of workspaces. The workspace file and the owner's pages
// share the same rules.
package workspace

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
	"slotd/internal/lib/color"
)

// MaxWindowDays limits how far ahead anything can be booked.
const MaxWindowDays = 730

const (
	MaxEventTypes   = 200
	MaxSchedules    = 50
	MaxOverrides    = 1000
	MaxWindowsADay  = 96 // one per quarter of an hour; more would only slow the engine down
	maxAllowedSites = 50
	MaxCalendars    = 20
)

// Problem is one thing that is wrong with a workspace: the path of the field, and its fault.
type Problem struct {
	Path string
	*Fault
}

// Validate checks a workspace, for the file and for the pages. It returns all problems, in the order of the file. It
// skips retired event types, because their owner can no longer fix them.
func Validate(w *slotd.Workspace) []Problem {
	c := checker{workspace: w}
	checkFields(&c, "", w, Fields)
	for _, name := range atMost(&c, "schedules", slices.Sorted(maps.Keys(w.Schedules)), MaxSchedules, "schedules") {
		c.schedule(JoinPath("schedules", name), name, w.Schedules[name])
	}
	c.eventTypes()
	c.calendars()
	return c.problems
}

// JoinPath returns the path of the part called name below path. It quotes and truncates a name that is not a plain
// word, because a file may contain anything.
func JoinPath(path, name string) string {
	if !plainName.MatchString(name) {
		name = fmt.Sprintf("%.40q", name)
	}
	return strings.TrimPrefix(path+"."+name, ".")
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

type checker struct {
	workspace *slotd.Workspace
	problems  []Problem
}

// add ignores a nil error, so that the result of a check function can be passed directly.
func (c *checker) add(path string, err error) {
	if err != nil {
		c.problems = append(c.problems, Problem{path, err.(*Fault)})
	}
}

func (c *checker) inRange(path string, n, low, high int, unit Unit) {
	if n < low || n > high {
		c.add(path, &Fault{Code: OutOfRange, Min: low, Max: high, Unit: unit})
	}
}

// atMost returns the values up to the limit. The rest has to be removed anyway, and may be millions.
func atMost[T any](c *checker, path string, values []T, limit int, what string) []T {
	if len(values) <= limit {
		return values
	}
	c.add(path, &Fault{Code: TooMany, Max: limit, Count: len(values), Text: what})
	return values[:limit]
}

func checkZone(name string) error {
	if _, err := zone.Load(name); err != nil {
		return faultAbout(NotAZone, err.Error())
	}
	return nil
}

func checkColor(s string) error {
	if color.Valid(s) {
		return nil
	}
	return fault(NotAColor)
}

// Weekdays are the names of the days in the workspace file, in its order.
var Weekdays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// DayName returns a weekday's name in the workspace file.
func DayName(day time.Weekday) string { return Weekdays[(int(day)+6)%7] }

func (c *checker) schedule(path, name string, s slotd.Schedule) {
	c.add(path, CheckName(name))
	checkFields(c, path, &s, ScheduleFields)
}

func (c *checker) week(path string, week map[time.Weekday][]slots.Window) {
	for day := time.Sunday; day <= time.Saturday; day++ {
		c.windows(JoinPath(path, DayName(day)), week[day])
	}
}

func (c *checker) dates(path string, dates map[zone.Date][]slots.Window, limit int) {
	for _, date := range atMost(c, path, slices.Sorted(maps.Keys(dates)), limit, "dates") {
		at := JoinPath(path, date.String())
		if _, err := zone.ParseDate(date.String()); err != nil {
			c.add(at, faultAbout(NotADate, err.Error()))
		}
		c.windows(at, dates[date])
	}
}

// windows accepts overlapping windows: the engine merges them.
func (c *checker) windows(path string, windows []slots.Window) {
	for i, w := range atMost(c, path, windows, MaxWindowsADay, "windows") {
		if w.From < 0 || w.Until > 24*60 || w.From >= w.Until {
			c.add(fmt.Sprintf("%s[%d]", path, i), fault(NotAWindow))
		}
	}
}
