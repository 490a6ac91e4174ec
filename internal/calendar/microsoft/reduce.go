package microsoft

import (
	"strings"

	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
)

// itemTag is the content of an item's tag. In addition to the version, it holds what a later read needs: an
// occurrence does not repeat its master's properties, and a deleted master may be listed without its occurrences.
type itemTag struct {
	etag     string
	isAllDay bool
	series   string
}

func (m itemTag) String() string {
	kind := "time"
	if m.isAllDay {
		kind = "days"
	}
	return m.etag + " " + kind + " " + m.series
}

func parseItemTag(tag string) (m itemTag) {
	parts := strings.SplitN(tag, " ", 3)
	if len(parts) == 3 {
		m = itemTag{parts[0], parts[1] == "days", parts[2]}
	}
	return m
}

// collector collects the result of one read.
type collector struct {
	*calendar.EventSet
	isAllDay map[string]bool // by id, including stored events
}

func reduce(events []event, known map[string]string) (calendar.Changes, error) {
	r := collector{calendar.NewEventSet(), map[string]bool{}}
	for id, tag := range known {
		m := parseItemTag(tag)
		r.isAllDay[id] = m.isAllDay
		r.AddKnownPart(id, m.series)
	}
	for _, e := range events {
		if e.Removed == nil && !e.isSparse() {
			r.isAllDay[e.ID] = e.IsAllDay
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
		return calendar.Errorf(calendar.Unusable, "Microsoft sent an event without an ID.")
	}
	r.Forget(e.ID)
	if e.Removed != nil {
		r.Remove(e.ID)
		return nil
	}
	if e.isSparse() {
		isAllDay, known := r.isAllDay[e.SeriesMasterID]
		e.IsAllDay = isAllDay || !known && e.Start.isMidnight() && e.End.isMidnight()
	}
	text, err := e.text()
	if err != nil {
		return err
	}
	tag := itemTag{e.ETag, e.IsAllDay, e.SeriesMasterID}.String()
	if !safehttp.IsStorable(tag, maxName) {
		return oversizedError()
	}
	r.Add(calendar.Item{ID: e.ID, Tag: tag, Text: text})
	return nil
}
