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

// Expansion collects the busy occurrences of a calendar's items. The limits count over all of them.
type Expansion struct {
	*shared
	reader   Reader
	found    []occurrence
	uids     []string
	warnings warnings
	err      error           // the first; nothing comes out any more
	dry      bool            // only asks whether all can be expanded
	warned   map[string]bool // TZIDs
}

// NewExpansion makes one for what touches the reader's range.
func NewExpansion(r Reader) *Expansion {
	x := &Expansion{shared: newShared(), reader: r, warned: map[string]bool{}}
	if r.Zone == nil {
		x.err = errors.New("the calendar's owner has no time zone")
	}
	return x
}

// Add reads one item: one calendar object or several, one after the other. An exception (RECURRENCE-ID) applies to the
// series with its UID in the same text.
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

// occurrence is an Event at a third of its size, in seconds since 1970: there may be hundreds of thousands.
type occurrence struct {
	start, end int64
	uid        int32 // in uids
}

// Events returns the occurrences by start, or the error that Add returned: what was added before it is not the whole
// calendar.
func (x *Expansion) Events() (events []Event, warnings []string, err error) {
	if x.err != nil {
		return nil, nil, x.err
	}
	slices.SortFunc(x.found, func(a, b occurrence) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end), cmp.Compare(a.uid, b.uid))
	})
	events = make([]Event, 0, len(x.found))
	for _, o := range x.found {
		events = append(events, Event{Span{Start: time.Unix(o.start, 0).UTC(), End: time.Unix(o.end, 0).UTC()},
			x.uids[o.uid]})
	}
	return events, x.warnings.all(), nil
}

func (x *Expansion) expand(file *icsFile) error {
	all, err := x.series(file)
	if err != nil {
		return err
	}
	for _, s := range all {
		x.uids = append(x.uids, s.uid)
		if err := x.expandSeries(s); err != nil {
			return err
		}
	}
	return x.budget.spent
}

// series are the file's events, each with the exceptions that apply to it.
func (x *Expansion) series(file *icsFile) (all []*series, err error) {
	masters := map[string][]*series{}
	for _, object := range file.objects {
		r := &resolver{x, object}
		for i := range object.events {
			s, err := r.series(&object.events[i])
			if err != nil {
				return nil, err
			}
			all = append(all, s)
			if s.replaces == nil && s.uid != "" {
				masters[s.uid] = append(masters[s.uid], s)
			}
		}
	}
	for _, s := range all {
		if s.replaces == nil {
			continue
		}
		if err := s.applyTo(masters[s.uid]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (x *Expansion) take(t times) {
	if x.dry {
		return
	}
	if span, ok := t.span(); ok && x.reader.touches(span) {
		x.found = append(x.found, occurrence{span.Start.Unix(), span.End.Unix(), int32(len(x.uids) - 1)})
	}
}
