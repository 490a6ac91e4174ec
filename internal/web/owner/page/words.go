package page

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"slotd"
)

func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// ended is a sentence of ours that may lack its full stop: commands print them in the middle of lines.
func WithPeriod(sentence string) string {
	if sentence == "" || strings.HasSuffix(sentence, ".") {
		return sentence
	}
	return sentence + "."
}

// sentence joins what is judged and the judgement.
func Sentence(subject, reason string) string {
	if reason == "" {
		return ""
	}
	return subject + " " + reason + "."
}

func ShortQuote(s string) string {
	if s == "" {
		return "empty"
	}
	if runes := []rune(s); len(runes) > 120 {
		s = string(slices.Concat(runes[:119], []rune("…")))
	}
	return "“" + s + "”"
}

// inList names up to three.
func JoinNames(titles []string) string {
	if more := len(titles) - 3; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(titles[:3], ", "), more)
	}
	if last := len(titles) - 1; last > 0 {
		return strings.Join(titles[:last], ", ") + " and " + titles[last]
	}
	return strings.Join(titles, "")
}

// message is what an error of ours says to people.
func ErrorText(err error) string {
	if e, ok := err.(*slotd.Error); ok {
		return e.Message
	}
	return err.Error()
}
