package mail

import (
	"fmt"
	netmail "net/mail"
	"strings"
	"time"
)

// CalendarProblem is a calendar that no longer grants access.
type CalendarProblem struct {
	From, To  netmail.Address
	Workspace string // its name
	Slug      string
	Calendar  string
	ByConsent bool   // the owner grants access at the service instead of entering a password
	Why       string // a sentence
	ID        string // id of the mail
}

// CalendarMail returns the mail to the owner, who is the only one who can fix the problem.
func CalendarMail(t CalendarProblem, now time.Time) Message {
	h := headers{
		from: netmail.Address{Name: firstNonEmpty(cleanLine(t.From.Name), cleanLine(t.Workspace)),
			Address: cleanLine(t.From.Address)},
		to:      netmail.Address{Name: cleanLine(t.To.Name), Address: cleanLine(t.To.Address)},
		subject: "Your calendar " + cleanLine(t.Calendar) + " needs you",
		date:    now,
		id:      strings.Map(idRune, strings.ToLower(t.ID)),
	}
	return h.message(plainPart([]byte(t.text())))
}

func (t *CalendarProblem) text() string {
	hint := "If its address or its password has changed, put the new one into the workspace file and apply it:\n\n   " +
		" slotd apply -f FILE\n\n" +
		"How it is at the moment:\n\n    slotd calendar list --workspace " + cleanLine(t.Slug)
	if t.ByConsent {
		hint = fmt.Sprintf("Connect it again; this prints a link to open:\n\n    slotd calendar connect --workspace "+
			"%s --name %q", cleanLine(t.Slug), cleanLine(t.Calendar))
	}
	return fmt.Sprintf("The calendar %q of %s cannot be read: %s\n\n"+
		"Until it can, guests see no open times once the copy of it is too old, so that nobody is booked over what "+
		"stands in it.\n\n%s\n",
		cleanLine(t.Calendar), cleanLine(t.Workspace), cleanLine(t.Why), hint)
}
