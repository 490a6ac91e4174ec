package google

import (
	"cmp"
	"strings"

	"slotd/internal/calendar"
	"slotd/internal/calendar/ical"
	"slotd/internal/lib/safehttp"
)

// mark is an item's tag. Beside the version it says what a later read needs to know of the event and Google does not
// repeat: of a canceled instance it tells only the series' id, and of a deleted series nothing about its instances.
type mark struct{ etag, series, uid string }

func (m mark) String() string { return m.etag + " " + m.series + " " + m.uid }

func parseMark(tag string) (m mark) {
	parts := strings.SplitN(tag, " ", 3)
	if len(parts) == 3 {
		m = mark{parts[0], parts[1], parts[2]}
	}
	return m
}

// reading is a read while it is put together.
type reading struct {
	*calendar.EventSet
	reader ical.Reader
	uids   map[string]string // by id, of the kept events too
}

func (c *Calendar) reduce(events []event, known map[string]string) (calendar.Changes, error) {
	r := reading{calendar.NewEventSet(), c.reader, map[string]string{}}
	for id, tag := range known {
		m := parseMark(tag)
		r.uids[id] = m.uid
		r.AddKnownPart(id, m.series)
	}
	for _, e := range events {
		if e.Status != "cancelled" {
			r.uids[e.ID] = e.ICalUID
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
		return calendar.Errorf(calendar.Unusable, "Google sends an event without an id.")
	}
	r.Forget(e.ID)
	if e.Status == "cancelled" {
		e.ICalUID = cmp.Or(e.ICalUID, r.uids[e.Series])
		if e.Series == "" || e.ICalUID == "" {
			r.Remove(e.ID)
			return nil
		}
	}
	text, err := e.text(r.reader)
	if err != nil {
		return err
	}
	tag := e.mark().String()
	if !safehttp.Fits(tag, maxName) {
		return oversized()
	}
	r.Add(calendar.Item{ID: e.ID, Tag: tag, Text: text})
	return nil
}
