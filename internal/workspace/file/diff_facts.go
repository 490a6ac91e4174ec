package file

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
	"slotd/internal/workspace"
)

func eventTypeFacts(e *slotd.EventType) []fact {
	return []fact{
		{"title", quoted(e.Title)},
		{"description", quoted(e.Description)},
		{"duration_minutes", strconv.Itoa(e.DurationMinutes)},
		{"location type", string(e.Location.Type)},
		{"location url", quoted(e.Location.URL)},
		{"location text", quoted(e.Location.Text)},
		{"location ask", strconv.FormatBool(e.Location.Ask)},
		{"schedule", scalar(e.Schedule)},
		{"price", priceFact(e.Price)},
		{"refund_policy", refundFact(e.RefundPolicy)},
		{"buffer_before_minutes", strconv.Itoa(e.BufferBeforeMinutes)},
		{"buffer_after_minutes", strconv.Itoa(e.BufferAfterMinutes)},
		{"minimum_notice_minutes", strconv.Itoa(e.MinimumNoticeMinutes)},
		{"booking_window_days", strconv.Itoa(e.BookingWindowDays)},
		{"slot_interval_minutes", numberOr(e.SlotIntervalMinutes, "the duration")},
		{"max_per_day", numberOr(e.MaxPerDay, "no limit")},
		{"reminders_minutes_before", orNone(joined(e.RemindersMinutesBefore, strconv.Itoa))},
		{"hidden", strconv.FormatBool(e.Hidden)},
	}
}

func priceFact(p *slotd.Price) string {
	if p == nil {
		return "free"
	}
	return fmt.Sprintf("%d %s", p.AmountCents, p.Currency)
}

func refundFact(p *slotd.RefundPolicy) string {
	if p == nil {
		return "no refund"
	}
	return fmt.Sprintf("in full until %d hours before", p.FullUntilHoursBefore)
}

func numberOr(n int, zero string) string {
	if n == 0 {
		return zero
	}
	return strconv.Itoa(n)
}

func (d *changes) schedule(prefix string, old, next slotd.Schedule) {
	d.compare(prefix, scheduleFacts(old), scheduleFacts(next))
	dates := map[zone.Date]bool{}
	for date := range old.Overrides {
		dates[date] = true
	}
	for date := range next.Overrides {
		dates[date] = true
	}
	for _, date := range slices.Sorted(maps.Keys(dates)) {
		name := "override " + date.String()
		d.compare(prefix, []fact{{name, overrideFact(old, date)}}, []fact{{name, overrideFact(next, date)}})
	}
}

func scheduleFacts(s slotd.Schedule) []fact {
	facts := []fact{{"time_zone", "the workspace's"}}
	if s.TimeZone != "" {
		facts[0].value = s.TimeZone
	}
	for i, name := range workspace.Weekdays {
		facts = append(facts, fact{"weekly " + name, windowsFact(s.Weekly[time.Weekday((i+1)%7)])})
	}
	return facts
}

func overrideFact(s slotd.Schedule, date zone.Date) string {
	if windows, ok := s.Overrides[date]; ok {
		return windowsFact(windows)
	}
	return "weekly hours"
}

func windowsFact(windows []slots.Window) string {
	if len(windows) == 0 {
		return "closed"
	}
	return joined(windows, slots.Window.String)
}

const (
	maxFactLength = 80
	contextLength = 20 // how much of the common beginning to show before the difference
)

// shortened cuts two long values to the part where they differ, so that a changed word in a long description is
// visible.
func shortened(a, b string) (string, string) {
	if len(a) <= maxFactLength && len(b) <= maxFactLength {
		return a, b
	}
	common := 0
	for common < min(len(a), len(b)) && a[common] == b[common] {
		common++
	}
	from := max(common-contextLength, 0)
	return excerpt(a, from), excerpt(b, from)
}

func excerpt(s string, from int) string {
	until := min(from+maxFactLength, len(s))
	for from > 0 && !utf8.RuneStart(s[from]) {
		from--
	}
	for until < len(s) && !utf8.RuneStart(s[until]) {
		until++
	}
	part := s[from:until]
	if from > 0 {
		part = "…" + part
	}
	if until < len(s) {
		part += "…"
	}
	return part
}
