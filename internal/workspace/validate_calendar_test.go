package workspace

import (
	"fmt"
	"strings"
	"testing"

	"slotd"
)

// wantCalendarProblems edits the feed of a valid workspace.
func wantCalendarProblems(t *testing.T, about string, edit func(c *slotd.Calendar), fields ...string) {
	t.Helper()
	w := office()
	edit(&w.Calendars[1])
	for i := range fields {
		fields[i] = "calendars[1]." + fields[i]
	}
	wantPaths(t, about, w, fields...)
}

func TestValidate_CalendarAddresses(t *testing.T) {
	for _, url := range []string{"https://a.example/x.ics?key=a%20b", "http://127.0.0.1:5232/", "webcal://a.example/x",
		"https://[::1]/x.ics", "https://a.example:8443/"} {
		wantCalendarProblems(t, url, func(c *slotd.Calendar) { c.URL = url })
	}
	for _, url := range []string{
		"", "x", "//a.example/", "a.example/x.ics", "javascript:alert(1)", "file:///etc/passwd", "ftp://a.example/",
		"https://", "https:///x", "https://user:pass@a.example/",
		"https://user@a.example/", "https://a.example/a b", "https://a.example/\r\nHost: b", "https://a.example/ä",
		"https://a.example:0/", "https://a.example:99999/",
		"https://[::1%25eth0]/", "https://a.example/" + strings.Repeat("x", 2000), "HTTPS://a_b/",
		"https://a.example/\x00",
	} {
		wantCalendarProblems(t, url, func(c *slotd.Calendar) { c.URL = url }, "url")
	}
	wantCalendarProblems(t, "fragment", func(c *slotd.Calendar) { c.URL += "#x" }, "url")
	wantCalendarProblems(t, "webcal of a server",
		func(c *slotd.Calendar) { c.Type, c.URL = slotd.CalDAV, "webcal://a.example/" }, "url")
}

func TestValidate_CalendarFields(t *testing.T) {
	for _, kind := range []slotd.CalendarType{"", "ICS", "exchange", "ics "} {
		wantCalendarProblems(t, string(kind), func(c *slotd.Calendar) { c.Type = kind }, "type")
	}
	for minutes, right := range map[int]bool{1: true, 15: true, 10080: true, 0: false, -1: false, 10081: false,
		1 << 31: false} {
		if right {
			wantCalendarProblems(t, fmt.Sprint(minutes), func(c *slotd.Calendar) { c.StaleAfterMinutes = minutes })
		} else {
			wantCalendarProblems(t, fmt.Sprint(minutes), func(c *slotd.Calendar) { c.StaleAfterMinutes = minutes },
				"stale_after_minutes")
		}
	}
	for _, name := range []string{"", "  ", "a\nb", "\x00", "\xff", strings.Repeat("x", 201)} {
		wantCalendarProblems(t, fmt.Sprintf("%q", name), func(c *slotd.Calendar) { c.Name = name }, "name")
	}
	for _, name := range []string{"ada:x", "ada\r\nX-Header: 1", "ada\x00", strings.Repeat("x", 255)} {
		wantCalendarProblems(t, fmt.Sprintf("%q", name), func(c *slotd.Calendar) { c.Username = name }, "username")
	}
	for _, name := range []string{"ada", "ada@acme.example", "Ada Park", "ädä", strings.Repeat("x", 254)} {
		wantCalendarProblems(t, name, func(c *slotd.Calendar) { c.Username = name })
	}
	// It is also the second calendar with write_back.
	wantCalendarProblems(t, "a feed that is written into", func(c *slotd.Calendar) { c.WriteBack = true }, "write_back",
		"write_back")
	wantCalendarProblems(t, "an id beside an address", func(c *slotd.Calendar) { c.Calendar = "x" }, "calendar")
}

func TestValidate_CalendarsByConsent(t *testing.T) {
	for _, kind := range []slotd.CalendarType{slotd.Google, slotd.Microsoft} {
		right := slotd.Calendar{Name: "club", Type: kind, StaleAfterMinutes: 15}
		wantCalendarProblems(t, "the main one", func(c *slotd.Calendar) { *c = right })
		wantCalendarProblems(t, "another", func(c *slotd.Calendar) { *c = right; c.Calendar = "ada@acme.example" })
		wantCalendarProblems(t, "with an address", func(c *slotd.Calendar) { *c = right; c.URL = "https://a.example/" },
			"url")
		wantCalendarProblems(t, "with a user", func(c *slotd.Calendar) { *c = right; c.Username = "ada" }, "username")
		for _, id := range []string{"a b", "a\nb", "ä", strings.Repeat("x", 1025)} {
			wantCalendarProblems(t, id, func(c *slotd.Calendar) { *c = right; c.Calendar = id }, "calendar")
		}
	}
}

func TestValidate_CalendarsTogether(t *testing.T) {
	wantCalendarProblems(t, "the same name", func(c *slotd.Calendar) { c.Name = "office" }, "name")
	wantCalendarProblems(t, "two that are written into",
		func(c *slotd.Calendar) { c.Type, c.WriteBack = slotd.CalDAV, true }, "write_back")
	w := office()
	for i := len(w.Calendars); i < 20; i++ {
		w.Calendars = append(w.Calendars,
			slotd.Calendar{Name: fmt.Sprint("club ", i), Type: slotd.ICSFeed, URL: "https://a.example/",
				StaleAfterMinutes: 15})
	}
	wantPaths(t, "twenty", w)
	w.Calendars = append(w.Calendars,
		slotd.Calendar{Name: "one more", Type: slotd.ICSFeed, URL: "https://a.example/", StaleAfterMinutes: 15})
	wantPaths(t, "twenty-one", w, "calendars")
}
