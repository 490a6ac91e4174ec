package file

import (
	"crypto/sha256"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"slotd"
)

func (d *changes) calendars(old, next []slotd.Calendar) {
	for i := range next {
		c := &next[i]
		index := slices.IndexFunc(old, func(o slotd.Calendar) bool { return o.Name == c.Name })
		if index < 0 {
			d.add("calendar %s: connected", scalar(c.Name))
			continue
		}
		d.compare("calendar "+scalar(c.Name)+": ", calendarFacts(&old[index]), calendarFacts(c))
	}
	if names := calendarNames(next); len(old) == len(next) && !slices.Equal(calendarNames(old), names) {
		if before := slices.Sorted(slices.Values(calendarNames(old))); slices.Equal(before,
			slices.Sorted(slices.Values(names))) {
			d.add("calendars: new order: %s", joined(names, scalar))
		}
	}
	for _, o := range old {
		if !slices.ContainsFunc(next, func(c slotd.Calendar) bool { return c.Name == o.Name }) {
			d.add("calendar %s: disconnected", scalar(o.Name))
		}
	}
}

func calendarNames(calendars []slotd.Calendar) (names []string) {
	for _, c := range calendars {
		names = append(names, c.Name)
	}
	return names
}

func calendarFacts(c *slotd.Calendar) []fact {
	return []fact{
		{"type", string(c.Type)},
		{"url", urlFact(c)},
		{"username", quoted(c.Username)},
		{"calendar", quoted(c.Calendar)},
		{"write_back", strconv.FormatBool(c.WriteBack)},
		{"stale_after_minutes", strconv.Itoa(c.StaleAfterMinutes)},
	}
}

// urlFact replaces the path of a feed, which may be secret, with a hash that changes with it.
func urlFact(c *slotd.Calendar) string {
	u, err := url.Parse(c.URL)
	if c.Type != slotd.ICSFeed || err != nil || u.Path == "" && u.RawQuery == "" {
		return quoted(c.URL)
	}
	sum := sha256.Sum256([]byte(c.URL))
	return fmt.Sprintf("%q (%x)", u.Scheme+"://"+u.Host+"/…", sum[:3])
}
