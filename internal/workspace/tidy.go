package workspace

import (
	"strings"

	"slotd/internal/availability/zone"
	"slotd/internal/lib/color"
)

// tidyZone also accepts the name of a city.
func tidyZone(text string) string {
	if _, err := zone.Load(text); err == nil || text == "" {
		return text
	}
	if found, exact := zone.Find(text, 1); exact && len(found) > 0 {
		return found[0].Zone
	}
	return text
}

// tidyColor also accepts a color without the number sign, and writes it as a browser's color picker does.
func tidyColor(text string) string {
	if color.Valid("#" + text) {
		text = "#" + text
	}
	if color.Valid(text) {
		return strings.ToLower(text)
	}
	return text
}

// tidyOrigin also accepts the slash at the end of what people paste.
func tidyOrigin(text string) string { return strings.TrimSuffix(text, "/") }
