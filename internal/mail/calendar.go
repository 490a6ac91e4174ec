package mail

import (
	netmail "net/mail"
	"strings"

	"slotd/internal/lib/say"
	"slotd/internal/mail/invite"
)

// InviteFile returns the event of the notice as an iCalendar file. The mail carries it, and the .ics link in the mail
// serves it.
func InviteFile(n *Notice, method invite.Method) []byte {
	b := n.Booking
	e := invite.Event{
		Method:      method,
		UID:         invite.UID(b.ID),
		Sequence:    b.Sequence,
		Stamp:       n.At,
		Created:     b.CreatedAt,
		Start:       b.StartsAt,
		End:         b.EndsAt,
		Summary:     n.summary(),
		Location:    n.place(),
		Description: n.description(),
		URL:         webLink(b.JoinURL),
		Organizer:   person(n.organizer()),
		Attendees:   n.invitees(),
	}
	return e.Bytes()
}

// Texts are what an event about the booking says, for calendars that take fields instead of a file.
type Texts struct{ Summary, Location, Description string }

// EventTexts returns the texts of the notice's event.
func EventTexts(n *Notice) Texts { return Texts{n.summary(), n.place(), n.description()} }

// place returns one line. Calendars offer a link in it as the way to join.
func (n *Notice) place() string {
	return firstNonEmpty(webLink(n.Booking.JoinURL), cleanLine(n.Booking.Location))
}

func (n *Notice) description() string {
	if n.To == ToHost {
		return n.hostDescription()
	}
	return describe(
		say.T("Join"), webLink(n.Booking.JoinURL),
		say.T("Where"), joinLines(n.Booking.Location),
		say.T("Reschedule"), n.reschedule(),
		say.T("Cancel"), n.cancel(),
	)
}

func (n *Notice) hostDescription() string {
	return describe(
		say.T("With"), n.attendee().Name,
		say.T("Email"), cleanLine(n.Booking.Attendee.Email),
		say.T("Phone"), cleanLine(n.Booking.Attendee.Phone),
		say.T("Join"), webLink(n.Booking.JoinURL),
		say.T("Where"), joinLines(n.Booking.Location),
		say.T("Notes"), joinLines(n.Booking.Notes),
		say.T("Booking ID"), n.Booking.ID.String(),
	)
}

func joinLines(text string) string { return strings.Join(cleanLines(text), "\n") }

// describe joins the "Label: value" lines and leaves out labels without a value.
func describe(pairs ...string) string {
	var out []string
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out = append(out, pairs[i]+": "+pairs[i+1])
		}
	}
	return strings.Join(out, "\n")
}

// organizer is the host for the attendee and the server for the host, never the recipient: calendars treat an invite
// from the recipient as the recipient's own event, and show neither the buttons nor the changes.
func (n *Notice) organizer() netmail.Address {
	server := netmail.Address{Name: n.workspace(), Address: n.From.Address}
	noreply := func(name string) netmail.Address {
		return netmail.Address{Name: server.Name, Address: name + "@" + domain(n.From.Address)}
	}
	for _, c := range []netmail.Address{n.host(), server, n.otherPerson(), noreply("noreply")} {
		if isAddress(c.Address) && !strings.EqualFold(c.Address, n.recipient().Address) {
			return c
		}
	}
	return noreply("no-reply")
}

// invitees leaves out people without an address, such as an erased attendee.
func (n *Notice) invitees() (people []invite.Person) {
	all := []netmail.Address{n.host(), n.attendee()}
	if n.To == ToAttendee || strings.EqualFold(all[0].Address, all[1].Address) {
		all = all[1:]
	}
	for _, a := range all {
		if isAddress(a.Address) {
			people = append(people, person(a))
		}
	}
	return people
}

func person(a netmail.Address) invite.Person { return invite.Person{Name: a.Name, Email: a.Address} }
