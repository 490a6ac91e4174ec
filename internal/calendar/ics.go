// Package calendar reads when a host is busy out of the host's own calendars.
//
// It decides which events take time and between which instants. It stores nothing, has no clock, and never turns what it cannot
// read into free time: that is an error, or, where the doubt has bounds, busy time as wide as the doubt.
package calendar

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"slotd/internal/slots"
)

const (
	maxBytes    = 10 << 20
	maxEvents   = 20_000
	maxWarnings = 20
)

// Span is half-open: an event that ends at 10:00 does not touch one that starts then.
type Span = slots.Span

// Reader reads iCalendar files (RFC 5545), events that happen once.
type Reader struct {
	// Zone is the owner's: all-day events and those without a zone are in it.
	Zone *time.Location
	// OwnerEmail finds the owner among an event's attendees. Empty: nobody has declined.
	OwnerEmail string
	// Location finds the zone of a TZID. An error widens the event, it never drops it.
	Location func(tzid string) (*time.Location, error)
}

// Busy returns the busy spans in UTC, by start; they may overlap. Errors and warnings are sentences for the owner. They name lines, not
// titles: they end up in logs, and a title may be about somebody.
func (r Reader) Busy(src io.Reader) (busy []Span, warnings []string, err error) {
	if r.Zone == nil {
		return nil, nil, errors.New("the calendar's owner has no time zone")
	}
	text, err := readAll(src)
	if err != nil {
		return nil, nil, err
	}
	file := &icsFile{Reader: r, zones: make(map[string]*time.Location)}
	if err := file.read(text); err != nil {
		return nil, nil, err
	}
	slices.SortFunc(file.busy, byStart)
	return file.busy, file.warnings.all(), nil
}

func readAll(src io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(src, maxBytes+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read calendar: %w", err)
	case len(text) > maxBytes:
		return "", errors.New("the calendar is larger than 10 MiB: connect one that leaves out old events and attachments")
	}
	// Some programs on Windows begin a file with a byte order mark.
	return strings.TrimPrefix(string(text), "\ufeff"), nil
}

func byStart(a, b Span) int {
	return cmp.Or(a.Start.Compare(b.Start), a.End.Compare(b.End))
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
	return append(w.kept, fmt.Sprintf("and %d more like these.", w.left))
}
