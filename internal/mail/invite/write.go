package invite

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// maxLine is in octets, without the line end (RFC 5545, 3.1).
const maxLine = 75

// appendLine is the only place where a line ends, and no value can make it end one: control characters other than a tab
// are left out, invalid UTF-8 comes out as U+FFFD. It folds between runes: some readers decode each line for itself.
func appendLine(out []byte, parts ...string) []byte {
	used := 0
	for _, part := range parts {
		for _, r := range part {
			if unicode.IsControl(r) && r != '\t' {
				continue
			}
			if used+utf8.RuneLen(r) > maxLine {
				out = append(out, "\r\n "...)
				used = 1
			}
			out = utf8.AppendRune(out, r)
			used += utf8.RuneLen(r)
		}
	}
	return append(out, "\r\n"...)
}

func instant(t time.Time) string { return t.UTC().Format("20060102T150405Z") }

var textEscapes = strings.NewReplacer(`\`, `\\`, `;`, `\;`, `,`, `\,`, "\n", `\n`)

// text is a value of type TEXT (RFC 5545, 3.3.11).
func text(s string) string { return textEscapes.Replace(s) }

// nameEscapes keeps a name the same for every reader. RFC 6868 writes ^' for a double quote, ^n for a newline and ^^
// for a caret: libical reads that, python3-vobject and older python3-icalendar show it as it stands. So a double quote
// becomes an apostrophe, and a caret that would begin one of the three a look-alike; any other caret is itself to all
// of them.
var nameEscapes = strings.NewReplacer(`"`, `'`, `^"`, `ˆ'`, `^'`, `ˆ'`, `^n`, `ˆn`, `^^`, `ˆˆ`)

// quoted is a parameter's value. It has no escapes besides RFC 6868's, and colons, semicolons and commas are safe in
// the quotes. But libical takes a backslash before the closing quote for an escape and loses the whole property, so
// that one gets a look-alike too.
func quoted(name string) string {
	// mapped first: what appendLine leaves out could join a pair
	name = nameEscapes.Replace(strings.Map(controlToSpace, name))
	if before, ok := strings.CutSuffix(name, `\`); ok {
		name = before + "∖"
	}
	return `"` + name + `"`
}

func controlToSpace(r rune) rune {
	if unicode.IsControl(r) {
		return ' '
	}
	return r
}

// Mailto writes out what RFC 6068, 2 allows to stand for itself in an address, and percent-encodes the rest.
func Mailto(address string) string { return "mailto:" + percentEncode(address, standsInMailto) }

func standsInMailto(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		strings.IndexByte("-._~!$'*+@", c) >= 0
}

// uri leaves a URL as it is: URLs are checked where they are entered. What cannot be in one at all is encoded.
func uri(s string) string { return percentEncode(s, isVisibleASCII) }

func isVisibleASCII(c byte) bool { return ' ' < c && c <= '~' }

func percentEncode(s string, stands func(byte) bool) string {
	const hex = "0123456789ABCDEF"
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		if c := s[i]; stands(c) {
			out = append(out, c)
		} else {
			out = append(out, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(out)
}
