package ical

import (
	"fmt"
	"strings"
	"testing"

	"slotd/internal/availability/zone"
)

func TestWindowsZones_AreAllKnown(t *testing.T) {
	if n := len(windowsZone()); n != strings.Count(windowsZones, "\n") || n < 139 {
		t.Errorf("%d names", n)
	}
	for windows, iana := range windowsZone() {
		if _, err := zone.Location(iana); err != nil {
			t.Errorf("%s: %v", windows, err)
		}
	}
}

// zoneDefinition returns a VTIMEZONE with a constant offset from UTC, so that a test sees whether it was used.
func zoneDefinition(tzid, offset string) string {
	return fmt.Sprintf("BEGIN:VTIMEZONE\nTZID:%s\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:%s\nTZOFFSETTO:%s\nEND:STANDARD\nEND:VTIMEZONE\n", tzid, offset, offset)
}

func TestZone_WhichOneATZIDMeans(t *testing.T) {
	const berlin, theirs, padded = "2030-01-08T09:00:00Z/2030-01-08T10:00:00Z",
		"2030-01-08T03:00:00Z/2030-01-08T04:00:00Z", "2030-01-07T20:00:00Z/2030-01-09T01:00:00Z"
	for name, c := range map[string]struct{ tzid, zones, want string }{
		"IANA":                   {"Europe/Berlin", "", berlin},
		"IANA, defined as well":  {"Europe/Berlin", zoneDefinition("Europe/Berlin", "+0700"), berlin},
		"Windows":                {"W. Europe Standard Time", "", berlin},
		"Windows, other letters": {"w. europe standard time", "", berlin},
		"Windows, defined as well": {"W. Europe Standard Time", zoneDefinition("W. Europe Standard Time", "+0700"),
			berlin},
		"behind a path":             {"/mozilla.org/20050126_1/Europe/Berlin", "", berlin},
		"three parts behind a path": {"/x/y/America/Indiana/Knox", "", "2030-01-08T16:00:00Z/2030-01-08T17:00:00Z"},
		"behind a path, defined":    {"/x/Europe/Berlin", zoneDefinition("/x/Europe/Berlin", "+0700"), berlin},
		"UTC behind a path": {"/freeassociation.sourceforge.net/UTC", "",
			"2030-01-08T10:00:00Z/2030-01-08T11:00:00Z"},
		"an abbreviation behind a path": {"Office/EST", zoneDefinition("Office/EST", "+0700"), theirs},
		"defined": {"Customized Time Zone", zoneDefinition("Customized Time Zone", "+0700"),
			theirs},
		"defined, quoted": {`"A, B; C"`, zoneDefinition(`A\, B\; C`, "+0700"), theirs},
		"defined twice, alike": {"Office", zoneDefinition("Office", "+0700") + zoneDefinition("Office", "+0700"),
			theirs},
		"defined twice, differently": {"Office", zoneDefinition("Office", "+0700") + zoneDefinition("Office", "+0600"),
			padded},
		"defined badly":         {"Office", zoneDefinition("Office", "soon"), padded},
		"defined without rules": {"Office", "BEGIN:VTIMEZONE\nTZID:Office\nEND:VTIMEZONE\n", padded},
		"defined with a bad rule": {"Office",
			strings.Replace(zoneDefinition("Office", "+0700"), "END:STANDARD", "RRULE:FREQ=SOMETIMES\nEND:STANDARD", 1),
			padded},
		"defined for another": {"Office", zoneDefinition("Home", "+0700"), padded},
	} {
		t.Run(name, func(t *testing.T) {
			r := newYork(t)
			r.Location = zone.Location
			text := ics("DTSTART;TZID=" + c.tzid + ":20300108T100000\nDURATION:PT1H")
			warnings := wantBusy(t, r, strings.Replace(text, "END:VCALENDAR", c.zones+"END:VCALENDAR", 1), c.want)
			if (len(warnings) > 0) != (c.want == padded) {
				t.Errorf("warnings: %q", warnings)
			}
		})
	}
}

func TestZone_ADefinitionChangesItsClocks(t *testing.T) {
	zone := "BEGIN:VTIMEZONE\nTZID:Office\n" +
		"BEGIN:STANDARD\nDTSTART:20290101T000000\nTZOFFSETFROM:+0000\nTZOFFSETTO:+0100\nRDATE:20291001T000000,20300601T000000,20300701T000000Z\nEND:STANDARD\n" +
		"BEGIN:DAYLIGHT\nDTSTART:20290301T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0230\nRRULE:FREQ=YEARLY;UNTIL=20300228T230000Z\nEND:DAYLIGHT\nEND:VTIMEZONE\n"
	for wall, want := range map[string]string{
		"20281231T120000": "12:00", "20290201T120000": "11:00", "20290302T120000": "09:30", "20291101T120000": "11:00",
		"20300302T120000": "09:30", "20300602T120000": "11:00", "20310401T120000": "11:00",
	} {
		text := strings.Replace(ics("DTSTART;TZID=Office:"+wall+"\nDURATION:PT1H"), "VERSION", zone+"VERSION", 1)
		busy, warnings, err := newYork(t).Busy(strings.NewReader(text))
		if err != nil || len(busy) != 1 || len(warnings) > 0 || busy[0].Start.Format("15:04") != want {
			t.Errorf("%s is %s, %q, %v, want %s", wall, show(busy), warnings, err, want)
		}
	}
}
