package owner

import (
	"strings"

	"slotd/internal/workspace"
)

// markedValue is a field of a form whose parts are marked one by one, so that it can be said which of them somebody else has changed.
type markedValue struct{ what, now, typed string }

// marks is the mark of several values.
func marks(values ...string) string {
	each := make([]string, len(values))
	for i, value := range values {
		each[i] = workspace.Mark(value)
	}
	return strings.Join(each, "-")
}

// clash says what has changed since the form was filled in, and marks it as seen: who saves again means it. It reports whether
// all that was typed is there already, which is no conflict.
func (f *form) clash(values ...markedValue) (same bool) {
	seen := strings.Split(f.Seen, "-")
	var now []string
	same = true
	for i, v := range values {
		now = append(now, v.now)
		same = same && v.now == v.typed
		switch changed := i >= len(seen) || seen[i] != workspace.Mark(v.now); {
		case changed && v.now == "":
			f.Theirs = append(f.Theirs, v.what+" is empty now.")
		case changed:
			f.Theirs = append(f.Theirs, v.what+" is now "+v.now)
		}
	}
	f.Seen = marks(now...)
	return same
}
