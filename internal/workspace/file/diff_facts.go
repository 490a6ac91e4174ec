package file

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
	"slotd/internal/lib/say"
	"slotd/internal/workspace"
)

// facts returns all fields of v in readable form, and the same ones in the same order as those of other, with which it
// is compared. The fields of an object follow its name, unless words describe it as a whole.
func facts[T any](v, other *T, fields []workspace.Field[T]) (all []fact) {
	for _, f := range fields {
		if f.Describe != nil {
			all = append(all, fact{f.Name, f.Describe(v)})
			continue
		}
		switch k := f.Kind.(type) {
		case workspace.Object[T]:
			for _, inner := range facts(v, other, k.Fields) {
				all = append(all, fact{f.Name + " " + inner.name, inner.value})
			}
		case workspace.Week[T]:
			for i, day := range workspace.Weekdays {
				all = append(all, fact{f.Name + " " + day, windowsFact((*k.At(v))[time.Weekday((i+1)%7)])})
			}
		case workspace.Dates[T]:
			all = append(all, dateFacts(strings.TrimSuffix(f.Name, "s"), *k.At(v), *k.At(other))...)
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
			return k.None.String()
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

// dateFacts returns a fact for each date that either of two maps has.
func dateFacts(name string, dates, others map[zone.Date][]slots.Window) (all []fact) {
	named := maps.Clone(others)
	if named == nil {
		named = map[zone.Date][]slots.Window{}
	}
	maps.Copy(named, dates)
	for _, date := range slices.Sorted(maps.Keys(named)) {
		value := say.T("weekly hours")
		if windows, ok := dates[date]; ok {
			value = windowsFact(windows)
		}
		all = append(all, fact{name + " " + date.String(), value})
	}
	return all
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
