package calendar

import (
	"maps"
	"slices"
	"strings"
)

// Reduce keeps only what busy time depends on: no title, no place, no person. It refuses what Busy refuses, and Busy answers the same of
// what it returns.
func (r Reader) Reduce(text string) (reduced string, err error) {
	x := NewExpansion(r)
	x.dry = true
	file, err := x.add(text)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, o := range file.objects {
		out.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
		for _, tzid := range slices.Sorted(maps.Keys(o.zones)) {
			o.zones[tzid].reduceTo(&out)
		}
		for i := range o.events {
			o.events[i].reduceTo(&out)
		}
		out.WriteString("END:VCALENDAR\r\n")
	}
	if out.Len() > maxBytes {
		return "", errTooLarge
	}
	return out.String(), nil
}

func (z *vtimezone) reduceTo(out *strings.Builder) {
	if !z.used || z.zone == nil {
		return // then its name is as good
	}
	out.WriteString("BEGIN:VTIMEZONE\r\nTZID:" + z.tzid + "\r\n")
	for _, part := range z.rules {
		out.WriteString("BEGIN:STANDARD\r\n")
		for _, p := range part.properties {
			out.WriteString(p.name + ":" + p.value + "\r\n")
		}
		out.WriteString("END:STANDARD\r\n")
	}
	out.WriteString("END:VTIMEZONE\r\n")
}

func (e *event) reduceTo(out *strings.Builder) {
	out.WriteString("BEGIN:VEVENT\r\n")
	for _, p := range e.properties {
		if e.ownerDeclined() && p.name == "TRANSP" {
			continue
		}
		if params, value, ok := p.reduced(); ok {
			out.WriteString(p.name + params + ":" + value + "\r\n")
		}
	}
	if e.ownerDeclined() {
		out.WriteString("TRANSP:TRANSPARENT\r\n")
	}
	out.WriteString("END:VEVENT\r\n")
}

// statuses are the values that are kept. Any other is written as the first, which takes time as well.
var statuses = map[string][]string{
	"STATUS":                     {"CONFIRMED", "TENTATIVE", "CANCELLED"},
	"TRANSP":                     {"OPAQUE", "TRANSPARENT"},
	"X-MICROSOFT-CDO-BUSYSTATUS": {"BUSY", "TENTATIVE", "OOF", "WORKINGELSEWHERE", "FREE"},
	"X-SLOTD-MASTER":             {"FALSE", "TRUE"},
}

// reduced is the property without anything in it that is not read. It is not ok if nothing is left, as of an unreadable time of an
// event that is free.
func (p property) reduced() (params, value string, ok bool) {
	value = strings.ToUpper(p.value)
	switch p.name {
	case "UID", "X-SLOTD-ID", "X-SLOTD-SERIES":
		return "", p.value, true
	case "DTSTART", "DTEND", "RECURRENCE-ID", "RDATE", "EXDATE":
		return p.reducedTimes()
	case "DURATION":
		_, _, ok = parseDuration(value)
		return "", value, ok
	case "RRULE", "EXRULE":
		_, err := parseRule(p)
		return "", ruleText(p.value), err == nil
	}
	known := statuses[p.name]
	if len(known) == 0 {
		return "", "", false
	}
	if !slices.Contains(known, value) {
		value = known[0]
	}
	return "", value, true
}

func (p property) reducedTimes() (params, value string, ok bool) {
	var kept []string
	dates, periods := 0, 0
	for one := range strings.SplitSeq(strings.ToUpper(p.value), ",") {
		start, rest, isPeriod := strings.Cut(strings.TrimSpace(one), "/")
		_, form, ok := parseWall(strings.TrimSpace(start))
		if !ok || isPeriod && !isTimeOrLength(strings.TrimSpace(rest)) {
			continue
		}
		if form == wholeDay {
			dates++
		}
		if isPeriod {
			periods++
		}
		kept = append(kept, strings.ReplaceAll(one, " ", ""))
	}
	if scope, ok := p.param("RANGE"); ok && strings.EqualFold(scope, "THISANDFUTURE") {
		params += ";RANGE=THISANDFUTURE"
	}
	switch {
	case dates == len(kept):
		params += ";VALUE=DATE"
	case periods == len(kept):
		params += ";VALUE=PERIOD"
	}
	if tzid, ok := p.param("TZID"); ok {
		params += `;TZID="` + zoneName(tzid) + `"`
	}
	return params, strings.Join(kept, ","), len(kept) > 0
}

func isTimeOrLength(text string) bool {
	_, _, isTime := parseWall(text)
	_, _, isLength := parseDuration(text)
	return isTime || isLength
}
