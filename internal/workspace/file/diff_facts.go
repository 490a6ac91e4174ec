package file

import (
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

// facts returns all fields in readable form. The fields of an object follow its name, unless words describe it as a
// whole.
func facts[T any](v *T, fields []workspace.Field[T]) (all []fact) {
	for _, f := range fields {
		if f.Describe != nil {
			all = append(all, fact{f.Name, f.Describe(v)})
			continue
		}
		switch k := f.Kind.(type) {
		case workspace.Object[T]:
			for _, inner := range facts(v, k.Fields) {
				all = append(all, fact{f.Name + " " + inner.name, inner.value})
			}
		case workspace.FileOnly[T]:
		default:
			all = append(all, fact{f.Name, factOf(v, f)})
		}
	}
	return all
}

func factOf[T any](v *T, f workspace.Field[T]) string {
	switch k := f.Kind.(type) {
	case workspace.Text[T]:
		if k.Format.Word {
			return scalar(*k.At(v))
		}
		return workspace.Quoted(*k.At(v))
	case workspace.Number[T]:
		if k.None != "" && k.Get(v) == 0 {
			return k.None
		}
		return strconv.Itoa(k.Get(v))
	case workspace.Flag[T]:
		return strconv.FormatBool(*k.At(v))
	case workspace.Numbers[T]:
		return orNone(joined(*k.At(v), strconv.Itoa))
	case workspace.Texts[T]:
		return orNone(joined(*k.At(v), workspace.Quoted))
	}
	return ""
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
