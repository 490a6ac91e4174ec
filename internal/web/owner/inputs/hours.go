package inputs

import (
	"fmt"
	"regexp"
	"strings"

	"slotd/internal/availability/slots"
)

var (
	dashes      = strings.NewReplacer("–", "-", "—", "-", "−", "-")
	aroundDash  = regexp.MustCompile(`\s*-\s*`)
	looseWindow = regexp.MustCompile(`^(\d{1,2})(?:[:.](\d\d))?-(\d{1,2})(?:[:.](\d\d))?$`)
)

// ReadHours parses hours as people type them: "09:00-12:00, 13:00-17:00", and also 9–12. An invalid window becomes one
// that the validation rejects.
func ReadHours(text string) []slots.Window {
	windows := []slots.Window{}
	for _, part := range splitHours(text) {
		if m := looseWindow.FindStringSubmatch(part); m != nil {
			part = fmt.Sprintf("%02s:%02s-%02s:%02s", m[1], m[2], m[3], m[4])
		}
		w, err := slots.ParseWindow(part)
		if err != nil {
			w = slots.Window{From: -1, Until: -1}
		}
		windows = append(windows, w)
	}
	return windows
}

func splitHours(text string) []string {
	text = aroundDash.ReplaceAllString(dashes.Replace(text), "-")
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",; \t\n", r) })
}

// ShowHours formats hours as the workspace file does.
func ShowHours(windows []slots.Window) string {
	texts := make([]string, len(windows))
	for i, w := range windows {
		texts[i] = w.String()
	}
	return strings.Join(texts, ", ")
}
