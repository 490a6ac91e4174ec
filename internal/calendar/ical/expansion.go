package ical

import (
	"cmp"
	"errors"
	"slices"
	"time"
)

// Event is one busy occurrence.
type Event struct {
	Span
	UID string
}

// Expansion collects the busy occurrences of a calendar's items. The limits apply to all items together.
type Expansion struct {
	*shared
	reader      Reader
	occurrences []occurrence
	uids        []string
	warnings    warnings
	err         error           // the first error; after it, Events returns no events
	dryRun      bool            // only check that everything can be expanded
	warnedZones map[string]bool // TZIDs
}

// NewExpansion returns an Expansion that collects what overlaps the reader's range.
func NewExpansion(r Reader) *Expansion {
	x := &Expansion{shared: newShared(), reader: r, warnedZones: map[string]bool{}}
	if r.Zone == nil {
		x.err = errors.New("the calendar's owner has no time zone")
	}
	return x
}

// Add reads one item: one or more calendar objects, one after the other. An exception (RECURRENCE-ID) applies to the
// series with the same UID in the same text.
func (x *Expansion) Add(text string) error {
	_, err := x.add(text)
	return err
}

func (x *Expansion) add(text string) (*icsFile, error) {
	if x.err != nil {
		return nil, x.err
	}
	file, err := readFile(text, x.reader.OwnerEmail, &x.budget)
	if err == nil {
		err = x.expand(file)
	}
	x.err = err
	return file, err
}

// occurrence is an Event in a third of its size, in seconds since 1970: there may be hundreds of thousands.
type occurrence struct {
	start, end int64
	uid        int32 // index into uids
}

// Events returns the occurrences sorted by start, or the error that Add returned: what was added before the error is
// not the whole calendar.
func (x *Expansion) Events() (events []Event, warnings []string, err error) {
	if x.err != nil {
		return nil, nil, x.err
	}
	slices.SortFunc(x.occurrences, func(a, b occurrence) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end), cmp.Compare(a.uid, b.uid))
	})
	events = make([]Event, 0, len(x.occurrences))
	for _, o := range x.occurrences {
		events = append(events, Event{Span{Start: time.Unix(o.start, 0).UTC(), End: time.Unix(o.end, 0).UTC()},
			x.uids[o.uid]})
	}
	return events, x.warnings.all(), nil
}

func (x *Expansion) expand(file *icsFile) error {
	all, err := x.allSeries(file)
	if err != nil {
		return err
	}
	for _, s := range all {
		x.uids = append(x.uids, s.uid)
		if err := x.expandSeries(s); err != nil {
			return err
		}
	}
	return x.budget.err
}

// allSeries returns the file's events, each with the exceptions that apply to it.
func (x *Expansion) allSeries(file *icsFile) (all []*series, err error) {
	masters := map[string][]*series{}
	for _, object := range file.objects {
		r := &resolver{x, object}
		for i := range object.events {
			s, err := r.readSeries(&object.events[i])
			if err != nil {
				return nil, err
			}
			all = append(all, s)
			if s.recurrenceID == nil && s.uid != "" {
				masters[s.uid] = append(masters[s.uid], s)
			}
		}
	}
	for _, s := range all {
		if s.recurrenceID == nil {
			continue
		}
		if err := s.applyTo(masters[s.uid]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (x *Expansion) addOccurrence(t times) {
	if x.dryRun {
		return
	}
	if span, ok := t.span(); ok && x.reader.overlaps(span) {
		x.occurrences = append(x.occurrences, occurrence{span.Start.Unix(), span.End.Unix(), int32(len(x.uids) - 1)})
	}
}
