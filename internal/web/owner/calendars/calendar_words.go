package calendars

import (
	"net/url"
	"strings"
	"time"

	"slotd"
	"slotd/internal/calendar"
	"slotd/internal/web/owner/page"
)

var calendarTypes = map[slotd.CalendarType]string{
	slotd.ICSFeed: "ICS address", slotd.CalDAV: "CalDAV", slotd.Google: "Google Calendar",
	slotd.Microsoft: "Microsoft 365 or Outlook.com",
}

func serviceName(t slotd.CalendarType) string {
	if t == slotd.Microsoft {
		return "Microsoft"
	}
	return "Google"
}

// shownAddress leaves out what may be a secret: whoever knows the whole address of a feed can read it.
func shownAddress(c *slotd.Calendar) string {
	u, err := url.Parse(c.URL)
	switch {
	case c.ByConsent() && c.Calendar == "":
		return "the account's main calendar"
	case c.ByConsent():
		return c.Calendar
	case err != nil:
		return ""
	case c.Type == slotd.ICSFeed:
		return u.Scheme + "://" + u.Host + "/…"
	}
	u.RawQuery = ""
	return u.String()
}

// receiver is the calendar that bookings are written into.
func receiver(w *slotd.Workspace) string {
	for _, c := range w.Calendars {
		if c.WriteBack {
			return c.Name
		}
	}
	return ""
}

// promises are what providers say of calendars that are read again and again.
var promises = []string{
	" It is tried again by itself; if that does not help for long, ask who runs it.",
	": this is tried again by itself.",
	": it is read again later, there is nothing to do",
}

// notConnected is an error's sentence about a calendar that nobody reads again until its owner tries again.
func notConnected(e *calendar.Error) string {
	reason := e.Message
	for _, promise := range promises {
		reason = strings.TrimSuffix(reason, promise)
	}
	if e.Kind == calendar.Unreachable {
		return page.WithPeriod(reason) + " Try again later."
	}
	return page.WithPeriod(reason)
}

func timeAgo(t, now time.Time) string {
	if t.IsZero() {
		return "never"
	}
	if d := now.Sub(t); d >= time.Minute {
		return inWords(d) + " ago"
	}
	return "just now"
}

func timeAhead(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	if d := t.Sub(now); d >= time.Minute {
		return "in " + inWords(d)
	}
	return "in a moment"
}

// inWords is how people tell a length of time: its largest part.
func inWords(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return page.Plural(int(d/(24*time.Hour)), "day")
	case d >= time.Hour:
		return page.Plural(int(d/time.Hour), "hour")
	}
	return page.Plural(int(d/time.Minute), "minute")
}
