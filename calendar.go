package slotd

import "time"

// Calendar is one of the host's own calendars: its events are busy time, and bookings may be written to it.
// Its password or token is not part of the configuration.
type Calendar struct {
	ID   int64  `json:"-"` // assigned by the database; 0 if the calendar exists only in a file
	Name string `json:"-"`

	Type     CalendarType `json:"type"`
	URL      string       `json:"url,omitempty"`      // ics, caldav
	Username string       `json:"username,omitempty"` // ics, caldav
	// google, microsoft: which calendar of the account; empty: the primary one
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

// DefaultStaleAfterMinutes applies to calendars that do not set StaleAfterMinutes.
const DefaultStaleAfterMinutes = 15

// StaleAfter returns how long a copy stays usable while the calendar itself cannot be read.
func (c *Calendar) StaleAfter() time.Duration {
	return time.Duration(c.StaleAfterMinutes) * time.Minute
}

// ByConsent reports whether the owner connects the calendar by consent at the service, not with a password.
func (c *Calendar) ByConsent() bool { return c.Type == Google || c.Type == Microsoft }

// SameSource reports whether c and o are the same calendar of the same account, so that a credential for
// one also works for the other.
func (c *Calendar) SameSource(o *Calendar) bool {
	return c.Type == o.Type && c.URL == o.URL && c.Username == o.Username &&
		(!c.ByConsent() || c.Calendar == o.Calendar)
}
