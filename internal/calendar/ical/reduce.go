package ical

import (
	"maps"
	"slices"
	"strings"
)

// Reduce keeps only what busy time depends on: no title, no place, no person. It refuses what Busy refuses, and Busy
// answers the same of what it returns. Any database can store it: it is UTF-8 without NUL.
func (r Reader) Reduce(text string) (reduced string, err error) {
	x := NewExpansion(r)
	x.dry = true
	if r.shared != nil {
		x.shared = r.shared
	}
	if x.budget.spent != nil {
		return "", x.budget.spent
	}
	file, err := x.add(text)
	if err != nil {
		return "", err
	}
	// What is not kept is not spent: every item of a calendar brings all its time zones.
	x.budget.lines -= file.unusedLines()
	return file.reduced(&x.budget)
}

func (f *icsFile) reduced(b *budget) (string, error) {
	var out strings.Builder
	for _, o := range f.objects {
		out.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
		for _, tzid := range slices.Sorted(maps.Keys(o.zones)) {
			o.zones[tzid].reduceTo(&out)
		}
		for i := range o.events {
			if o.events[i].reduceTo(&out); out.Len() > maxBytes {
				return "", errTooLarge
			}
		}
		out.WriteString("END:VCALENDAR\r\n")
	}
	if err := b.keepText(out.Len()); err != nil {
		return "", err
	}
	return out.String(), nil
}

func (f *icsFile) unusedLines() (lines int) {
	for _, o := range f.objects {
		for _, z := range o.zones {
			if !z.kept() {
				lines += z.lines
			}
		}
	}
	return lines
}

// kept is false where the name of the zone is as good as its definition.
func (z *vtimezone) kept() bool { return z.used && z.zone != nil }

func (z *vtimezone) reduceTo(out *strings.Builder) {
	if !z.kept() {
		return
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
		p.reduceTo(out)
	}
	if e.ownerDeclined() {
		out.WriteString("TRANSP:TRANSPARENT\r\n")
	}
	out.WriteString("END:VEVENT\r\n")
}
