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
	Start, End     moment
}

// maxEventBytes is an event's size as it is sent, with its invitation's text, which cannot be left out.
const maxEventBytes = 1 << 20

// UnmarshalJSON refuses what would take more memory, or a longer key, than an event does.
func (e *event) UnmarshalJSON(text []byte) error {
	type fields event // without this method
	if len(text) > maxEventBytes || !utf8.Valid(text) {
		return oversized()
	}
	if err := json.Unmarshal(text, (*fields)(e)); err != nil {
		return err
	}
	for _, name := range []string{e.ID, e.ETag, e.SeriesMasterID, e.ICalUID, e.TransactionID, e.Start.TimeZone,
		e.End.TimeZone} {
		if !safehttp.Fits(name, maxName) {
			return oversized()
		}
	}
	return nil
}

// maxName is what a database's index takes.
const maxName = 1024

func oversized() error {
	return calendar.Errorf(calendar.Unusable,
		"Microsoft sends an event that is too large, or with names that are too long or are no text.")
}

// moment is a clock's reading in a zone.
type moment struct{ DateTime, TimeZone string }

// sparse is an occurrence that comes without what its master says for all.
func (e event) sparse() bool { return e.SeriesMasterID != "" && e.ShowAs == "" }

// text is when the event is, as iCalendar. Series come expanded: a master takes no time itself, its occurrences are as
// it says.
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
	if e.sparse() {
		lines = append(lines, "X-SLOTD-SERIES:"+ical.EscapeText(e.SeriesMasterID))
	}
	if e.IsCancelled {
		lines = append(lines, "STATUS:CANCELLED")
	}
	if e.free() {
		lines = append(lines, "TRANSP:TRANSPARENT")
	}
	return "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n" + strings.Join(lines, "\r\n") + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
		nil
}

// uid: Graph gives every event an iCalUId of its own, so a booking's stands in the transactionId. The parts of a series
// share theirs with it, and are events of their own here.
func (e event) uid() string {
	if e.SeriesMasterID != "" {
		return e.ID
	}
	return cmp.Or(e.TransactionID, e.ICalUID, e.ID)
}

// free holds for a canceled master too: whether a series takes time is all that its occurrences take over.
func (e event) free() bool {
	return e.IsCancelled || e.ShowAs == "free" || e.ShowAs == "workingElsewhere" ||
		e.ResponseStatus.Response == "declined"
}

// value is a property's parameters and value.
func (m moment) value(days bool) (string, error) {
	at, err := time.Parse("2006-01-02T15:04:05", m.DateTime)
	switch {
	case err != nil:
		return "", calendar.Errorf(calendar.Unusable, "Microsoft sends an event whose times cannot be read.")
	case days:
		return ";VALUE=DATE:" + at.Format("20060102"), nil
	case m.TimeZone == "UTC" || m.TimeZone == "tzone://Microsoft/Utc":
		return ":" + at.Format("20060102T150405Z"), nil
	}
	return ";TZID=" + ical.QuoteParam(m.TimeZone) + ":" + at.Format("20060102T150405"), nil
}

func (m moment) midnight() bool {
	at, err := time.Parse("2006-01-02T15:04:05", m.DateTime)
	return err == nil && at.Equal(at.Truncate(24*time.Hour))
}

// is reports whether the moment, as it comes in UTC, is the instant.
func (m moment) is(t time.Time) bool {
	at, err := time.Parse("2006-01-02T15:04:05", m.DateTime)
	return err == nil && m.TimeZone == "UTC" && at.Equal(t)
}
