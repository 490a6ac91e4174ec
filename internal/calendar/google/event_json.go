package google

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"

	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
)

const (
	maxEventBytes = 64 << 10 // of the JSON: a series with its dates, without texts
	maxName       = 1024     // fits into a database index
)

// UnmarshalJSON rejects events that would take too much memory or have too long a key.
func (e *event) UnmarshalJSON(text []byte) error {
	type fields event // without this method
	if len(text) > maxEventBytes || !utf8.Valid(text) {
		return oversizedError()
	}
	if err := json.Unmarshal(text, (*fields)(e)); err != nil {
		return err
	}
	for _, name := range []string{e.ID, e.ETag, e.ICalUID, e.Series, e.Start.TimeZone, e.End.TimeZone,
		e.Original.TimeZone} {
		if !safehttp.IsStorable(name, maxName) {
			return oversizedError()
		}
	}
	return nil
}

func oversizedError() error {
	return calendar.Errorf(calendar.Unusable,
		"Google sent an event that is too large, or has names that are too long or aren't text.")
}

// attendees records whether the owner, who is one of them, declined.
type attendees struct{ declined bool }

func (a *attendees) UnmarshalJSON(text []byte) error {
	var all []struct {
		Self           bool
		ResponseStatus string
	}
	err := json.Unmarshal(text, &all)
	for _, attendee := range all {
		a.declined = a.declined || attendee.Self && attendee.ResponseStatus == "declined"
	}
	return err
}

// rules holds the recurrence lines of a series.
type rules string

// ruleLine matches the lines that are allowed in recurrence.
var ruleLine = regexp.MustCompile(`^(RRULE|EXRULE|RDATE|EXDATE)[;:][^\r\n\x00]*$`)

func (r *rules) UnmarshalJSON(text []byte) error {
	var lines []string
	if err := json.Unmarshal(text, &lines); err != nil {
		return err
	}
	for _, line := range lines {
		if !ruleLine.MatchString(line) {
			return unreadableError()
		}
	}
	*r = rules(strings.Join(lines, "\r\n"))
	return nil
}
