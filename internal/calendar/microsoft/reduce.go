package microsoft

import (
	"strings"

	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
)

// mark is an item's tag. Beside the version it says what a later read needs to know of the event: an occurrence comes
// without what its master says, and a deleted master may come without its occurrences.
type mark struct {
	etag   string
	days   bool
	series string
}

func (m mark) String() string {
	kind := "time"
	if m.days {
		kind = "days"
	}
	return m.etag + " " + kind + " " + m.series
}

func parseMark(tag string) (m mark) {
	parts := strings.SplitN(tag, " ", 3)
	if len(parts) == 3 {
		m = mark{parts[0], parts[1] == "days", parts[2]}
	}
	return m
}

// reading is a read while it is put together.
type reading struct {
	*calendar.EventSet
	days map[string]bool // by id, of the kept events too: whether it is one of whole days
}

func reduce(events []event, known map[string]string) (calendar.Changes, error) {
	r := reading{calendar.NewEventSet(), map[string]bool{}}
	for id, tag := range known {
		m := parseMark(tag)
		r.days[id] = m.days
		r.AddKnownPart(id, m.series)
	}
	for _, e := range events {
		if e.Removed == nil && !e.sparse() {
			r.days[e.ID] = e.IsAllDay
		}
	}
	for _, e := range events {
		if err := r.add(e); err != nil {
			return calendar.Changes{}, err
		}
	}
	return r.Changes(), nil
}

func (r *reading) add(e event) error {
	if e.ID == "" {
		return calendar.Errorf(calendar.Unusable, "Microsoft sends an event without an id.")
	}
	r.Forget(e.ID)
	if e.Removed != nil {
		r.Remove(e.ID)
		return nil
	}
	if e.sparse() {
		days, told := r.days[e.SeriesMasterID]
		e.IsAllDay = days || !told && e.Start.midnight() && e.End.midnight()
	}
	text, err := e.text()
	if err != nil {
		return err
	}
	tag := mark{e.ETag, e.IsAllDay, e.SeriesMasterID}.String()
	if !safehttp.Fits(tag, maxName) {
		return oversized()
	}
	r.Add(calendar.Item{ID: e.ID, Tag: tag, Text: text})
	return nil
}
