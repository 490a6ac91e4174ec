package workspace

import (
	"crypto/sha256"
	"fmt"
	"net/url"
	"time"

	"slotd"
)

// CalendarFields are the fields of a calendar. Which of them one has depends on its type: checkCalendarType says so.
var CalendarFields = []Field[slotd.Calendar]{
	{
		Name: "name", Required: true, Fixed: true, Input: "name", Label: "Name",
		Hint: "only you see it",
		Help: "what you call it; unique in the file",
		Kind: text(func(c *slotd.Calendar) *string { return &c.Name }, lineFormat),
	},
	{
		Name: "type", Required: true, Fixed: true, NoInput: true, // each type has a page of its own
		Help: "what kind of calendar it is",
		Kind: text(func(c *slotd.Calendar) *string { return (*string)(&c.Type) },
			oneOf(slotd.ICSFeed, slotd.CalDAV, slotd.Google, slotd.Microsoft)),
		rule: checkCalendarType,
	},
	{
		Name: "url", Input: "url", Label: "Address",
		Help: "ics, caldav: its address, which they need",
		Kind: text(func(c *slotd.Calendar) *string { return &c.URL },
			Format{Check: anyFormat.Check, Pattern: `^([A-Za-z]+://\S+)?$`,
				Docs: "`https`, `http`, for ics also `webcal`; no password in it"}),
		Describe: describeURL,
	},
	{
		Name: "username", Input: "username", Label: "Username",
		Help: "ics, caldav: who signs in, if anybody must",
		Kind: text(func(c *slotd.Calendar) *string { return &c.Username }, usernameFormat),
	},
	{
		Name: "password_env", NoInput: true, // the form asks for the password itself
		Help: "ics, caldav: the environment variable that contains the password when the file is applied; without it, or if it is not set, the stored password stays",
		Kind: FileOnly[slotd.Calendar]{},
	},
	{
		Name: "calendar", Input: "calendar", Label: "Calendar ID",
		Hint: "leave blank for the account's main calendar",
		Help: "google, microsoft: which of the account's calendars; without it the main one",
		Kind: text(func(c *slotd.Calendar) *string { return &c.Calendar },
			anyFormat.documented("the id of one of the account's calendars")),
	},
	{
		Name: "write_back", Input: "write_back", Label: "Add bookings to this calendar",
		Help: "bookings are written to it; true for one calendar at most",
		Kind: Flag[slotd.Calendar]{At: func(c *slotd.Calendar) *bool { return &c.WriteBack }},
	},
	{
		Name: "stale_after_minutes", Input: "stale_after", Label: "Fallback time",
		Hint: "if syncing fails, use the last copy for this many minutes, then pause bookings",
		Help: "how long the last copy is used if the calendar can't be read",
		Kind: number(func(c *slotd.Calendar) *int { return &c.StaleAfterMinutes }, 1,
			int(MaxStaleAfter/time.Minute)).orElse(slotd.DefaultStaleAfterMinutes),
	},
}

// describeURL replaces the path of a feed, which may be secret, with a hash that changes with it.
func describeURL(c *slotd.Calendar) string {
	u, err := url.Parse(c.URL)
	if c.URL == "" || c.Type != slotd.ICSFeed || err != nil || u.Path == "" && u.RawQuery == "" {
		return Quoted(c.URL)
	}
	sum := sha256.Sum256([]byte(c.URL))
	return fmt.Sprintf("%q (%x)", u.Scheme+"://"+u.Host+"/…", sum[:3])
}

// Quoted returns a text in quotes, for sentences.
func Quoted(s string) string {
	if s == "" {
		return "none"
	}
	return fmt.Sprintf("%q", s)
}
