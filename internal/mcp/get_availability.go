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
	mostSlots   = 120
	DefaultDays = 7
	MostDays    = 30
)

func (c *call) getAvailability(args arguments) ([]byte, error) {
	if err := args.only("workspace", "event_type", "start_date", "days"); err != nil {
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
	days, err := args.integer("days", DefaultDays, 1, MostDays)
	if err != nil {
		return nil, err
	}
	p, err := c.h.Cache.Workspace(c.r.Context(), slug)
	if err != nil {
		return nil, err
	}
	e := p.EventTypeBySlug(eventType)
	if e == nil || !e.Public() {
		return nil, booking.EventTypeNotFound(p.Slug, eventType)
	}
	return c.availability(p, e, start, days)
}

// availability finds the answer among those kept, or encodes it.
func (c *call) availability(p *snapshot.Snapshot, e *slotd.EventType, start zone.Date, days int) ([]byte, error) {
	kept := &c.h.Cache.Responses
	question := snapshot.ResponseKey{WorkspaceID: p.WorkspaceID, EventType: e.ID, Start: start, Days: days}
	if answer, ok := kept.Find(question); ok && answer.ValidFor(p, c.now) {
		if answer.Version != p.Version { // so that it need not be remembered what happened before
			answer.Version = p.Version
			kept.Keep(question, answer)
		}
		return answer.Body, nil
	}
	query, err := c.h.Booking.Query(p, e, nil)
	if err != nil {
		return nil, err
	}
	a := Availability{EventType: e, Start: start, Days: days, BookingURL: c.h.Booking.URL(p.Slug, e.Slug)}
	holdsUntil := a.Fill(query)
	answer := snapshot.Response{
		Version: p.Version, Reach: query.Reach(a.within()), ValidFrom: c.now, ValidUntil: holdsUntil,
		Body: contentOfText(a.AppendJSON(nil)),
	}
	kept.Keep(question, answer)
	return answer.Body, nil
}

// Availability is the tool's result. A preview prints the same without a server.
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

// Fill asks the engine. The result holds until the returned instant; zero: for ever.
func (a *Availability) Fill(q slots.Query) (holdsUntil time.Time) {
	a.Slots, holdsUntil = slots.Open(q, a.within())
	return holdsUntil
}

// AppendJSON writes the result by hand: it is the answer that is computed most often, and
// reflection took most of its time.
func (a *Availability) AppendJSON(out []byte) []byte {
	listed := a.Slots[:min(len(a.Slots), mostSlots)]
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
	out = strconv.AppendBool(out, len(a.Slots) > mostSlots)
	out = append(out, `,"booking_url":`...)
	out = appendString(out, a.BookingURL)
	return append(out, '}')
}
