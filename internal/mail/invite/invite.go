// Package invite writes the iCalendar object that adds one booking to people's calendars, moves it there or removes
// it (RFC 5545; iTIP: RFC 5546). It is pure: it reads nothing, sends nothing and decides nothing about a booking.
//
// Names, titles and notes come from strangers. No value can end its line, its property or the event: see write.go.
package invite

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
)

// Method says what the reader should do with the event.
type Method string

const (
	Request Method = "REQUEST" // add it, or move it if it is there
	Cancel  Method = "CANCEL"  // remove it
	Publish Method = "PUBLISH" // a file to download: it invites nobody
	// An object stored in a calendar has no method (RFC 4791, section 4.1). It lists no attendees either, because the
	// calendar server would invite them.
	Stored Method = ""
)

// Person is an organizer or an attendee.
type Person struct{ Name, Email string }

// Event is one booking at one point of its life.
type Event struct {
	Method     Method
	UID        string
	Sequence   int       // increases with every move and on cancel: readers ignore anything older than what they have
	Stamp      time.Time // when this change was made
	Created    time.Time
	Start, End time.Time

	Summary     string
	Location    string // may be empty
	Description string // may be empty
	URL         string // may be empty

	Organizer Person
	Attendees []Person // not written for Publish: RFC 5546, section 3.2.1 forbids it
}

// UID stays the same for the whole life of a booking; otherwise a move would add a second event.
func UID(booking uuid.UUID) string { return booking.String() + UIDSuffix }

// UIDSuffix ends the UIDs of our own events.
const UIDSuffix = "@slotd"

// Bytes returns the whole iCalendar object.
func (e *Event) Bytes() []byte {
	out := appendLine(nil, "BEGIN:VCALENDAR")
	out = appendLine(out, "VERSION:2.0")
	out = appendLine(out, "PRODID:-//slotd//slotd//EN")
	out = appendLine(out, "CALSCALE:GREGORIAN")
	if e.Method != Stored {
		out = appendLine(out, "METHOD:", string(e.Method))
	}
	out = appendLine(out, "BEGIN:VEVENT")
	out = e.appendFacts(out)
	out = e.appendTexts(out)
	out = e.appendPeople(out)
	out = appendLine(out, "END:VEVENT")
	return appendLine(out, "END:VCALENDAR")
}

func (e *Event) appendFacts(out []byte) []byte {
	out = appendLine(out, "UID:", escapeText(e.UID))
	out = appendLine(out, "SEQUENCE:", strconv.Itoa(e.Sequence))
	out = appendLine(out, "DTSTAMP:", formatInstant(e.Stamp))
	out = appendLine(out, "CREATED:", formatInstant(e.Created))
	out = appendLine(out, "LAST-MODIFIED:", formatInstant(e.Stamp))
	out = appendLine(out, "DTSTART:", formatInstant(e.Start))
	out = appendLine(out, "DTEND:", formatInstant(e.End))
	out = appendLine(out, "STATUS:", e.status())
	return appendLine(out, "TRANSP:OPAQUE")
}

func (e *Event) status() string {
	if e.Method == Cancel {
		return "CANCELLED"
	}
	return "CONFIRMED"
}

func (e *Event) appendTexts(out []byte) []byte {
	out = appendLine(out, "SUMMARY:", escapeText(e.Summary))
	out = appendUnlessBlank(out, "LOCATION:", e.Location)
	out = appendUnlessBlank(out, "DESCRIPTION:", e.Description)
	if e.URL != "" {
		out = appendLine(out, "URL:", escapeURI(e.URL))
	}
	return out
}

// appendUnlessBlank skips blank values: libical treats a property with a blank value as an error.
func appendUnlessBlank(out []byte, name, value string) []byte {
	if !strings.ContainsFunc(value, isVisible) {
		return out
	}
	return appendLine(out, name, escapeText(value))
}

func isVisible(r rune) bool { return !unicode.IsSpace(r) && !unicode.IsControl(r) }

// appendPeople marks attendees as accepted: they chose the time themselves, and a reply would go to a host who does
// not expect one.
func (e *Event) appendPeople(out []byte) []byte {
	if e.Method == Stored {
		return out
	}
	out = appendLine(out, "ORGANIZER;CN=", quoteParam(e.Organizer.Name), ":", Mailto(e.Organizer.Email))
	if e.Method == Publish {
		return out
	}
	for _, p := range e.Attendees {
		out = appendLine(out, "ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE;CN=",
			quoteParam(p.Name), ":", Mailto(p.Email))
	}
	return out
}
