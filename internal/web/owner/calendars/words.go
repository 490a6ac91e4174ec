package calendars

import (
	"net/url"
	"time"

	"slotd"
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

// shownAddress leaves out what may be a secret: anyone who knows a feed's full address can read it.
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

// receiver returns the name of the calendar that receives bookings.
func receiver(w *slotd.Workspace) string {
	for _, c := range w.Calendars {
		if c.WriteBack {
			return c.Name
		}
	}
	return ""
}

func timeAgo(t, now time.Time) string {
	if t.IsZero() {
		return "never"
	}
	if d := now.Sub(t); d >= time.Minute {
		return durationWords(d) + " ago"
	}
	return "just now"
}

func timeAhead(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	if d := t.Sub(now); d >= time.Minute {
		return "in " + durationWords(d)
	}
	return "in a moment"
}

// durationWords describes a duration by its largest unit.
func durationWords(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return page.Plural(int(d/(24*time.Hour)), "day")
	case d >= time.Hour:
		return page.Plural(int(d/time.Hour), "hour")
	}
	return page.Plural(int(d/time.Minute), "minute")
}
