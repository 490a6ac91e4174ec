package microsoft

import (
	"maps"
	"slices"
	"strings"

	"slotd/internal/calendar"
	"slotd/internal/safehttp"
)

// mark is an item's tag. Beside the version it says what a later read needs to know of the event: an occurrence comes without what
// its master says, and a deleted master may come without its occurrences.
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
	days  map[string]bool     // by id, of the kept events too: whether it is one of whole days
	kept  map[string][]string // the occurrences of a series that are kept
	items map[string]calendar.Item
	gone  map[string]bool
}

func reduce(events []event, known map[string]string) (calendar.Changes, error) {
	r := reading{map[string]bool{}, map[string][]string{}, map[string]calendar.Item{}, map[string]bool{}}
	for id, tag := range known {
		m := parseMark(tag)
		r.days[id] = m.days
		r.kept[m.series] = append(r.kept[m.series], id)
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
	return r.changes(), nil
}

func (r *reading) add(e event) error {
	if e.ID == "" {
		return calendar.Errorf(calendar.Unusable, "Microsoft sends an event without an id.")
	}
	delete(r.items, e.ID) // an event that changes during the read is on two pages
	if e.Removed != nil {
		r.remove(e.ID)
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
	r.items[e.ID] = calendar.Item{ID: e.ID, Tag: tag, Text: text}
	return nil
}

// remove takes an event out, and with a series those of its occurrences that this read does not have.
func (r *reading) remove(id string) {
	r.gone[id] = true
	for _, occurrence := range r.kept[id] {
		r.gone[occurrence] = true
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
