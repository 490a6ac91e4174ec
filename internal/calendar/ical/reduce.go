package ical

import (
	"maps"
	"slices"
	"strings"
)

// Reduce keeps only what busy time depends on: no title, no place, no person. It rejects what Busy rejects, and Busy
// returns the same for its result. Every database can store the result: it is UTF-8 without NUL.
func (r Reader) Reduce(text string) (reduced string, err error) {
	x := NewExpansion(r)
	x.dryRun = true
	if r.shared != nil {
		x.shared = r.shared
	}
	if x.budget.err != nil {
		return "", x.budget.err
	}
	file, err := x.add(text)
	if err != nil {
		return "", err
	}
	// Lines that are not stored cost nothing: every item of a calendar repeats all its time zones.
	x.budget.lines -= file.unusedLines()
	return file.reduced(&x.budget)
}

func (f *icsFile) reduced(b *budget) (string, error) {
	var out strings.Builder
	for _, o := range f.objects {
		out.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
		for _, tzid := range slices.Sorted(maps.Keys(o.zones)) {
			o.zones[tzid].writeReduced(&out)
		}
		for i := range o.events {
			if o.events[i].writeReduced(&out); out.Len() > maxBytes {
				return "", errTooLarge
			}
		}
		out.WriteString("END:VCALENDAR\r\n")
	}
	if err := b.spendText(out.Len()); err != nil {
		return "", err
	}
	return out.String(), nil
}

func (f *icsFile) unusedLines() (lines int) {
	for _, o := range f.objects {
		for _, z := range o.zones {
			if !z.isNeeded() {
				lines += z.lines
			}
		}
	}
	return lines
}

// isNeeded reports whether the definition must be stored. It is false if the zone's name is enough.
func (z *vtimezone) isNeeded() bool { return z.used && z.zone != nil }

func (z *vtimezone) writeReduced(out *strings.Builder) {
	if !z.isNeeded() {
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

func (e *event) writeReduced(out *strings.Builder) {
	out.WriteString("BEGIN:VEVENT\r\n")
	for _, p := range e.properties {
		if e.ownerDeclined() && p.name == "TRANSP" {
			continue
		}
		p.writeReduced(out)
	}
	if e.ownerDeclined() {
		out.WriteString("TRANSP:TRANSPARENT\r\n")
	}
	out.WriteString("END:VEVENT\r\n")
}
