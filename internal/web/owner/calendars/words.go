package calendars

import (
	"net/url"
	"time"

	"slotd"
	"slotd/internal/lib/say"
)

var calendarTypes = map[slotd.CalendarType]say.Sentence{
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
		return say.T("the account's main calendar")
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
	d := now.Sub(t)
	switch {
	case t.IsZero():
		return say.T("never")
	case d >= 48*time.Hour:
		return say.N(int(d/(24*time.Hour)), "%d day ago", "%d days ago")
	case d >= time.Hour:
		return say.N(int(d/time.Hour), "%d hour ago", "%d hours ago")
	case d >= time.Minute:
		return say.N(int(d/time.Minute), "%d minute ago", "%d minutes ago")
	}
	return say.T("just now")
}

func timeAhead(t, now time.Time) string {
	d := t.Sub(now)
	switch {
	case t.IsZero():
		return ""
	case d >= 48*time.Hour:
		return say.N(int(d/(24*time.Hour)), "in %d day", "in %d days")
	case d >= time.Hour:
		return say.N(int(d/time.Hour), "in %d hour", "in %d hours")
	case d >= time.Minute:
		return say.N(int(d/time.Minute), "in %d minute", "in %d minutes")
	}
	return say.T("in a moment")
}
