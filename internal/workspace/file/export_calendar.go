package file

import (
	"strconv"
	"strings"

	"slotd"
)

// calendars omits password_env: it concerns only whoever applied the file, and without it the stored passwords stay.
func (o *output) calendars(calendars []slotd.Calendar) {
	if len(calendars) == 0 {
		return
	}
	o.line("calendars:")
	for _, c := range calendars {
		parts := flow("name", c.Name, "type", string(c.Type), "url", c.URL, "username", c.Username, "calendar",
			c.Calendar)
		if c.WriteBack {
			parts = strings.TrimSuffix(parts, "}") + ", write_back: true}"
		}
		if c.StaleAfterMinutes != slotd.DefaultStaleAfterMinutes {
			parts = strings.TrimSuffix(parts, "}") + ", stale_after_minutes: " + strconv.Itoa(c.StaleAfterMinutes) + "}"
		}
		o.line("  - %s", parts)
	}
}
