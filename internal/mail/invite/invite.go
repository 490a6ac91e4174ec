// Package invite writes the iCalendar object that puts one booking into people's calendars, moves it there or takes it
// out again (RFC 5545, iTIP: RFC 5546). It is pure: it reads nothing, sends nothing and decides nothing about a
// booking.
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

// Method is what the reader shall do with the event.
type Method string

const (
	Request Method = "REQUEST" // enter it, or move it if it is there
	Cancel  Method = "CANCEL"  // take it out
	Publish Method = "PUBLISH" // a file to download: nobody is invited by it
	// what lies in a calendar has no method (RFC 4791, 4.1) and invites nobody: its server would
	Stored Method = ""
)

// Person is an organizer or an attendee.
type Person struct{ Name, Email string }

// Event is one booking at one point of its life.
type Event struct {
	Method     Method
	UID        string
	Sequence   int       // one more on every move and on cancel: a reader ignores what is older than what it has
	Stamp      time.Time // when this change was made
	Created    time.Time
	Start, End time.Time

	Summary     string
	Location    string // may be empty
	Description string // may be empty
	URL         string // may be empty

	Organizer Person
	Attendees []Person // not written in a Publish: RFC 5546, 3.2.1 forbids it
}

// UID is the same for a booking's whole life, or a move would be entered as a second event.
func UID(booking uuid.UUID) string { return booking.String() + UIDSuffix }

// UIDSuffix ends the UIDs that are ours.
const UIDSuffix = "@slotd"

// Bytes is the whole iCalendar object.
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
	out = appendLine(out, "UID:", text(e.UID))
	out = appendLine(out, "SEQUENCE:", strconv.Itoa(e.Sequence))
	out = appendLine(out, "DTSTAMP:", instant(e.Stamp))
	out = appendLine(out, "CREATED:", instant(e.Created))
	out = appendLine(out, "LAST-MODIFIED:", instant(e.Stamp))
	out = appendLine(out, "DTSTART:", instant(e.Start))
	out = appendLine(out, "DTEND:", instant(e.End))
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
	out = appendLine(out, "SUMMARY:", text(e.Summary))
	out = appendUnlessBlank(out, "LOCATION:", e.Location)
	out = appendUnlessBlank(out, "DESCRIPTION:", e.Description)
	if e.URL != "" {
		out = appendLine(out, "URL:", uri(e.URL))
	}
	return out
}

// libical takes a property whose value is blank for an error.
func appendUnlessBlank(out []byte, name, value string) []byte {
	if !strings.ContainsFunc(value, isInk) {
		return out
	}
	return appendLine(out, name, text(value))
}

func isInk(r rune) bool { return !unicode.IsSpace(r) && !unicode.IsControl(r) }

// Attendees have accepted: they chose the time themselves, and an answer would go to a host who does not wait for one.
func (e *Event) appendPeople(out []byte) []byte {
	if e.Method == Stored {
		return out
	}
	out = appendLine(out, "ORGANIZER;CN=", quoted(e.Organizer.Name), ":", Mailto(e.Organizer.Email))
	if e.Method == Publish {
		return out
	}
	for _, p := range e.Attendees {
		out = appendLine(out, "ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE;CN=",
			quoted(p.Name), ":", Mailto(p.Email))
	}
	return out
}
