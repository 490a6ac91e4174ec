package mail

import (
	"strings"
	"unicode"
)

// line is foreign text as one line: what could end a line is a space, what could turn the
// reading direction of our own words is gone, and what is not UTF-8 is marked as such.
func line(s string) string { return strings.Join(strings.Fields(strings.Map(inLine, s)), " ") }

// lines is foreign text of several lines, without empty ones at its ends.
func lines(s string) []string {
	all := strings.Split(newlines.Replace(s), "\n")
	for i, l := range all {
		all[i] = strings.TrimRight(strings.Map(inLine, l), " ")
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

func inLine(r rune) rune {
	switch {
	case unicode.IsControl(r), r == '\u2028', r == '\u2029':
		return ' '
	case r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
		return -1
	}
	return r
}

// shorten cuts s to a number of runes, the ellipsis included.
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

// webLink is s if it is a link that may stand in a mail as it is, else empty.
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
