package caldav

import (
	"context"
	"maps"
	"slices"

	"slotd/internal/calendar"
	"slotd/internal/calendar/ical"
)

// reading gathers what one call of Changes finds.
type reading struct {
	dav    *dav
	reader ical.Reader
	known  map[string]string
	found  calendar.Changes
	cursor cursor
}

func newReading(c *Calendar, d *dav, homes []string, known map[string]string) *reading {
	return &reading{dav: d, reader: c.reader, known: known, cursor: cursor{Homes: homes, Calendars: map[string]state{}}}
}

// whole takes all items of a calendar.
func (r *reading) whole(ctx context.Context, c collection) error {
	if c.now.Sync != "" {
		all, err := r.dav.sync(ctx, c, "")
		if err == nil {
			return r.take(ctx, c, all)
		}
		if !refusesTheQuestion(err) {
			return err
		}
		// It has tokens and yet refuses the report: its tags will do.
	}
	all, err := r.dav.list(ctx, c)
	if err != nil {
		return err
	}
	return r.take(ctx, c, all)
}

// since takes the items of a calendar that changed.
func (r *reading) since(ctx context.Context, c collection, was state) error {
	if was.Sync != "" {
		changed, err := r.dav.sync(ctx, c, was.Sync)
		if err != nil {
			return orStartOver(err)
		}
		return r.take(ctx, c, changed)
	}
	if was.CTag != "" && was.CTag == c.now.CTag {
		r.cursor.Calendars[c.id()] = was
		return nil
	}
	all, err := r.dav.list(ctx, c)
	if err != nil {
		return err
	}
	r.compare(c, &all)
	return r.take(ctx, c, all)
}

// compare leaves in the list only what is not known as it is, and finds what is missing from it.
func (r *reading) compare(c collection, all *listing) {
	for id := range r.known {
		if _, listed := all.tags[id]; !listed && c.holds(id) {
			all.gone[id] = true
		}
	}
	maps.DeleteFunc(all.tags, func(id, tag string) bool { return tag != "" && r.known[id] == tag })
}

// take fetches what the list names and notes how far the calendar is read.
func (r *reading) take(ctx context.Context, c collection, l listing) error {
	r.cursor.Calendars[c.id()] = l.state
	r.found.Gone = append(r.found.Gone, slices.Sorted(maps.Keys(l.gone))...)
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(l.tags)), batch) {
		texts, err := r.dav.texts(ctx, c, ids)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if ctx.Err() != nil { // an item may take a second
				return r.dav.tooSlow()
			}
			if err := r.keep(id, l.tags[id], texts[id]); err != nil {
				return err
			}
		}
	}
	return nil
}

// keep stores the tag that the list gave, not that of the text: a text newer than its tag is fetched once too often,
// never too seldom.
func (r *reading) keep(id, tag string, text *string) error {
	if text == nil || onlyTasks(*text) {
		r.found.Gone = append(r.found.Gone, id)
		return nil
	}
	reduced, err := r.reader.Reduce(*text)
	if err != nil {
		return calendar.Errorf(calendar.Unusable, "%q on %s cannot be read: %v", fileName(id), r.dav.host(), err)
	}
	if len(r.found.Items) == maxResponses {
		return r.dav.unread(errTooMany)
	}
	r.found.Items = append(r.found.Items, calendar.Item{ID: id, Tag: tag, Text: reduced})
	return nil
}

func (r *reading) done(whole bool) (calendar.Changes, error) {
	r.found.Whole, r.found.Cursor = whole, r.cursor.String()
	if len(r.found.Cursor) > maxCursor {
		return calendar.Changes{}, calendar.Errorf(calendar.Unusable,
			"the account on %s has too many calendars: connect those that matter by their own addresses.",
			r.dav.host())
	}
	if whole {
		r.found.Gone = nil
	}
	return r.found, nil
}
