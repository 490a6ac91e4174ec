package mail

import (
	"fmt"
	netmail "net/mail"
	"strings"
	"time"
)

// Trouble is a calendar that lets us in no longer.
type CalendarProblem struct {
	From, To  netmail.Address
	Workspace string // its name
	Slug      string
	Calendar  string
	ByConsent bool   // the owner agrees at the service, instead of giving a password
	Why       string // a sentence
	ID        string // of the mail
}

// CalendarTrouble tells the owner, who alone can mend it.
func CalendarMail(t CalendarProblem, now time.Time) Message {
	h := headers{
		from:    netmail.Address{Name: firstOf(line(t.From.Name), line(t.Workspace)), Address: line(t.From.Address)},
		to:      netmail.Address{Name: line(t.To.Name), Address: line(t.To.Address)},
		subject: "Your calendar " + line(t.Calendar) + " needs you",
		date:    now,
		id:      strings.Map(inID, strings.ToLower(t.ID)),
	}
	return h.message(plainPart([]byte(t.text())))
}

func (t *CalendarProblem) text() string {
	mend := "If its address or its password has changed, put the new one into the workspace file and apply it:\n\n   " +
		" slotd apply -f FILE\n\n" +
		"How it is at the moment:\n\n    slotd calendar list --workspace " + line(t.Slug)
	if t.ByConsent {
		mend = fmt.Sprintf("Connect it again; this prints a link to open:\n\n    slotd calendar connect --workspace "+
			"%s --name %q", line(t.Slug), line(t.Calendar))
	}
	return fmt.Sprintf("The calendar %q of %s cannot be read: %s\n\n"+
		"Until it can, guests see no open times once the copy of it is too old, so that nobody is booked over what "+
		"stands in it.\n\n%s\n",
		line(t.Calendar), line(t.Workspace), line(t.Why), mend)
}
