// Package ical reads iCalendar text and works out when its owner is busy.
//
// It decides which events take time, and from which instant to which. It stores nothing and has no clock. It never
// turns what it cannot read into free time: it returns an error, or, if the uncertainty is bounded, busy time that
// covers all of it.
package ical

import (
	"fmt"
	"io"
	"strings"
	"time"

	"slotd/internal/availability/slots"
	"slotd/internal/calendar"
	"slotd/internal/lib/say"
)

const maxWarnings = 20

// Span is half-open: an event that ends at 10:00 does not overlap one that starts at 10:00.
type Span = slots.Span

// Reader reads iCalendar files (RFC 5545).
type Reader struct {
	// Zone is the owner's time zone. It applies to all-day events and to times without a zone.
	Zone *time.Location
	// OwnerEmail identifies the owner among an event's attendees. If it is empty, no event counts as declined.
	OwnerEmail string
	// Location returns a zone by its IANA name. If it fails, the event gets longer; it is never dropped.
	Location func(tzid string) (*time.Location, error)
	// From and Until bound the result: it contains every event that overlaps [From, Until), at its full length. Zero
	// values mean the beginning of time and the year 2101, where slotd's own dates end: a series may be endless.
	From, Until time.Time

	shared *shared // nil: calls share nothing
}

// Busy returns the busy spans in UTC, sorted by start. They may overlap. Errors and warnings are sentences for the
// owner; an error of the text is a *calendar.Error. They name lines, not titles: they end up in logs, and a title may
// be about a person.
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

func (r Reader) overlaps(s Span) bool { return s.End.After(r.From) && s.Start.Before(r.until()) }

// lineError is for something that is wrong in the text. Usually the owner can correct the event.
func lineError(line int, sentence say.Sentence, args ...any) *calendar.Error {
	return calendar.Errorf(calendar.Unusable, "Line %d: %s", line, sentence.With(args...)).
		Advise(calendar.CorrectEvent)
}

// clip shortens text from outside, so that it cannot fill a sentence.
func clip(text string) string {
	if len(text) > 60 {
		text = text[:60] + "…"
	}
	return strings.ToValidUTF8(text, "?")
}

// warnings keeps the first few: a broken export causes the same warning for every event.
type warnings struct {
	list    []string
	dropped int
}

func (w *warnings) add(sentence say.Sentence, args ...any) {
	if len(w.list) == maxWarnings {
		w.dropped++
		return
	}
	w.list = append(w.list, sentence.With(args...))
}

func (w *warnings) all() []string {
	if w.dropped == 0 {
		return w.list
	}
	return append(w.list[:len(w.list):len(w.list)], say.N(w.dropped, "There is %d more problem like these.",
		"There are %d more problems like these."))
}
