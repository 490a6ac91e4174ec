// Package slotd defines the types that all packages share and the closed list of error codes.
// It does no I/O and makes no decision that needs a clock or a database.
package slotd

import (
	"fmt"
	"strings"
	"time"

	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
	"slotd/internal/lib/say"
)

// Workspace is one owner's whole configuration, as the workspace file describes it.
type Workspace struct {
	Slug       string
	Name       string
	TimeZone   string
	Host       Host
	Look       Look
	Embed      Embed
	Schedules  map[string]Schedule
	EventTypes []EventType // in the order shown to guests
	Calendars  []Calendar
}

// Host is the person whose time is booked.
type Host struct {
	Name  string
	Email string
}

// Look holds what the owner can change about the appearance of the pages.
type Look struct {
	Accent string `json:"accent,omitempty"`
	Logo   string `json:"logo,omitempty"`
}

// Embed lists the other sites that may embed the booking pages in a frame.
type Embed struct {
	AllowedSites []string `json:"allowed_sites,omitempty"`
}

// Schedule is a host's hours in local wall time. An empty TimeZone means the workspace's.
type Schedule struct {
	TimeZone  string                          `json:"time_zone,omitempty"`
	Weekly    map[time.Weekday][]slots.Window `json:"weekly,omitempty"`
	Overrides map[zone.Date][]slots.Window    `json:"overrides,omitempty"`
}

// EventType is something that can be booked.
type EventType struct {
	ID      int64  `json:"-"` // assigned by the database; 0 if the event type exists only in a file
	Slug    string `json:"-"`
	Retired bool   `json:"-"` // no longer in the file: not offered, but its bookings remain

	Title           string        `json:"title"`
	Description     string        `json:"description,omitempty"`
	DurationMinutes int           `json:"duration_minutes"`
	Location        Location      `json:"location"`
	Schedule        string        `json:"schedule"`
	Price           *Price        `json:"price,omitempty"`         // nil: free
	RefundPolicy    *RefundPolicy `json:"refund_policy,omitempty"` // nil: attendees who cancel get no refund

	BufferBeforeMinutes    int   `json:"buffer_before_minutes,omitempty"`
	BufferAfterMinutes     int   `json:"buffer_after_minutes,omitempty"`
	MinimumNoticeMinutes   int   `json:"minimum_notice_minutes,omitempty"`
	BookingWindowDays      int   `json:"booking_window_days"`
	SlotIntervalMinutes    int   `json:"slot_interval_minutes,omitempty"` // 0: the duration
	MaxPerDay              int   `json:"max_per_day,omitempty"`           // 0: no limit
	RemindersMinutesBefore []int `json:"reminders_minutes_before"`
	Hidden                 bool  `json:"hidden,omitempty"`
}

// Public reports whether the event type is offered to everyone.
func (e *EventType) Public() bool { return !e.Hidden && !e.Retired }

// Rules returns the event type's limits in the form that package slots expects.
func (e *EventType) Rules() slots.Rules {
	interval := e.SlotIntervalMinutes
	if interval == 0 {
		interval = e.DurationMinutes
	}
	return slots.Rules{
		Duration:     minutes(e.DurationMinutes),
		Interval:     minutes(interval),
		BufferBefore: minutes(e.BufferBeforeMinutes),
		BufferAfter:  minutes(e.BufferAfterMinutes),
		Notice:       minutes(e.MinimumNoticeMinutes),
		WindowDays:   e.BookingWindowDays,
		MaxPerDay:    e.MaxPerDay,
	}
}

func minutes(n int) time.Duration { return time.Duration(n) * time.Minute }

// Price is an amount of money in the currency's smallest unit.
type Price struct {
	AmountCents int64  `json:"amount_cents"`
	Currency    string `json:"currency"` // lower-case ISO 4217
}

// String returns the amount as people write it: 50.00 USD.
func (p Price) String() string {
	currency := strings.ToUpper(p.Currency)
	switch decimals(p.Currency) {
	case 0:
		return fmt.Sprintf("%d %s", p.AmountCents, currency)
	case 3:
		return fmt.Sprintf("%d.%03d %s", p.AmountCents/1000, p.AmountCents%1000, currency)
	}
	return fmt.Sprintf("%d.%02d %s", p.AmountCents/100, p.AmountCents%100, currency)
}

// decimals returns how many decimals Stripe uses for a currency. The Icelandic króna and the Ugandan shilling
// have two, although only whole units can be paid.
func decimals(currency string) int {
	switch currency {
	case "bif", "clp", "djf", "gnf", "jpy", "kmf", "krw", "mga", "pyg", "rwf", "vnd", "vuv", "xaf", "xof", "xpf":
		return 0
	case "bhd", "jod", "kwd", "omr", "tnd":
		return 3
	}
	return 2
}

// Step returns the number that every payable amount of the currency is a multiple of.
func (p Price) Step() int64 {
	switch {
	case p.Currency == "isk" || p.Currency == "ugx":
		return 100
	case decimals(p.Currency) == 3:
		return 10
	}
	return 1
}

// RefundPolicy says when attendees who cancel get a refund.
type RefundPolicy struct {
	FullUntilHoursBefore int `json:"full_until_hours_before"`
}

// Location is where a meeting takes place.
type Location struct {
	Type LocationType `json:"type"`
	URL  string       `json:"url,omitempty"`  // video: a fixed room; empty: a new room for every booking
	Text string       `json:"text,omitempty"` // address, instruction
	Ask  bool         `json:"ask,omitempty"`  // phone: ask the guest for a number
}

type LocationType string

const (
	Video    LocationType = "video"
	Phone    LocationType = "phone"
	InPerson LocationType = "in_person"
	Custom   LocationType = "custom"
)

const videoCall say.Sentence = "Video call"

// Sentence describes the location for people.
func (l Location) Sentence(host Host) string {
	switch {
	case l.Text != "":
		return l.Text
	case l.Type == Video:
		return videoCall.String()
	default:
		return say.T("Phone call: %s calls the number given with the booking.", host.Name)
	}
}

// EngineSchedule returns the named schedule in the form that package slots expects.
func (w *Workspace) EngineSchedule(name string) (*slots.Schedule, error) {
	s := w.Schedules[name]
	zoneName := s.TimeZone
	if zoneName == "" {
		zoneName = w.TimeZone
	}
	z, err := zone.Load(zoneName)
	if err != nil {
		return nil, err
	}
	return slots.NewSchedule(z, s.Weekly, s.Overrides), nil
}
