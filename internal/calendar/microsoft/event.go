package microsoft

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"slotd/internal/calendar"
	"slotd/internal/calendar/ical"
	"slotd/internal/lib/safehttp"
)

// event is an event as Graph sends it.
type event struct {
	ID             string
	ETag           string    `json:"@odata.etag"`
	Removed        *struct{} `json:"@removed"`
	Type           string
	SeriesMasterID string
	ICalUID        string
	TransactionID  string
	ShowAs         string
	IsAllDay       bool
	IsCancelled    bool
	ResponseStatus struct{ Response string }
	Start, End     eventTime
}

// maxEventBytes limits the JSON of an event, including the text of its invitation, which cannot be left out.
const maxEventBytes = 1 << 20

// UnmarshalJSON rejects events that would take too much memory or have too long a key.
func (e *event) UnmarshalJSON(text []byte) error {
	type fields event // without this method
	if len(text) > maxEventBytes || !utf8.Valid(text) {
		return oversizedError()
	}
	if err := json.Unmarshal(text, (*fields)(e)); err != nil {
		return err
	}
	for _, name := range []string{e.ID, e.ETag, e.SeriesMasterID, e.ICalUID, e.TransactionID, e.Start.TimeZone,
		e.End.TimeZone} {
		if !safehttp.IsStorable(name, maxName) {
			return oversizedError()
		}
	}
	return nil
}

// maxName is the longest name that fits into a database index.
const maxName = 1024

func oversizedError() error {
	return calendar.Errorf(calendar.Unusable,
		"Microsoft sent an event that is too large, or has names that are too long or aren't text.")
}

// eventTime is a wall time in a zone.
type eventTime struct{ DateTime, TimeZone string }

// isSparse reports whether the event is an occurrence without the properties that its master has for all occurrences.
func (e event) isSparse() bool { return e.SeriesMasterID != "" && e.ShowAs == "" }

// text returns when the event is, as iCalendar. Graph expands series: a master itself takes no time, and its
// occurrences inherit its properties.
func (e event) text() (string, error) {
	start, err := e.Start.value(e.IsAllDay)
	if err != nil {
		return "", err
	}
	end, err := e.End.value(e.IsAllDay)
	if err != nil {
		return "", err
	}
	lines := []string{"UID:" + ical.EscapeText(e.uid()), "DTSTART" + start, "DTEND" + end}
	if e.Type == "seriesMaster" {
		lines = append(lines, "X-SLOTD-ID:"+ical.EscapeText(e.ID), "X-SLOTD-MASTER:TRUE")
	}
	if e.isSparse() {
		lines = append(lines, "X-SLOTD-SERIES:"+ical.EscapeText(e.SeriesMasterID))
	}
	if e.IsCancelled {
		lines = append(lines, "STATUS:CANCELLED")
	}
	if e.isFree() {
		lines = append(lines, "TRANSP:TRANSPARENT")
	}
	return "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n" + strings.Join(lines, "\r\n") + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
		nil
}

// uid returns the booking's UID if the event is a booking. Graph gives every event its own iCalUId, so bookings store
// their UID in the transactionId. The parts of a series share these with it, but are separate events here.
func (e event) uid() string {
	if e.SeriesMasterID != "" {
		return e.ID
	}
	return cmp.Or(e.TransactionID, e.ICalUID, e.ID)
}

// isFree also applies to canceled masters: the occurrences inherit from the master only whether it is free.
func (e event) isFree() bool {
	return e.IsCancelled || e.ShowAs == "free" || e.ShowAs == "workingElsewhere" ||
		e.ResponseStatus.Response == "declined"
}

// value returns a property's parameters and value.
func (m eventTime) value(isAllDay bool) (string, error) {
	at, err := time.Parse("2006-01-02T15:04:05", m.DateTime)
	switch {
	case err != nil:
		return "", calendar.Errorf(calendar.Unusable, "Microsoft sent an event whose times can't be read.")
	case isAllDay:
		return ";VALUE=DATE:" + at.Format("20060102"), nil
	case m.TimeZone == "UTC" || m.TimeZone == "tzone://Microsoft/Utc":
		return ":" + at.Format("20060102T150405Z"), nil
	}
	return ";TZID=" + ical.QuoteParam(m.TimeZone) + ":" + at.Format("20060102T150405"), nil
}

func (m eventTime) isMidnight() bool {
	at, err := time.Parse("2006-01-02T15:04:05", m.DateTime)
	return err == nil && at.Equal(at.Truncate(24*time.Hour))
}

// equal reports whether m, which must be in UTC, is the instant t.
func (m eventTime) equal(t time.Time) bool {
	at, err := time.Parse("2006-01-02T15:04:05", m.DateTime)
	return err == nil && m.TimeZone == "UTC" && at.Equal(t)
}
