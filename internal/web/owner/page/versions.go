package page

import (
	"strings"

	"slotd/internal/workspace"
)

// markedField is a field of a form whose fields are marked one by one, so that two owners who change different ones
// keep both.
type VersionedField struct {
	Label       string  // as the page calls it
	Current     string  // what is there, as the form would show it
	CurrentText string  // the same in words, where it has others
	Typed       *string // is filled in from what is there where it was left alone
	Untouched   bool    // it was left alone, although it is not what the form showed
}

// marks is the mark of several values.
func Versions(values ...string) string {
	each := make([]string, len(values))
	for i, value := range values {
		each[i] = workspace.Version(value)
	}
	return strings.Join(each, "-")
}

// saw reports whether a field was filled in from this value when the form was opened.
func (f *Form) OpenedWith(field int, value string) bool {
	seen := strings.Split(f.Version, "-")
	return field < len(seen) && seen[field] == Versions(value)
}

// clash is for a form that was filled in from what somebody else has changed since. Fields that were left alone take
// what is there now; where both typed something, the typed stays and theirs is told. mark is that of what is there now:
// who saves again has seen it.
func (f *Form) Resolve(mark string, fields ...VersionedField) {
	for i, field := range fields {
		if f.OpenedWith(i, field.Current) || *field.Typed == field.Current {
			continue
		}
		told := field.CurrentText
		if told == "" {
			told = ShortQuote(field.Current)
		}
		if field.Untouched || f.OpenedWith(i, *field.Typed) {
			f.Taken = append(f.Taken, field.Label+" is now "+told+", as somebody else has set it.")
			*field.Typed = field.Current
		} else {
			f.Theirs = append(f.Theirs, field.Label+" is now "+told+".")
		}
	}
	f.Version, f.Conflict = mark, true
}
