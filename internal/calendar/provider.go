// Package calendar defines what a connected calendar is: how it is read, how a booking is written to it, and what can
// go wrong. The packages below it implement providers; package ical parses what most of them send.
package calendar

import (
	"context"
	"errors"
	"time"
)

// Provider reads one connected calendar.
type Provider interface {
	// Changes reads what has changed since the cursor that the last read returned. An empty cursor asks for
	// everything. known holds the tags of the stored items by id, for servers that can only compare. Changes never
	// returns less than there is: if something cannot be read, it returns an *Error.
	Changes(ctx context.Context, cursor string, known map[string]string) (Changes, error)
}

// Changes is the result of a read.
type Changes struct {
	Complete bool     // Items is everything: all other items are gone
	Items    []Item   // new or changed
	Gone     []string // ids
	Cursor   string   // for the next read
}

// Item is one thing in a calendar: a series with its exceptions, or a whole feed.
type Item struct {
	ID   string // unique within its calendar
	Tag  string // changes when the item does; may be empty
	Text string // as ical.Reader.Reduce returns it: when the item is, never what it is
}

// Writer is a Provider that can also store bookings in its calendar.
type Writer interface {
	Provider

	// Put makes the calendar contain the entry once. The previous Put returned last, the reference to the entry. The
	// zero EntryRef means that the entry is not known to be there. Put only replaces an entry that still has the tag of
	// last. If it finds another entry there, or none, it changes nothing and returns ErrChanged with the current
	// reference: the caller reads the booking again and retries.
	Put(ctx context.Context, e Entry, last EntryRef) (EntryRef, error)

	// Delete removes the entry under the same rules. A missing entry is not an error.
	Delete(ctx context.Context, uid string, last EntryRef) (EntryRef, error)
}

// ErrChanged is returned by a write whose entry has changed since its reference was read.
var ErrChanged = errors.New("the calendar's entry has changed meanwhile")

// Changed returns ErrChanged with the entry's current reference, or err if looking for the reference failed.
func Changed(current EntryRef, err error) (EntryRef, error) {
	if err != nil {
		return EntryRef{}, err
	}
	return current, ErrChanged
}

// EntryRef is a reference to an entry in its calendar.
type EntryRef struct {
	ID  string // the server's name for it; empty: the entry is not there
	Tag string
}

// Entry is a booking as it appears in the host's own calendar.
type Entry struct {
	UID         string // the invite's
	Sequence    int
	Start, End  time.Time
	Summary     string
	Location    string
	Description string
	ICS         []byte // the whole entry as an iCalendar object without a METHOD, for servers that accept one
}
