// Package ical reads iCalendar text and works out when its owner is busy.
//
// It decides which events take time and between which instants. It stores nothing, has no clock, and never turns what
// it cannot read into free time: that is an error, or, where the doubt has bounds, busy time as wide as the doubt.
package ical

import (
	"fmt"
	"io"
	"strings"
	"time"

	"slotd/internal/availability/slots"
)

const maxWarnings = 20

// Span is half-open: an event that ends at 10:00 does not touch one that starts then.
type Span = slots.Span

// Reader reads iCalendar files (RFC 5545).
type Reader struct {
	// Zone is the owner's: all-day events and those without a zone are in it.
	Zone *time.Location
	// OwnerEmail finds the owner among an event's attendees. Empty: nobody has declined.
	OwnerEmail string
	// Location finds a zone by its IANA name. An error widens the event, it never drops it.
	Location func(tzid string) (*time.Location, error)
	// From and Until bound what is returned: all that touches [From, Until), in its whole length. Left out, they are
	// the beginning and the year 2101, where slotd's own dates end: a series may have no end.
	From, Until time.Time

	shared *shared // nil: each call is on its own
}

// Busy returns the busy spans in UTC, by start; they may overlap. Errors and warnings are sentences for the owner. They
// name lines, not titles: they end up in logs, and a title may be about somebody.
func (r Reader) Busy(src io.Reader) (busy []Span, warnings []string, err error) {
	text, err := io.ReadAll(io.LimitReader(src, maxBytes+1))
	if err != nil {
		return nil, nil, fmt.Errorf("read calendar: %w", err)
	}
	x := NewExpansion(r)
	if err := x.Add(string(text)); err != nil {
		return nil, nil, err
	}
	events, warnings, err := x.Events()
	if len(events) > 0 {
		busy = make([]Span, 0, len(events))
	}
	for _, e := range events {
		busy = append(busy, e.Span)
	}
	return busy, warnings, err
}

func (r Reader) until() time.Time {
	if r.Until.IsZero() {
		return time.Date(2101, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return r.Until
}

func (r Reader) touches(s Span) bool { return s.End.After(r.From) && s.Start.Before(r.until()) }

func lineError(line int, format string, args ...any) error {
	return fmt.Errorf("line %d: %s", line, fmt.Sprintf(format, args...))
}

// clip keeps a stranger's text from filling a sentence.
func clip(text string) string {
	if len(text) > 60 {
		text = text[:60] + "…"
	}
	return strings.ToValidUTF8(text, "?")
}

// warnings keeps the first few: a broken export says the same of every event.
type warnings struct {
	kept []string
	left int
}

func (w *warnings) add(format string, args ...any) {
	if len(w.kept) == maxWarnings {
		w.left++
		return
	}
	w.kept = append(w.kept, fmt.Sprintf(format, args...))
}

func (w *warnings) all() []string {
	if w.left == 0 {
		return w.kept
	}
	return append(w.kept[:len(w.kept):len(w.kept)], fmt.Sprintf("and %d more like these.", w.left))
}
