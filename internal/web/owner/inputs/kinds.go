package inputs

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"slotd/internal/availability/slots"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

const (
	defaultMaxLength = 500
	maxListLength    = 2000
)

// inputsOf returns the inputs of a field: none if forms do not show it, and one for each day of a week.
func inputsOf[T any](f workspace.Field[T], path string) []input[T] {
	if f.Input == "" {
		return nil
	}
	if week, ok := f.Kind.(workspace.Week[T]); ok {
		return weekInputs(f, path, week)
	}
	in := input[T]{path: path, fixed: f.Fixed,
		Input: Input{Name: f.Input, Label: f.Label.String(), Hint: f.Hint.String(), Required: f.Required,
			MaxLength: defaultMaxLength}}
	switch k := f.Kind.(type) {
	case workspace.Text[T]:
		in.text(k)
	case workspace.Number[T]:
		in.Numeric = k.Unit != workspace.Spans
		in.Show = func(v *T) string { return showNumber(k, k.Get(v)) }
		in.Read = func(v *T, typed Values) { k.Set(v, readNumber(k, typed[f.Input])) }
	case workspace.Flag[T]:
		in.flag = true
		in.Show = func(v *T) string { return yesOrNo(*k.At(v)) }
		in.Read = func(v *T, typed Values) { *k.At(v) = typed[f.Input] == Yes }
	case workspace.Numbers[T]:
		in.items = splitMinutes
		in.Show = func(v *T) string { return spellMinutes(*k.At(v)) }
		in.Read = func(v *T, typed Values) { *k.At(v) = readMinutesList(typed[f.Input]) }
	case workspace.Texts[T]:
		in.texts(k)
	}
	return []input[T]{in}
}

func (in *input[T]) text(k workspace.Text[T]) {
	name := in.Name
	in.picked, in.tidy = k.Format.Picked, k.Format.Tidy
	in.MaxLength = cmp.Or(k.Format.Max, defaultMaxLength)
	in.Show = func(v *T) string {
		switch {
		case in.picked:
			return *k.At(v)
		case in.tidy != nil:
			return in.tidy(*k.At(v))
		}
		return strings.TrimSpace(*k.At(v)) // as the form returns it
	}
	in.Read = func(v *T, typed Values) { *k.At(v) = typed[name] }
}

// texts shows a list with one item on each line.
func (in *input[T]) texts(k workspace.Texts[T]) {
	name := in.Name
	in.items = func(text string) []string { return splitLines(text, k.Format.Tidy) }
	in.tidy = func(text string) string { return strings.Join(in.items(text), "\n") }
	in.Show = func(v *T) string { return strings.Join(*k.At(v), "\n") }
	in.Read = func(v *T, typed Values) { *k.At(v) = in.items(typed[name]) }
	in.Words = func(v *T) string { return strings.Join(*k.At(v), ", ") }
}

// splitLines cleans up what people paste: empty lines and duplicates.
func splitLines(text string, tidy func(string) string) (items []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if tidy != nil {
			line = tidy(line)
		}
		if line != "" && !slices.Contains(items, line) {
			items = append(items, line)
		}
	}
	return items
}

func weekInputs[T any](f workspace.Field[T], path string, k workspace.Week[T]) (days []input[T]) {
	for i, name := range workspace.Weekdays {
		day := time.Weekday((i + 1) % 7)
		in := input[T]{path: workspace.JoinPath(path, name), fixed: f.Fixed, items: splitHours,
			Input: Input{Name: name, Label: day.String(), Hint: f.Hint.String(), MaxLength: maxListLength}}
		in.Show = func(v *T) string { return ShowHours((*k.At(v))[day]) }
		in.Words = func(v *T) string { return cmp.Or(ShowHours((*k.At(v))[day]), say.T("closed")) }
		in.Read = func(v *T, typed Values) {
			week := map[time.Weekday][]slots.Window{} // another one: v may share its own with what is stored
			for d, windows := range *k.At(v) {
				week[d] = windows
			}
			if week[day] = ReadHours(typed[name]); len(week[day]) == 0 {
				delete(week, day)
			}
			*k.At(v) = week
		}
		days = append(days, in)
	}
	return days
}

func showNumber[T any](k workspace.Number[T], n int) string {
	switch {
	case k.None != "" && n == 0:
		return ""
	case k.Unit == workspace.Spans:
		return page.SpellMinutes(n)
	}
	return strconv.Itoa(n)
}

// readNumber returns the default for an empty text. A typed 0 becomes -1, which is invalid, if 0 means none.
func readNumber[T any](k workspace.Number[T], text string) int {
	if text == "" {
		return k.Default
	}
	n := page.ParseNumber(text)
	if k.Unit != workspace.Count {
		n = readMinutes(text)
	}
	if n == 0 && k.None != "" {
		return -1
	}
	return n
}

// Yes is the value of a ticked box.
const Yes = "yes"

func yesOrNo(is bool) string {
	if is {
		return Yes
	}
	return "no"
}
