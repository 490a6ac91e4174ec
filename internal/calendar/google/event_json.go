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
	maxEventBytes = 64 << 10 // as it is sent: a series with its dates, and no texts
	maxName       = 1024     // what a database's index takes
)

// UnmarshalJSON refuses what would take more memory, or a longer key, than an event does.
func (e *event) UnmarshalJSON(text []byte) error {
	type fields event // without this method
	if len(text) > maxEventBytes || !utf8.Valid(text) {
		return oversized()
	}
	if err := json.Unmarshal(text, (*fields)(e)); err != nil {
		return err
	}
	for _, name := range []string{e.ID, e.ETag, e.ICalUID, e.Series, e.Start.TimeZone, e.End.TimeZone,
		e.Original.TimeZone} {
		if !safehttp.Fits(name, maxName) {
			return oversized()
		}
	}
	return nil
}

func oversized() error {
	return calendar.Errorf(calendar.Unusable,
		"Google sends an event that is too large, or with names that are too long or are no text.")
}

// attendees is whether the owner, who is one of them, declined.
type attendees struct{ declined bool }

func (a *attendees) UnmarshalJSON(text []byte) error {
	var all []struct {
		Self           bool
		ResponseStatus string
	}
	err := json.Unmarshal(text, &all)
	for _, one := range all {
		a.declined = a.declined || one.Self && one.ResponseStatus == "declined"
	}
	return err
}

// rules are the lines of a series.
type rules string

// ruleLine is what may stand in recurrence.
var ruleLine = regexp.MustCompile(`^(RRULE|EXRULE|RDATE|EXDATE)[;:][^\r\n\x00]*$`)

func (r *rules) UnmarshalJSON(text []byte) error {
	var lines []string
	if err := json.Unmarshal(text, &lines); err != nil {
		return err
	}
	for _, line := range lines {
		if !ruleLine.MatchString(line) {
			return unreadable()
		}
	}
	*r = rules(strings.Join(lines, "\r\n"))
	return nil
}
