package eventtypes

import (
	"fmt"
	"strings"

	"slotd"

	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

// eventTypeField maps a path of the workspace file to an input of the form and the subject of its problem.
func eventTypeField(path string) (field, subject string) {
	_, name, _ := strings.Cut(path, "].")
	name, entry, listed := strings.Cut(name, "[")
	if in, ok := inputAt(workspace.EventTypeFields, name); ok {
		if listed {
			return in.Input, fmt.Sprintf("Reminder %d", page.ParseNumber(strings.TrimSuffix(entry, "]"))+1)
		}
		return in.Input, in.Label
	}
	return "title", path
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

// rewordProblems replaces phrases of the workspace file with those of the form.
func (c *eventTypeContent) rewordProblems() {
	c.Reword("currency", "an ISO 4217 code in lower case, such as usd or eur",
		"a code of three letters, such as USD or EUR")
	c.Reword("notice", "a whole number from 0 to 525600",
		"minutes, or words such as 2 hours or 1 day: 365 days at most")
	c.Reword("reminders", "a whole number from 1 to 40320",
		"minutes, or words such as 2 hours or 1 day: from 1 minute to 28 days")
	for i, word := range reminderWords(c.Typed["reminders"]) {
		name := fmt.Sprintf("Reminder %d", i+1)
		c.Reword("reminders", name+" ", name+", "+page.ShortQuote(word)+", ")
	}
}
