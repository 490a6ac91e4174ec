package hours

import (
	"fmt"
	"time"

	"slotd"
	"slotd/internal/availability/when"
	"slotd/internal/availability/zone"
	"slotd/internal/lib/say"
)

// dateCell is a day of the month. The zero value is a cell outside of the month.
type dateCell struct {
	Number          int
	Href            string
	Label           string // full date and hours, for screen readers
	Class           string
	Chosen, IsToday bool
}

// month arranges the dates in weeks.
func (c *scheduleContent) month(shown, today zone.Date, s slotd.Schedule, firstWeekday time.Weekday) {
	year, month, _ := shown.UTC().Date()
	first, end := zone.NewDate(year, month, 1), zone.NewDate(year, month+1, 1)
	c.Month = fmt.Sprintf("%s %d", month, year)
	c.Prev, c.Next = c.monthLink(first-1), c.monthLink(end)
	for i := range 7 {
		c.Heads = append(c.Heads, ((firstWeekday + time.Weekday(i)) % 7).String())
	}
	week := make([]dateCell, (first.Weekday()-firstWeekday+7)%7)
	for d := first; d < end; d++ {
		week = append(week, c.cell(d, d == today, s))
		if len(week) == 7 || d == end-1 {
			c.Weeks, week = append(c.Weeks, append(week, make([]dateCell, 7-len(week))...)), nil
		}
	}
}

// monthLink returns an empty string for months outside the years that a schedule supports.
func (c *scheduleContent) monthLink(in zone.Date) string {
	if _, err := zone.ParseDate(in.String()); err != nil {
		return ""
	}
	return c.Path + "?month=" + in.UTC().Format("2006-01") + "#dates"
}

func (c *scheduleContent) cell(d zone.Date, isToday bool, s slotd.Schedule) dateCell {
	cell := dateCell{Number: d.UTC().Day(), Href: c.Path + "?date=" + d.String() + "#date", IsToday: isToday}
	cell.Chosen = c.Chosen != nil && c.Chosen.Date == d.String()
	windows, own := s.Overrides[d]
	if !own {
		windows = s.Weekly[d.Weekday()]
	}
	hours := hoursInWords(windows)
	switch {
	case own && len(windows) == 0:
		cell.Class = "own-closed"
	case own:
		cell.Class = "own-hours"
	case len(windows) == 0:
		cell.Class = "off"
	}
	cell.Label = longDate(d) + ": " + hours
	if own {
		cell.Label = say.T("%s: %s, on this date only", longDate(d), hours)
	}
	return cell
}

func (v *visit) firstWeekday() time.Weekday {
	return when.LocaleOf(v.R.Header.Get("Accept-Language")).FirstWeekday
}
