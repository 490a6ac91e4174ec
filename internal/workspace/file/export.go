package file

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
	"slotd/internal/workspace"
)

// Export writes a file that Read accepts, without retired event types. It omits values that equal their default, except
// for those that a reader of the file would look for.
func Export(w *slotd.Workspace) []byte {
	var e encoder
	root := fieldLines(&e, w, workspace.Fields)
	set(root, plainNode("schedules"), e.schedules(w.Schedules))
	set(root, plainNode("event_types"), e.eventTypes(w.EventTypes))
	if len(w.Calendars) > 0 {
		set(root, plainNode("calendars"), e.calendars(w.Calendars))
	}
	return e.encode(root)
}

func joined[T any](values []T, write func(T) string) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = write(v)
	}
	return strings.Join(parts, ", ")
}

func (e *encoder) schedules(schedules map[string]slotd.Schedule) *yaml.Node {
	n := mappingNode(0)
	for _, name := range slices.Sorted(maps.Keys(schedules)) {
		set(n, e.key(name), e.schedule(schedules[name]))
	}
	return n
}

func (e *encoder) schedule(s slotd.Schedule) *yaml.Node {
	return fieldLines(e, &s, workspace.ScheduleFields)
}

func weekNode(week map[time.Weekday][]slots.Window) *yaml.Node {
	n := mappingNode(0)
	for i, name := range workspace.Weekdays {
		if windows := week[time.Weekday((i+1)%7)]; len(windows) > 0 {
			set(n, plainNode(name), windowList(windows))
		}
	}
	return n
}

func datesNode(dates map[zone.Date][]slots.Window) *yaml.Node {
	n := mappingNode(0)
	for _, date := range slices.Sorted(maps.Keys(dates)) {
		set(n, quotedNode(date.String()), windowList(dates[date]))
	}
	return n
}

func windowList(windows []slots.Window) *yaml.Node {
	return listNode(yaml.FlowStyle, windows, func(w slots.Window) *yaml.Node { return quotedNode(w.String()) })
}

func (e *encoder) eventTypes(types []slotd.EventType) *yaml.Node {
	live := slices.DeleteFunc(slices.Clone(types), func(t slotd.EventType) bool { return t.Retired })
	return listNode(0, live, func(t slotd.EventType) *yaml.Node {
		return fieldLines(e, &t, workspace.EventTypeFields)
	})
}

// calendars omits password_env: it concerns only whoever applied the file, and without it the stored passwords stay.
func (e *encoder) calendars(calendars []slotd.Calendar) *yaml.Node {
	return listNode(0, calendars, func(c slotd.Calendar) *yaml.Node {
		return fieldLine(e, &c, workspace.CalendarFields)
	})
}

func numberNode(n int) *yaml.Node { return plainNode(strconv.Itoa(n)) }
