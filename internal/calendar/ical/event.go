package ical

import "strings"

// block is the lines that matter of one component.
type block struct {
	line       int
	properties []property
}

// one finds a property that may stand once.
func (b block) one(name string) (found property, ok bool, err error) {
	for _, p := range b.properties {
		if p.name != name {
			continue
		}
		if ok {
			return found, ok, lineError(p.line, "the event has a second %s: correct it in the calendar", name)
		}
		found, ok = p, true
	}
	return found, ok, nil
}

// value is the first such property's; empty if there is none.
func (b block) value(name string) string {
	for _, p := range b.properties {
		if p.name == name {
			return p.value
		}
	}
	return ""
}

// says is false where an event contradicts itself.
func (b block) says(name, value string) (said bool) {
	for _, p := range b.properties {
		if p.name != name {
			continue
		}
		if !strings.EqualFold(p.value, value) {
			return false
		}
		said = true
	}
	return said
}

// event is a VEVENT. Its attendees are not kept, only what the owner answered.
type event struct {
	block
	seen                int
	declined, undecided bool
	seriesFree          bool // its X-SLOTD-SERIES takes no time
}

func (e *event) add(p property, owner string, b *budget) error {
	if e.seen++; e.seen > maxProperties {
		return lineError(e.line, "this event has more than 10,000 attendees or dates: take it out of the calendar")
	}
	switch p.name {
	case "ATTENDEE":
		e.addAttendee(p, owner)
		return nil
	case "UID", "X-SLOTD-ID", "X-SLOTD-SERIES":
		p.value = keptName(p.value, maxUID)
	}
	if len(p.params) > maxParams {
		return lineError(p.line, "%s has more than 4 KB of parameters: correct the event in the calendar", p.name)
	}
	e.properties = append(e.properties, p)
	return b.keepLines(1)
}

func (e *event) addAttendee(p property, owner string) {
	if p.isPerson(owner) {
		answer, _ := p.param("PARTSTAT")
		no := strings.EqualFold(answer, "DECLINED")
		e.declined, e.undecided = e.declined || no, e.undecided || !no
	}
}

// free is the one list of what does not take the owner's time; everything else does.
func (e *event) free() bool {
	return e.says("TRANSP", "TRANSPARENT") ||
		e.says("STATUS", "CANCELLED") ||
		e.says("X-MICROSOFT-CDO-BUSYSTATUS", "FREE") ||
		e.says("X-SLOTD-MASTER", "TRUE") ||
		e.seriesFree ||
		e.ownerDeclined()
}

func (e *event) ownerDeclined() bool { return e.declined && !e.undecided }

// linkSeries lets occurrences take over whether their series takes time. Microsoft lists them apart and says it only of
// the series.
func (f *icsFile) linkSeries() {
	free := map[string]bool{}
	for e := range f.events() {
		if id := e.value("X-SLOTD-ID"); id != "" {
			free[id] = e.says("TRANSP", "TRANSPARENT")
		}
	}
	for e := range f.events() {
		if id := e.value("X-SLOTD-SERIES"); id != "" {
			_, own, _ := e.one("TRANSP")
			e.seriesFree = !own && free[id]
		}
	}
}

func (f *icsFile) events() func(yield func(*event) bool) {
	return func(yield func(*event) bool) {
		for _, o := range f.objects {
			for i := range o.events {
				if !yield(&o.events[i]) {
					return
				}
			}
		}
	}
}

// isPerson looks into EMAIL too (RFC 7986, 6.2): Apple's servers write a path of their own where the address should be.
func (p property) isPerson(email string) bool {
	if email == "" {
		return false
	}
	const scheme = "mailto:"
	address := p.value
	if len(address) >= len(scheme) && strings.EqualFold(address[:len(scheme)], scheme) {
		address = address[len(scheme):]
	}
	named, _ := p.param("EMAIL")
	return strings.EqualFold(strings.TrimSpace(address), email) || strings.EqualFold(named, email)
}
