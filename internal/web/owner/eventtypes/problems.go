package eventtypes

import (
	"fmt"
	"strings"

	"slotd"

	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

// field maps a path of the workspace file to an input of the form and the subject of its problem.
func (typed values) field(path string) (field, subject string) {
	_, name, _ := strings.Cut(path, "].")
	name, entry, listed := strings.Cut(name, "[")
	in, ok := inputAt(workspace.EventTypeFields, name)
	switch {
	case !ok:
		return "title", path
	case !listed:
		return in.Input, in.Label
	}
	at := page.ParseNumber(strings.TrimSuffix(entry, "]"))
	subject = fmt.Sprintf("Reminder %d", at+1)
	if words := reminderWords(typed[in.Input]); at < len(words) {
		subject += ", " + page.ShortQuote(words[at]) + ","
	}
	return in.Input, subject
}

// inputAt finds the field with the path, such as location.url.
func inputAt(fields []workspace.Field[slotd.EventType], path string) (workspace.Field[slotd.EventType], bool) {
	name, rest, inner := strings.Cut(path, ".")
	for _, f := range fields {
		if object, ok := f.Kind.(workspace.Object[slotd.EventType]); ok && inner && f.Name == name {
			return inputAt(object.Fields, rest)
		}
		if f.Name == path && f.Input != "" {
			return f, true
		}
	}
	return workspace.Field[slotd.EventType]{}, false
}
