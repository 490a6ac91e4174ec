package ical

import (
	"cmp"
	"crypto/sha256"
	"io"
	"slices"
	"strings"
	"time"
)

// vtimezone is a zone that a file defines (RFC 5545, 3.6.5).
type vtimezone struct {
	tzid      string
	rules     []block           // its STANDARD and DAYLIGHT parts
	lines     int               // what it cost
	sum       [sha256.Size]byte // of its content, without its name
	ambiguous bool              // another definition has the same name
	used      bool
	zone      *time.Location // set when used; nil: the definition is invalid
}

func (z *vtimezone) add(p property, b *budget) error {
	switch p.name {
	case "DTSTART", "RRULE", "RDATE", "TZOFFSETFROM", "TZOFFSETTO":
	default:
		return nil
	}
	p.value = toStorable(p.value)
	last := &z.rules[len(z.rules)-1]
	last.properties = append(last.properties, p)
	return z.count(1, b)
}

// vtimezoneLines is the memory that an empty vtimezone takes, in lines.
const vtimezoneLines = 4

func (z *vtimezone) count(lines int, b *budget) error {
	z.lines += lines
	return b.spendLines(lines)
}

// addZone keeps the first definition of a name. If a second one differs, it is unclear which is meant.
func (o *object) addZone(z *vtimezone) {
	text := sha256.New()
	for _, part := range z.rules {
		io.WriteString(text, "-\n")
		for _, p := range part.properties {
			io.WriteString(text, p.name+":"+p.value+"\n")
		}
	}
	z.sum = [sha256.Size]byte(text.Sum(nil))
	if first := o.zones[z.tzid]; first != nil {
		first.ambiguous = first.ambiguous || first.sum != z.sum
		return
	}
	if o.zones == nil {
		o.zones = map[string]*vtimezone{}
	}
	o.zones[z.tzid] = z
}

// Times before 1970 do not matter: an offset that a rule sets in 1601 lasts until then.
var (
	zonesFrom  = time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	zonesUntil = time.Date(2102, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
)

// A zone that changes its clocks four times a year has fewer changes in all that time.
const maxChanges = 1000

// location returns nil if the definition is invalid.
func (z *vtimezone) location(b *budget) *time.Location {
	var changes []change
	for _, part := range z.rules {
		var ok bool
		if changes, ok = part.appendChanges(changes, b); !ok {
			return nil
		}
	}
	if len(changes) == 0 {
		return nil
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	return newLocation(z.tzid, changes)
}

// change is an instant at which a clock changes its offset from UTC. All values are in seconds.
type change struct{ at, from, to int64 }

// appendChanges returns false if the part is invalid or there are too many changes.
func (part block) appendChanges(all []change, b *budget) (_ []change, ok bool) {
	from, fromOK := parseOffset(part.value("TZOFFSETFROM"))
	to, toOK := parseOffset(part.value("TZOFFSETTO"))
	start, _, startOK := parseWall(strings.ToUpper(part.value("DTSTART")))
	if !fromOK || !toOK || !startOK {
		return nil, false
	}
	all = append(all, change{start.Unix() - from, from, to})
	for _, p := range part.properties {
		walls, ok := []int64(nil), true
		switch p.name {
		case "RRULE":
			walls, ok = zoneRule(p, start, from, b)
		case "RDATE":
			walls, ok = zoneDates(p, from)
		}
		if !ok || len(all)+len(walls) > maxChanges {
			return nil, false
		}
		for _, wall := range walls {
			all = append(all, change{wall - from, from, to})
		}
	}
	return all, len(all) <= maxChanges
}

func zoneRule(p property, start time.Time, offset int64, b *budget) (walls []int64, ok bool) {
	r, err := parseRule(p)
	if err != nil {
		return nil, false
	}
	until := zonesUntil
	if r.until.set {
		until = min(until, r.until.wall.Unix())
		if r.until.form == inUTC {
			until += offset
		}
	}
	for wall := range r.walls(start.Unix(), zonesFrom, until, b) {
		if walls = append(walls, wall); len(walls) > maxChanges {
			return nil, false
		}
	}
	return walls, b.spendSteps(0)
}

func zoneDates(p property, offset int64) (walls []int64, ok bool) {
	for value := range strings.SplitSeq(p.value, ",") {
		at, form, ok := parseWall(strings.ToUpper(value))
		if !ok || len(walls) == maxChanges {
			return nil, false
		}
		wall := at.Unix()
		if form == inUTC {
			wall += offset
		}
		walls = append(walls, wall)
	}
	return walls, true
}

// parseOffset parses offsets such as +0100 and -033730.
func parseOffset(text string) (seconds int64, ok bool) {
	if len(text) != 5 && len(text) != 7 || text[0] != '+' && text[0] != '-' {
		return 0, false
	}
	since, ok := parseClock((text[1:] + "00")[:6])
	if text[0] == '-' {
		since = -since
	}
	return int64(since / time.Second), ok
}
