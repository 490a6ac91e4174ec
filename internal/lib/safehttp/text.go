package safehttp

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxHost is enough to recognise a server by.
const maxHost = 100

// Host is an address's host as it can stand in a sentence. A redirect may name one of any length and
// of any bytes.
func Host(u *url.URL) string { return shownHost(u.Host) }

func shownHost(host string) string { return Shown(host[:min(len(host), maxHost)], maxHost) }

// Shown is a stranger's text as it can stand in a sentence and on a terminal: without control
// characters, which move the cursor or turn the writing around, and of at most so many characters.
func Shown(text string, most int) string {
	var out strings.Builder
	for _, r := range text { // a byte that is no UTF-8 is U+FFFD
		if !unicode.IsPrint(r) {
			continue
		}
		if most--; most < 0 {
			return out.String() + "…"
		}
		out.WriteRune(r)
	}
	return out.String()
}

// Fits reports whether a stranger's text can be kept: every database takes it, and it has at most so
// many bytes.
func Fits(text string, most int) bool {
	return len(text) <= most && utf8.ValidString(text) && strings.IndexByte(text, 0) < 0
}
