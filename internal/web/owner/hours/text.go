package hours

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
)

var (
	dashes      = strings.NewReplacer("–", "-", "—", "-", "−", "-")
	aroundDash  = regexp.MustCompile(`\s*-\s*`)
	looseWindow = regexp.MustCompile(`^(\d{1,2})(?:[:.](\d\d))?-(\d{1,2})(?:[:.](\d\d))?$`)
)

// readWindows parses hours as people type them: "09:00-12:00, 13:00-17:00", and also 9–12.
func readWindows(text string) ([]slots.Window, error) {
	text = aroundDash.ReplaceAllString(dashes.Replace(text), "-")
	windows := []slots.Window{}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",; \t\n", r) }) {
		if m := looseWindow.FindStringSubmatch(part); m != nil {
			part = fmt.Sprintf("%02s:%02s-%02s:%02s", m[1], m[2], m[3], m[4])
		}
		w, err := slots.ParseWindow(part)
		if err != nil {
			return nil, err
		}
		windows = append(windows, w)
	}
	return windows, nil
}

// windowsText formats hours as the workspace file does.
func windowsText(windows []slots.Window) string {
	texts := make([]string, len(windows))
	for i, w := range windows {
		texts[i] = w.String()
	}
	return strings.Join(texts, ", ")
}

// weekInWords joins consecutive days with the same hours: Monday–Friday 09:00-17:00.
func weekInWords(week map[time.Weekday][]slots.Window) (lines []string) {
	first := 0
	for i := range 7 {
		hours := windowsText(week[weekday(i)])
		if i < 6 && windowsText(week[weekday(i+1)]) == hours {
			continue
		}
		if hours != "" {
			lines = append(lines, dayRange(first, i)+" "+hours)
		}
		first = i + 1
	}
	return lines
}

// weekday returns the day at an index of the workspace file's week, which begins on Monday.
func weekday(index int) time.Weekday { return time.Weekday((index + 1) % 7) }

func dayRange(first, last int) string {
	if first == last {
		return weekday(first).String()
	}
	return weekday(first).String() + "–" + weekday(last).String()
}

func longDate(d zone.Date) string { return d.UTC().Format("Monday 2 January 2006") }

func pronoun(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}
