package mail

import (
	"strings"
	"unicode"
)

// cleanLine returns foreign text as one line. Characters that could end a line become spaces, characters that could
// change the reading direction of our own words are removed, and invalid UTF-8 becomes U+FFFD.
func cleanLine(s string) string { return strings.Join(strings.Fields(strings.Map(cleanRune, s)), " ") }

// cleanLines returns foreign text as lines, without empty lines at the start and the end.
func cleanLines(s string) []string {
	all := strings.Split(newlines.Replace(s), "\n")
	for i, l := range all {
		all[i] = strings.TrimRight(strings.Map(cleanRune, l), " ")
	}
	for len(all) > 0 && all[0] == "" {
		all = all[1:]
	}
	for len(all) > 0 && all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n")

func cleanRune(r rune) rune {
	switch {
	case unicode.IsControl(r), r == '\u2028', r == '\u2029':
		return ' '
	case r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
		return -1
	}
	return r
}

// shorten cuts s to limit runes, including the ellipsis.
func shorten(s string, limit int) string {
	count, cut := 0, 0
	for i := range s {
		if count == limit-1 {
			cut = i
		}
		if count++; count > limit {
			return strings.TrimRight(s[:cut], " ") + "…"
		}
	}
	return s
}

// webLink returns s if it is a link that can be put into a mail unchanged, and "" otherwise.
func webLink(s string) string {
	web := strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
	if !web || !isVisibleASCII(s) || strings.ContainsAny(s, "\"'<>\\^`{|}") {
		return ""
	}
	return s
}

func isVisibleASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}
