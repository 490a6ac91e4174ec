package page

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"slotd/internal/lib/say"
	"slotd/internal/workspace"
)

// Plural returns a count and its noun, such as 1 booking or 2 bookings.
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// WithPeriod adds the period that a sentence may lack because commands print it in the middle of a line.
func WithPeriod(sentence string) string {
	if sentence == "" || strings.HasSuffix(sentence, ".") {
		return sentence
	}
	return sentence + "."
}

// Sentence joins a subject and what is wrong with it. It returns an empty string if nothing is.
func Sentence(subject string, err error) string {
	if err == nil {
		return ""
	}
	if fault := (*workspace.Fault)(nil); errors.As(err, &fault) {
		return subject + " " + FaultSentence(fault) + "."
	}
	return subject + " " + err.Error() + "."
}

// ShortQuote quotes a text and cuts it after 120 characters.
func ShortQuote(s string) string {
	if s == "" {
		return say.T("empty")
	}
	if runes := []rune(s); len(runes) > 120 {
		s = string(slices.Concat(runes[:119], []rune("…")))
	}
	return "“" + s + "”"
}

// JoinNames lists up to three names and counts the rest.
func JoinNames(titles []string) string {
	if more := len(titles) - 3; more > 0 {
		return say.T("%s and %d more", strings.Join(titles[:3], ", "), more)
	}
	if last := len(titles) - 1; last > 0 {
		return say.T("%s and %s", strings.Join(titles[:last], ", "), titles[last])
	}
	return strings.Join(titles, "")
}

// SpellMinutes formats a duration: 45 minutes, 1 hour 30 minutes, 2 days.
func SpellMinutes(minutes int) string {
	var words []string
	if days := minutes / 1440; days > 0 {
		words = append(words, say.N(days, "%d day", "%d days"))
	}
	if hours := minutes % 1440 / 60; hours > 0 {
		words = append(words, say.N(hours, "%d hour", "%d hours"))
	}
	if rest := minutes % 60; rest > 0 || len(words) == 0 {
		words = append(words, say.N(max(rest, 0), "%d minute", "%d minutes"))
	}
	return strings.Join(words, " ")
}
