package slotd

import "time"

// Calendar is one of the host's own: what is in it is busy time, and bookings may be written into it.
// Its password or token is not part of the configuration.
type Calendar struct {
	ID   int64  `json:"-"` // ours; 0 while it is only in a file
	Name string `json:"-"`

	Type     CalendarType `json:"type"`
	URL      string       `json:"url,omitempty"`      // ics, caldav
	Username string       `json:"username,omitempty"` // ics, caldav
	// google, microsoft: which of the account's; empty: the main one
	Calendar          string `json:"calendar,omitempty"`
	WriteBack         bool   `json:"write_back,omitempty"`
	StaleAfterMinutes int    `json:"stale_after_minutes"`
}

type CalendarType string

const (
	ICSFeed   CalendarType = "ics"
	CalDAV    CalendarType = "caldav"
	Google    CalendarType = "google"
	Microsoft CalendarType = "microsoft"
)

// DefaultStaleAfterMinutes is for calendars that say nothing else.
const DefaultStaleAfterMinutes = 15

// StaleAfter is for how long a copy counts when the calendar itself cannot be read.
func (c *Calendar) StaleAfter() time.Duration {
	return time.Duration(c.StaleAfterMinutes) * time.Minute
}

// ByConsent reports whether the owner connects it at the service itself, and not with a password.
func (c *Calendar) ByConsent() bool { return c.Type == Google || c.Type == Microsoft }

// SameSource reports whether both are the same calendar of the same account, so that a credential for
// one is a credential for the other.
func (c *Calendar) SameSource(o *Calendar) bool {
	return c.Type == o.Type && c.URL == o.URL && c.Username == o.Username &&
		(!c.ByConsent() || c.Calendar == o.Calendar)
}
