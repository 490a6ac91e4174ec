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
	{Name: "name", Required: true, Kind: text(func(c *slotd.Calendar) *string { return &c.Name }, lineFormat)},
	{Name: "type", Required: true, rule: checkCalendarType,
		Kind: text(func(c *slotd.Calendar) *string { return (*string)(&c.Type) }, wordFormat)},
	{Name: "url", Describe: describeURL, Kind: text(func(c *slotd.Calendar) *string { return &c.URL }, anyFormat)},
	{Name: "username", Kind: text(func(c *slotd.Calendar) *string { return &c.Username }, usernameFormat)},
	{Name: "password_env", Kind: FileOnly[slotd.Calendar]{}},
	{Name: "calendar", Kind: text(func(c *slotd.Calendar) *string { return &c.Calendar }, anyFormat)},
	{Name: "write_back", Kind: Flag[slotd.Calendar]{At: func(c *slotd.Calendar) *bool { return &c.WriteBack }}},
	{Name: "stale_after_minutes", Kind: number(func(c *slotd.Calendar) *int { return &c.StaleAfterMinutes }, 1,
		int(MaxStaleAfter/time.Minute)).orElse(slotd.DefaultStaleAfterMinutes)},
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
