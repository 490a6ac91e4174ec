package google

import (
	"cmp"
	"strings"

	"slotd/internal/calendar"
	"slotd/internal/calendar/ical"
	"slotd/internal/lib/safehttp"
)

// itemTag is the content of an item's tag. In addition to the version, it holds what a later read needs and Google
// does not repeat: for a canceled instance Google sends only the id of its series, and for a deleted series nothing
// about its instances.
type itemTag struct{ etag, series, uid string }

func (m itemTag) String() string { return m.etag + " " + m.series + " " + m.uid }

func parseItemTag(tag string) (m itemTag) {
	parts := strings.SplitN(tag, " ", 3)
	if len(parts) == 3 {
		m = itemTag{parts[0], parts[1], parts[2]}
	}
	return m
}

// collector collects the result of one read.
type collector struct {
	*calendar.EventSet
	reader ical.Reader
	uids   map[string]string // by id, including stored events
}

func (c *Calendar) reduce(events []event, known map[string]string) (calendar.Changes, error) {
	r := collector{calendar.NewEventSet(), c.reader, map[string]string{}}
	for id, tag := range known {
		m := parseItemTag(tag)
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

func (r *collector) add(e event) error {
	if e.ID == "" {
		return calendar.Errorf(calendar.Unusable, "Google sent an event without an ID.")
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
	tag := e.itemTag().String()
	if !safehttp.IsStorable(tag, maxName) {
		return oversizedError()
	}
	r.Add(calendar.Item{ID: e.ID, Tag: tag, Text: text})
	return nil
}
