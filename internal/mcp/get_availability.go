package mcp

import (
	"slices"
	"strconv"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/availability/zone"
	"slotd/internal/booking"
)

const (
	maxSlots    = 120
	DefaultDays = 7
	MaxDays     = 30
)

func (c *call) getAvailability(args arguments) ([]byte, error) {
	if err := args.allowOnly("workspace", "event_type", "start_date", "days"); err != nil {
		return nil, err
	}
	slug, err := args.slug("workspace", "acme")
	if err != nil {
		return nil, err
	}
	eventType, err := args.slug("event_type", "intro")
	if err != nil {
		return nil, err
	}
	start, err := args.date("start_date", zone.UTCDate(c.now))
	if err != nil {
		return nil, err
	}
	days, err := args.integer("days", DefaultDays, 1, MaxDays)
	if err != nil {
		return nil, err
	}
	snap, err := c.h.Cache.Workspace(c.r.Context(), slug)
	if err != nil {
		return nil, err
	}
	e := snap.EventTypeBySlug(eventType)
	if e == nil || !e.Public() {
		return nil, booking.EventTypeNotFound(snap.Slug, eventType)
	}
	return c.availability(snap, e, start, days)
}

// availability returns the cached response, or encodes it and caches it.
func (c *call) availability(snap *snapshot.Snapshot, e *slotd.EventType, start zone.Date, days int) ([]byte, error) {
	cache := &c.h.Cache.Responses
	key := snapshot.ResponseKey{WorkspaceID: snap.WorkspaceID, EventType: e.ID, Start: start, Days: days}
	if cached, ok := cache.Get(key); ok && cached.ValidFor(snap, c.now) {
		if cached.Version != snap.Version { // so that the changes before this version are not needed any more
			cached.Version = snap.Version
			cache.Put(key, cached)
		}
		return cached.Body, nil
	}
	query, err := c.h.Booking.Query(snap, e, nil)
	if err != nil {
		return nil, err
	}
	a := Availability{EventType: e, Start: start, Days: days, BookingURL: c.h.Booking.URL(snap.Slug, e.Slug)}
	validUntil := a.Fill(query)
	response := snapshot.Response{
		Version: snap.Version, Reach: query.Reach(a.within()), ValidFrom: c.now, ValidUntil: validUntil,
		Body: contentOfJSON(a.AppendJSON(nil)),
	}
	cache.Put(key, response)
	return response.Body, nil
}

// Availability is the result of get_availability. The preview command prints the same result without a server.
type Availability struct {
	EventType  *slotd.EventType
	Start      zone.Date
	Days       int
	BookingURL string
	Slots      []time.Time
}

func (a *Availability) within() slots.Span {
	return slots.Span{Start: a.Start.UTC(), End: (a.Start + zone.Date(a.Days)).UTC()}
}

// Fill computes the open slots. They are valid until the returned instant, or forever if it is zero.
func (a *Availability) Fill(q slots.Query) (validUntil time.Time) {
	a.Slots, validUntil = slots.Open(q, a.within())
	return validUntil
}

// AppendJSON appends the result as JSON. It is written by hand because this response is computed most often, and
// reflection took most of the time.
func (a *Availability) AppendJSON(out []byte) []byte {
	listed := a.Slots[:min(len(a.Slots), maxSlots)]
	within := a.within()
	out = slices.Grow(out, 512+len(listed)*len(`"2006-01-02T15:04:05.000Z",`))
	out = append(out, `{"event_type":{"slug":`...)
	out = appendString(out, a.EventType.Slug)
	out = append(out, `,"title":`...)
	out = appendString(out, a.EventType.Title)
	out = append(out, `,"duration_minutes":`...)
	out = strconv.AppendInt(out, int64(a.EventType.DurationMinutes), 10)
	out = append(out, `},"range":{"start":"`...)
	out = slotd.AppendInstant(out, within.Start)
	out = append(out, `","end":"`...)
	out = slotd.AppendInstant(out, within.End)
	out = append(out, `"},"slot_count":`...)
	out = strconv.AppendInt(out, int64(len(a.Slots)), 10)
	out = append(out, `,"slots":`...)
	out = slotd.AppendInstants(out, listed)
	out = append(out, `,"truncated":`...)
	out = strconv.AppendBool(out, len(a.Slots) > maxSlots)
	out = append(out, `,"booking_url":`...)
	out = appendString(out, a.BookingURL)
	return append(out, '}')
}
