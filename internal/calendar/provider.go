// Package calendar says what a connected calendar is: how it is read, how a booking is written into it, and what can go
// wrong. The providers in the folders below do it; ical understands what most of them send.
package calendar

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Provider reads one connected calendar.
type Provider interface {
	// Changes reads what is new since the cursor that the last read returned; an empty one asks for
	// everything. known holds the tags of the items that are kept, by their ids, for servers that can
	// only compare. It never returns less than there is: what cannot be read is an *Error.
	Changes(ctx context.Context, cursor string, known map[string]string) (Changes, error)
}

// Changes is what a read found.
type Changes struct {
	Whole  bool     // Items is all there is: what is not in it is gone
	Items  []Item   // new or changed
	Gone   []string // ids
	Cursor string   // for the next read
}

// Item is one thing that a calendar holds: a series with its exceptions, or a whole feed.
type Item struct {
	ID   string // names it within its calendar
	Tag  string // changes when the item does; may be empty
	Text string // as Reduce returns it: when it is, never what it is
}

// Writer is a Provider that bookings can be written into.
type Writer interface {
	Provider

	// Put makes the calendar hold the entry once, at the place was, which the last Put returned; the
	// zero Place is for an entry that is not known to be there. It only replaces what has the place's
	// tag. If something else is there, or nothing, it changes nothing and returns ErrChanged with the
	// place as it is now: the caller looks at the booking anew and calls again.
	Put(ctx context.Context, e Entry, was Place) (Place, error)

	// Delete takes the entry out, in the same way. One that is not there is no error.
	Delete(ctx context.Context, uid string, was Place) (Place, error)
}

// ErrChanged is the answer to a write whose place is not as it was.
var ErrChanged = errors.New("the calendar's entry has changed meanwhile")

// Changed is that answer, with the place where the entry was found, unless finding it failed.
func Changed(now Place, err error) (Place, error) {
	if err != nil {
		return Place{}, err
	}
	return now, ErrChanged
}

// Place is where an entry lies in its calendar.
type Place struct {
	ID  string // the server's name for it; empty: it is not there
	Tag string
}

// Entry is a booking as it stands in the host's own calendar.
type Entry struct {
	UID         string // the invite's
	Sequence    int
	Start, End  time.Time
	Summary     string
	Location    string
	Description string
	ICS         []byte // all of it as an iCalendar object without a METHOD, for servers that take one
}

// Kind is what can be done about an Error.
type Kind int

const (
	Unreachable Kind = iota // the server is down, slow or in trouble: it passes
	Refused                 // the server does not accept the credential
	Revoked                 // the owner took the permission back: no retry mends it, only a new consent
	Unusable                // what the server sends cannot be understood
)

// Error says why a calendar cannot be read or written, in a sentence for its owner. It names no
// credential, no address that may hold one, and no title of an event.
type Error struct {
	Kind       Kind
	Message    string
	RetryAfter time.Duration // the server's wish; 0: none
}

func (e *Error) Error() string { return e.Message }

// Errorf makes an error of the kind.
func Errorf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}
