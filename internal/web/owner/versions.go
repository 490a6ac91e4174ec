package owner

import (
	"strings"

	"slotd/internal/workspace"
)

// markedField is a field of a form whose fields are marked one by one, so that two owners who change different ones
// keep both.
type versionedField struct {
	what  string  // as the page calls it
	now   string  // what is there, as the form would show it
	told  string  // the same in words, where it has others
	typed *string // is filled in from what is there where it was left alone
	left  bool    // it was left alone, although it is not what the form showed
}

// marks is the mark of several values.
func versions(values ...string) string {
	each := make([]string, len(values))
	for i, value := range values {
		each[i] = workspace.Version(value)
	}
	return strings.Join(each, "-")
}

// saw reports whether a field was filled in from this value when the form was opened.
func (f *form) openedWith(field int, value string) bool {
	seen := strings.Split(f.Version, "-")
	return field < len(seen) && seen[field] == versions(value)
}

// clash is for a form that was filled in from what somebody else has changed since. Fields that were left alone take
// what is there now; where both typed something, the typed stays and theirs is told. mark is that of what is there now:
// who saves again has seen it.
func (f *form) conflict(mark string, fields ...versionedField) {
	for i, field := range fields {
		if f.openedWith(i, field.now) || *field.typed == field.now {
			continue
		}
		told := field.told
		if told == "" {
			told = shortQuote(field.now)
		}
		if field.left || f.openedWith(i, *field.typed) {
			f.Taken = append(f.Taken, field.what+" is now "+told+", as somebody else has set it.")
			*field.typed = field.now
		} else {
			f.Theirs = append(f.Theirs, field.what+" is now "+told+".")
		}
	}
	f.Version, f.Conflict = mark, true
}
