package inputs

import (
	"regexp"
	"strings"

	"slotd/internal/web/owner/page"
)

var (
	timeWords = regexp.MustCompile(`^([0-9]{1,7} *[a-z]+[ ,]*)+$`)
	timeWord  = regexp.MustCompile(`([0-9]+) *([a-z]+)`)
)

// readMinutes accepts a number of minutes, or words such as 2 hours or 1h 30m. It returns -1, which is out of every
// range, for anything else.
func readMinutes(text string) (minutes int) {
	text = strings.ToLower(strings.TrimSpace(text))
	if !timeWords.MatchString(text) || len(text) > 100 {
		return page.ParseNumber(text)
	}
	for _, word := range timeWord.FindAllStringSubmatch(text, -1) {
		n, unit := page.ParseNumber(word[1]), minutesIn(word[2])
		if unit == 0 {
			return -1
		}
		minutes += n * unit
	}
	return minutes
}

func minutesIn(unit string) int {
	switch unit {
	case "m", "min", "mins", "minute", "minutes":
		return 1
	case "h", "hr", "hrs", "hour", "hours":
		return 60
	case "d", "day", "days":
		return 1440
	case "w", "week", "weeks":
		return 7 * 1440
	}
	return 0
}

func spellMinutes(minutes []int) string {
	words := make([]string, len(minutes))
	for i, n := range minutes {
		words[i] = page.SpellMinutes(n)
	}
	return strings.Join(words, ", ")
}

// readMinutesList never returns nil, because an empty list of the workspace file is not nil either.
func readMinutesList(text string) []int {
	minutes := []int{}
	for _, word := range splitMinutes(text) {
		minutes = append(minutes, readMinutes(word))
	}
	return minutes
}

func splitMinutes(text string) (words []string) {
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, word)
		}
	}
	return words
}
