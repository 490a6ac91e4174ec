package caldav

import (
	"context"
	"maps"
	"slices"

	"slotd/internal/calendar"
	"slotd/internal/calendar/ical"
)

// collector collects what one call of Changes finds.
type collector struct {
	dav     *dav
	reader  ical.Reader
	known   map[string]string
	changes calendar.Changes
	cursor  cursor
}

func newCollector(c *Calendar, d *dav, homes []string, known map[string]string) *collector {
	return &collector{dav: d, reader: c.reader, known: known,
		cursor: cursor{Homes: homes, Calendars: map[string]state{}}}
}

// readAll reads all items of a calendar.
func (r *collector) readAll(ctx context.Context, c collection) error {
	if c.state.Sync != "" {
		all, err := r.dav.sync(ctx, c, "")
		if err == nil {
			return r.fetch(ctx, c, all)
		}
		if !isRequestRejected(err) {
			return err
		}
		// It has sync tokens but rejects the report: its tags are enough.
	}
	all, err := r.dav.list(ctx, c)
	if err != nil {
		return err
	}
	return r.fetch(ctx, c, all)
}

// readSince reads the changed items of a calendar.
func (r *collector) readSince(ctx context.Context, c collection, last state) error {
	if last.Sync != "" {
		changed, err := r.dav.sync(ctx, c, last.Sync)
		if err != nil {
			return asStartOver(err)
		}
		return r.fetch(ctx, c, changed)
	}
	if last.CTag != "" && last.CTag == c.state.CTag {
		r.cursor.Calendars[c.id()] = last
		return nil
	}
	all, err := r.dav.list(ctx, c)
	if err != nil {
		return err
	}
	r.dropUnchanged(c, &all)
	return r.fetch(ctx, c, all)
}

// dropUnchanged removes items with a known tag from the list, and adds items that are missing from it to gone.
func (r *collector) dropUnchanged(c collection, all *listing) {
	for id := range r.known {
		if _, listed := all.tags[id]; !listed && c.contains(id) {
			all.gone[id] = true
		}
	}
	maps.DeleteFunc(all.tags, func(id, tag string) bool { return tag != "" && r.known[id] == tag })
}

// fetch fetches the items in the list and records how far the calendar was read.
func (r *collector) fetch(ctx context.Context, c collection, l listing) error {
	r.cursor.Calendars[c.id()] = l.state
	r.changes.Gone = append(r.changes.Gone, slices.Sorted(maps.Keys(l.gone))...)
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(l.tags)), batchSize) {
		texts, err := r.dav.fetchTexts(ctx, c, ids)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if ctx.Err() != nil { // an item may take a second
				return r.dav.timeoutError()
			}
			if err := r.add(id, l.tags[id], texts[id]); err != nil {
				return err
			}
		}
	}
	return nil
}

// add stores the tag from the list, not that of the text: then a text that is newer than its tag is fetched once too
// often, never too rarely.
func (r *collector) add(id, tag string, text *string) error {
	if text == nil || hasOnlyTasks(*text) {
		r.changes.Gone = append(r.changes.Gone, id)
		return nil
	}
	reduced, err := r.reader.Reduce(*text)
	if err != nil {
		return calendar.Unreadable(err, "%q on %s can't be read.", fileName(id), r.dav.host())
	}
	if len(r.changes.Items) == maxResponses {
		return r.dav.readError(errTooMany)
	}
	r.changes.Items = append(r.changes.Items, calendar.Item{ID: id, Tag: tag, Text: reduced})
	return nil
}

func (r *collector) result(whole bool) (calendar.Changes, error) {
	r.changes.Complete, r.changes.Cursor = whole, r.cursor.String()
	if len(r.changes.Cursor) > maxCursor {
		return calendar.Changes{}, calendar.Errorf(calendar.Unusable,
			"The account on %s has too many calendars.", r.dav.host()).Advise(calendar.UseOwnAddress)
	}
	if whole {
		r.changes.Gone = nil
	}
	return r.changes, nil
}
