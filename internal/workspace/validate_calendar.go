package workspace

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"slotd"
	"slotd/internal/lib/say"
)

const maxCalendarID = 1024

// MaxStaleAfter limits how old a calendar's copy may be before it counts as stale.
const MaxStaleAfter = 7 * 24 * time.Hour

func (c *checker) calendars() {
	names, writers := map[string]bool{}, 0
	for i, cal := range atMost(c, "calendars", c.workspace.Calendars, MaxCalendars, "calendars") {
		path := fmt.Sprintf("calendars[%d]", i)
		if names[cal.Name] {
			c.add(path+".name",
				faultAbout(Duplicate, say.T("must be different from the others; there are two of %.40q", cal.Name)))
		}
		names[cal.Name] = true
		checkFields(c, path, &cal, CalendarFields)
		if cal.WriteBack {
			if writers++; writers == 2 {
				c.add(path+".write_back", fault(SecondWriteBack))
			}
		}
	}
}

func checkCalendarType(c *checker, path string, cal *slotd.Calendar) {
	path = strings.TrimSuffix(path, ".type")
	switch cal.Type {
	case slotd.ICSFeed:
		c.add(path+".url", checkURL(cal.URL, "https://acme.example/calendar.ics", "https", "http", "webcal"))
		if cal.WriteBack {
			c.add(path+".write_back", faultAbout(NotHere, say.T("an ics address can only be read")))
		}
	case slotd.CalDAV:
		c.add(path+".url", checkURL(cal.URL, "https://acme.example/dav/calendars/ada/", "https", "http"))
	case slotd.Google, slotd.Microsoft:
		c.consentCalendar(path, cal)
	}
	if strings.ContainsRune(cal.URL, '#') {
		c.add(path+".url", fault(URLWithFragment))
	}
	if !cal.ByConsent() && cal.Calendar != "" {
		c.add(path+".calendar", faultAbout(NotHere, say.T("the url says which calendar it is")))
	}
}

// consentCalendar checks a calendar of a service where the owner gives consent once, without a URL or a password.
func (c *checker) consentCalendar(path string, cal *slotd.Calendar) {
	if cal.URL != "" {
		c.add(path+".url", faultAbout(NotHere, say.T("a %s calendar is found by its account", cal.Type)))
	}
	if cal.Username != "" {
		c.add(path+".username", faultAbout(NotHere, say.T("the owner signs in at the service itself")))
	}
	if len(cal.Calendar) > maxCalendarID || strings.ContainsFunc(cal.Calendar, isNotVisibleASCII) {
		c.add(path+".calendar", fault(NotACalendarID))
	}
}

// checkUsername rejects names that Basic authentication cannot carry (RFC 7617, section 2).
func checkUsername(s string) error {
	if len(s) > MaxEmail || strings.ContainsRune(s, ':') || strings.ContainsFunc(s, unicode.IsControl) {
		return fault(NotAUsername)
	}
	return nil
}
