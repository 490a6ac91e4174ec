package google

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"slotd/internal/calendar"
	"slotd/internal/safehttp"
)

// mark is an item's tag. Beside the version it says what a later read needs to know of the event and Google does not repeat: of a
// canceled instance it tells only the series' id, and of a deleted series nothing about its instances.
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
	reader calendar.Reader
	uids   map[string]string   // by id, of the kept events too
	kept   map[string][]string // the instances of a series that are kept by themselves
	items  map[string]calendar.Item
	gone   map[string]bool
}

func (c *Calendar) reduce(events []event, known map[string]string) (calendar.Changes, error) {
	r := reading{c.reader, map[string]string{}, map[string][]string{}, map[string]calendar.Item{}, map[string]bool{}}
	for id, tag := range known {
		m := parseMark(tag)
		r.uids[id] = m.uid
		r.kept[m.series] = append(r.kept[m.series], id)
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
	return r.changes(), nil
}

func (r *reading) add(e event) error {
	if e.ID == "" {
		return calendar.Errorf(calendar.Unusable, "Google sends an event without an id.")
	}
	delete(r.items, e.ID) // an event that changes during the read is on two pages
	if e.Status == "cancelled" {
		e.ICalUID = cmp.Or(e.ICalUID, r.uids[e.Series])
		if e.Series == "" || e.ICalUID == "" {
			r.remove(e.ID)
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
	r.items[e.ID] = calendar.Item{ID: e.ID, Tag: tag, Text: text}
	return nil
}

// remove takes an event out, and with a series those of its instances that this read does not have.
func (r *reading) remove(id string) {
	r.gone[id] = true
	for _, instance := range r.kept[id] {
		r.gone[instance] = true
	}
}

func (r *reading) changes() (c calendar.Changes) {
	for _, id := range slices.Sorted(maps.Keys(r.items)) {
		c.Items = append(c.Items, r.items[id])
	}
	for _, id := range slices.Sorted(maps.Keys(r.gone)) {
		if _, read := r.items[id]; !read {
			c.Gone = append(c.Gone, id)
		}
	}
	return c
}
