package ical

import (
	"iter"
	"slices"
	"strings"
)

// writeReduced writes the property without the parts that are never read. It writes nothing if nothing remains, for
// example for an unreadable time of a free event.
func (p property) writeReduced(out *strings.Builder) {
	switch p.name {
	case "DTSTART", "DTEND", "RECURRENCE-ID", "RDATE", "EXDATE":
		p.writeReducedTimes(out)
		return
	}
	if value, ok := p.reducedValue(); ok {
		out.WriteString(p.name + ":" + value + "\r\n")
	}
}

// statuses holds the values that are kept. Any other value is replaced by the first, which is busy too.
var statuses = map[string][]string{
	"STATUS":                     {"CONFIRMED", "TENTATIVE", "CANCELLED"},
	"TRANSP":                     {"OPAQUE", "TRANSPARENT"},
	"X-MICROSOFT-CDO-BUSYSTATUS": {"BUSY", "TENTATIVE", "OOF", "WORKINGELSEWHERE", "FREE"},
	"X-SLOTD-MASTER":             {"FALSE", "TRUE"},
}

func (p property) reducedValue() (value string, ok bool) {
	value = strings.ToUpper(p.value)
	switch p.name {
	case "UID", "X-SLOTD-ID", "X-SLOTD-SERIES":
		return p.value, true
	case "DURATION":
		_, _, ok = parseDuration(value)
		return value, ok
	case "RRULE", "EXRULE":
		_, err := parseRule(p)
		return ruleText(p.value), err == nil
	}
	known := statuses[p.name]
	if len(known) == 0 {
		return "", false
	}
	if !slices.Contains(known, value) {
		value = known[0]
	}
	return value, true
}

// writeReducedTimes iterates over the times twice instead of listing them: there may be a million.
func (p property) writeReducedTimes(out *strings.Builder) {
	all, days, periods := 0, 0, 0
	for value, form := range p.readableTimes() {
		all++
		if form == wholeDay {
			days++
		}
		if strings.Contains(value, "/") {
			periods++
		}
	}
	if all == 0 {
		return
	}
	out.WriteString(p.name + p.reducedParams(days == all, periods == all))
	separator := ":"
	for value := range p.readableTimes() {
		out.WriteString(separator)
		out.WriteString(value)
		separator = ","
	}
	out.WriteString("\r\n")
}

func (p property) reducedParams(days, periods bool) (params string) {
	if scope, ok := p.param("RANGE"); ok && strings.EqualFold(scope, "THISANDFUTURE") {
		params += ";RANGE=THISANDFUTURE"
	}
	switch {
	case days:
		params += ";VALUE=DATE"
	case periods:
		params += ";VALUE=PERIOD"
	}
	if tzid, ok := p.param("TZID"); ok {
		params += `;TZID="` + zoneName(tzid) + `"`
	}
	return params
}

// readableTimes yields the readable times and periods of a list, and the form of each start.
func (p property) readableTimes() iter.Seq2[string, form] {
	return func(yield func(string, form) bool) {
		for value := range strings.SplitSeq(p.value, ",") {
			start, rest, isPeriod := strings.Cut(strings.ToUpper(value), "/")
			start, rest = strings.TrimSpace(start), strings.TrimSpace(rest)
			_, form, ok := parseWall(start)
			if !ok || isPeriod && !isTimeOrLength(rest) {
				continue
			}
			if isPeriod {
				start += "/" + rest
			}
			if !yield(start, form) {
				return
			}
		}
	}
}

func isTimeOrLength(text string) bool {
	_, _, isTime := parseWall(text)
	_, _, isLength := parseDuration(text)
	return isTime || isLength
}
