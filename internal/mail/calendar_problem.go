package mail

import (
	netmail "net/mail"
	"strings"
	"time"

	"slotd/internal/lib/say"
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
		subject: say.T("Your calendar %s needs your attention", cleanLine(t.Calendar)),
		date:    now,
		id:      strings.Map(idRune, strings.ToLower(t.ID)),
	}
	return h.message(plainPart([]byte(t.text())))
}

func (t *CalendarProblem) text() string {
	hint := say.T("If its address or password has changed, update it in your calendar settings, or in the workspace file "+
		"and apply that:\n\n    slotd apply -f FILE\n\n"+
		"To see its status:\n\n    slotd calendar list --workspace %s", cleanLine(t.Slug))
	if t.ByConsent {
		hint = say.T("Reconnect it in your calendar settings, or with this command, which prints a link to open:\n\n"+
			"    slotd calendar connect --workspace %s --name %q", cleanLine(t.Slug), cleanLine(t.Calendar))
	}
	return say.T("We can't read the calendar %q of %s: %s", cleanLine(t.Calendar), cleanLine(t.Workspace),
		cleanLine(t.Why)) + "\n\n" +
		say.T("When our last copy of it gets too old, guests see no open times, so that nobody can book over your "+
			"events.") + "\n\n" + hint + "\n"
}
