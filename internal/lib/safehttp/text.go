package safehttp

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxHost is the length of a host name in a message, long enough to recognize the server.
const maxHost = 100

// Host returns an address's host in a form that is safe in a sentence. The host in a redirect can have any length and
// contain any bytes.
func Host(u *url.URL) string { return displayHost(u.Host) }

func displayHost(host string) string { return Printable(host[:min(len(host), maxHost)], maxHost) }

// Printable returns untrusted text in a form that is safe in a sentence and on a terminal: without control characters,
// which move the cursor or reverse the direction of writing, and with at most limit characters.
func Printable(text string, limit int) string {
	var out strings.Builder
	for _, r := range text { // a byte that is not UTF-8 becomes U+FFFD
		if !unicode.IsPrint(r) {
			continue
		}
		if limit--; limit < 0 {
			return out.String() + "…"
		}
		out.WriteRune(r)
	}
	return out.String()
}

// IsStorable reports whether untrusted text can be stored: all databases accept it, and it has at most limit bytes.
func IsStorable(text string, limit int) bool {
	return len(text) <= limit && utf8.ValidString(text) && strings.IndexByte(text, 0) < 0
}
