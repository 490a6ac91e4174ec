package file

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/workspace"
)

// Export writes a file that Read accepts, without retired event types. It omits values that equal their default, except
// for those that a reader of the file would look for.
func Export(w *slotd.Workspace) []byte {
	var o output
	o.lines("", exportLines(w, workspace.Fields, ""))
	o.schedules(w.Schedules)
	o.eventTypes(w.EventTypes)
	o.calendars(w.Calendars)
	return o.Bytes()
}

type output struct{ bytes.Buffer }

func (o *output) line(format string, args ...any) { fmt.Fprintf(o, format+"\n", args...) }

func joined[T any](values []T, write func(T) string) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = write(v)
	}
	return strings.Join(parts, ", ")
}

func (o *output) schedules(schedules map[string]slotd.Schedule) {
	if len(schedules) == 0 {
		o.line("schedules: {}")
		return
	}
	o.line("schedules:")
	for _, name := range slices.Sorted(maps.Keys(schedules)) {
		o.key(name)
		o.schedule(schedules[name])
	}
}

// maxKeyLength is below the 1,024 characters after which YAML no longer looks for a key's colon.
const maxKeyLength = 1000

func (o *output) key(name string) {
	if key := scalar(name); len(key) > maxKeyLength {
		o.line("  ? %s\n  :", key)
	} else {
		o.line("  %s:", key)
	}
}

func (o *output) schedule(s slotd.Schedule) {
	if s.TimeZone != "" {
		o.line("    time_zone: %s", scalar(s.TimeZone))
	}
	o.weekly(s)
	if len(s.Overrides) == 0 {
		return
	}
	o.line("    overrides:")
	for _, date := range slices.Sorted(maps.Keys(s.Overrides)) {
		o.line("      %q: %s", date.String(), windowList(s.Overrides[date]))
	}
}

func (o *output) weekly(s slotd.Schedule) {
	var days []string
	for i, name := range workspace.Weekdays {
		if windows := s.Weekly[time.Weekday((i+1)%7)]; len(windows) > 0 {
			days = append(days, fmt.Sprintf("      %s: %s", name, windowList(windows)))
		}
	}
	if len(days) == 0 {
		o.line("    weekly: {}")
		return
	}
	o.line("    weekly:\n%s", strings.Join(days, "\n"))
}

func windowList(windows []slots.Window) string {
	return "[" + joined(windows, func(w slots.Window) string { return strconv.Quote(w.String()) }) + "]"
}

func (o *output) eventTypes(types []slotd.EventType) {
	live := slices.DeleteFunc(slices.Clone(types), func(e slotd.EventType) bool { return e.Retired })
	if len(live) == 0 {
		o.line("event_types: []")
		return
	}
	o.line("event_types:")
	for i := range live {
		o.lines("  - ", exportLines(&live[i], workspace.EventTypeFields, "      "))
	}
}

// calendars omits password_env: it concerns only whoever applied the file, and without it the stored passwords stay.
func (o *output) calendars(calendars []slotd.Calendar) {
	if len(calendars) == 0 {
		return
	}
	o.line("calendars:")
	for i := range calendars {
		o.line("  - %s", flow(&calendars[i], workspace.CalendarFields))
	}
}
