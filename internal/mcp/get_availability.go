package mcp

import (
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/slots"
	"slotd/internal/snapshot"
	"slotd/internal/zone"
)

// AvailabilityResult is the object of get_availability.
type AvailabilityResult struct {
	EventType struct {
		Slug            string `json:"slug"`
		Title           string `json:"title"`
		DurationMinutes int    `json:"duration_minutes"`
	} `json:"event_type"`
	Range struct {
		Start string `json:"start"`
		End   string `json:"end"`
	} `json:"range"`
	SlotCount  int      `json:"slot_count"`
	Slots      []string `json:"slots"`
	Truncated  bool     `json:"truncated"`
	BookingURL string   `json:"booking_url"`
}

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
	p, err := c.h.Booking.Shelf.Workspace(c.r.Context(), slug)
	if err != nil {
		return nil, err
	}
	e := p.EventTypeBySlug(eventType)
	if e == nil || !e.Public() {
		return nil, booking.EventTypeNotFound(p.Slug, eventType)
	}
	return c.availability(p, e, start, days), nil
}

// availability encodes the answer, or finds it among those kept.
func (c *call) availability(p *snapshot.Picture, e *slotd.EventType, start zone.Date, days int) []byte {
	kept := &c.h.Booking.Shelf.Answers
	question := snapshot.Question{WorkspaceID: p.WorkspaceID, EventType: e.ID, Start: start, Days: days}
	if content, ok := kept.Find(question, p.Version, c.now); ok {
		return content
	}
	query := p.Query(e, p.Claims, c.now)
	result, holdsUntil := Availability(query, e, start, days, c.h.Booking.URL(p.Slug, e.Slug))
	content := contentOf(result)
	kept.Keep(question, snapshot.Answer{Version: p.Version, Body: content, HoldsFrom: c.now, HoldsUntil: holdsUntil})
	return content
}

// Availability is the tool's answer for any query, so that a preview without a server prints the
// same.
func Availability(q slots.Query, e *slotd.EventType, start zone.Date, days int, bookingURL string) (r AvailabilityResult, holdsUntil time.Time) {
	within := slots.Span{Start: start.UTC(), End: (start + zone.Date(days)).UTC()}
	open, holdsUntil := slots.Open(q, within)
	r.EventType.Slug, r.EventType.Title, r.EventType.DurationMinutes = e.Slug, e.Title, e.DurationMinutes
	r.Range.Start, r.Range.End = slotd.Instant(within.Start), slotd.Instant(within.End)
	r.SlotCount, r.BookingURL = len(open), bookingURL
	if len(open) > mostSlots {
		open, r.Truncated = open[:mostSlots], true
	}
	r.Slots = make([]string, len(open))
	for i, t := range open {
		r.Slots[i] = slotd.Instant(t)
	}
	return r, holdsUntil
}
