package ical

import "strings"

// block holds the relevant lines of one component.
type block struct {
	line       int
	properties []property
}

// single returns a property that may occur only once. A second one is an error.
func (b block) single(name string) (found property, ok bool, err error) {
	for _, p := range b.properties {
		if p.name != name {
			continue
		}
		if ok {
			return found, ok, lineError(p.line, "the event has more than one %s.", name)
		}
		found, ok = p, true
	}
	return found, ok, nil
}

// value returns the value of the first property with the name, or "" if there is none.
func (b block) value(name string) string {
	for _, p := range b.properties {
		if p.name == name {
			return p.value
		}
	}
	return ""
}

// hasOnly reports whether the property is present with this value and no other. An event that contradicts itself does
// not count.
func (b block) hasOnly(name, value string) (found bool) {
	for _, p := range b.properties {
		if p.name != name {
			continue
		}
		if !strings.EqualFold(p.value, value) {
			return false
		}
		found = true
	}
	return found
}

// event is a VEVENT. It does not keep its attendees, only the owner's answer.
type event struct {
	block
	propertyCount         int
	declined, notDeclined bool
	seriesFree            bool // the series named by X-SLOTD-SERIES is free
}

func (e *event) add(p property, owner string, b *budget) error {
	if e.propertyCount++; e.propertyCount > maxProperties {
		return lineError(e.line, "this event has more than 10,000 attendees or dates.")
	}
	switch p.name {
	case "ATTENDEE":
		e.addAttendee(p, owner)
		return nil
	case "UID", "X-SLOTD-ID", "X-SLOTD-SERIES":
		p.value = storedName(p.value, maxUID)
	}
	if len(p.params) > maxParams {
		return lineError(p.line, "%s has more than 4 KB of parameters.", p.name)
	}
	e.properties = append(e.properties, p)
	return b.spendLines(1)
}

func (e *event) addAttendee(p property, owner string) {
	if p.hasAddress(owner) {
		answer, _ := p.param("PARTSTAT")
		declined := strings.EqualFold(answer, "DECLINED")
		e.declined, e.notDeclined = e.declined || declined, e.notDeclined || !declined
	}
}

// isFree reports whether the event leaves the owner's time free. This is the only list of reasons for iCalendar text:
// every other event is busy.
func (e *event) isFree() bool {
	return e.hasOnly("TRANSP", "TRANSPARENT") ||
		e.hasOnly("STATUS", "CANCELLED") ||
		e.hasOnly("X-MICROSOFT-CDO-BUSYSTATUS", "FREE") ||
		e.hasOnly("X-SLOTD-MASTER", "TRUE") ||
		e.seriesFree ||
		e.ownerDeclined()
}

func (e *event) ownerDeclined() bool { return e.declined && !e.notDeclined }

// linkSeries copies to occurrences whether their series is free. Microsoft lists occurrences separately and states it
// only on the series.
func (f *icsFile) linkSeries() {
	free := map[string]bool{}
	for e := range f.events() {
		if id := e.value("X-SLOTD-ID"); id != "" {
			free[id] = e.hasOnly("TRANSP", "TRANSPARENT")
		}
	}
	for e := range f.events() {
		if id := e.value("X-SLOTD-SERIES"); id != "" {
			_, hasOwn, _ := e.single("TRANSP")
			e.seriesFree = !hasOwn && free[id]
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

// hasAddress reports whether the attendee has this email address. It checks EMAIL too (RFC 7986, 6.2): Apple's
// servers write a path of their own where the address should be.
func (p property) hasAddress(email string) bool {
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
