package calendar

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"
)

// Event is one busy occurrence.
type Event struct {
	Span
	UID string
}

// Expansion collects the busy occurrences of a calendar's items. The limits count over all of them.
type Expansion struct {
	Reader
	budget   budget
	events   []Event
	warnings warnings
	err      error // the first; nothing comes out any more

	named   map[string]*time.Location // by TZID; nil: nobody knows it
	defined map[string]*time.Location // by the text of the definition; nil: it makes no sense
	warned  map[string]bool           // TZIDs
}

// NewExpansion makes one for what touches the reader's range.
func NewExpansion(r Reader) *Expansion {
	x := &Expansion{Reader: r, named: map[string]*time.Location{}, defined: map[string]*time.Location{}, warned: map[string]bool{}}
	if r.Zone == nil {
		x.err = errors.New("the calendar's owner has no time zone")
	}
	return x
}

// Add reads one item: one calendar object or several, one after the other. An exception (RECURRENCE-ID) applies to the series with its
// UID in the same text.
func (x *Expansion) Add(text string) error {
	_, err := x.add(text)
	return err
}

func (x *Expansion) add(text string) (*icsFile, error) {
	if x.err != nil {
		return nil, x.err
	}
	file, err := readFile(text, x.OwnerEmail, &x.budget)
	if err == nil {
		err = x.expand(file)
	}
	x.err = err
	return file, err
}

// Events returns the occurrences by start, or the error that Add returned: what was added before it is not the whole calendar.
func (x *Expansion) Events() (events []Event, warnings []string, err error) {
	if x.err != nil {
		return nil, nil, x.err
	}
	slices.SortFunc(x.events, func(a, b Event) int {
		return cmp.Or(a.Start.Compare(b.Start), a.End.Compare(b.End), strings.Compare(a.UID, b.UID))
	})
	return x.events, x.warnings.all(), nil
}

func (x *Expansion) expand(file *icsFile) error {
	all, err := x.series(file)
	if err != nil {
		return err
	}
	for _, s := range all {
		if err := x.expandSeries(s); err != nil {
			return err
		}
	}
	return nil
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
		// Where two series share a UID nobody knows which of them is meant; then all three count.
		if of := masters[s.uid]; s.replaces != nil && len(of) == 1 {
			if err := of[0].except(s); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

func (x *Expansion) take(uid string, t times) {
	span, ok := t.span()
	if ok && x.touches(span) {
		x.events = append(x.events, Event{span, uid})
	}
}
