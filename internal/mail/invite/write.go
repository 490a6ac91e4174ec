package invite

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// maxLine is in octets, without the line ending (RFC 5545, section 3.1).
const maxLine = 75

// appendLine is the only function that ends a line, and no value can make it end one: it drops control characters
// other than tab, and writes invalid UTF-8 as U+FFFD. It folds between runes, because some readers decode each line
// separately.
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

func formatInstant(t time.Time) string { return t.UTC().Format("20060102T150405Z") }

var textEscapes = strings.NewReplacer(`\`, `\\`, `;`, `\;`, `,`, `\,`, "\n", `\n`)

// escapeText returns a value of type TEXT (RFC 5545, section 3.3.11).
func escapeText(s string) string { return textEscapes.Replace(s) }

// nameEscapes makes every reader show the same name. RFC 6868 encodes a double quote as ^', a newline as ^n and a
// caret as ^^. libical decodes that; python3-vobject and older versions of python3-icalendar show it unchanged. So a
// double quote becomes an apostrophe, and a caret that would start one of the three becomes a look-alike. All readers
// show any other caret as it is.
var nameEscapes = strings.NewReplacer(`"`, `'`, `^"`, `ˆ'`, `^'`, `ˆ'`, `^n`, `ˆn`, `^^`, `ˆˆ`)

// quoteParam returns a parameter value. Parameter values have no escapes besides those of RFC 6868, and colons,
// semicolons and commas are safe inside the quotes. But libical reads a backslash before the closing quote as an
// escape and loses the whole property, so that backslash becomes a look-alike too.
func quoteParam(name string) string {
	// Map first: dropping control characters later, in appendLine, could join a pair.
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

// Mailto returns a mailto URI. It percent-encodes everything that RFC 6068, section 2 does not allow unencoded in an
// address.
func Mailto(address string) string { return "mailto:" + percentEncode(address, isMailtoSafe) }

func isMailtoSafe(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		strings.IndexByte("-._~!$'*+@", c) >= 0
}

// escapeURI leaves a URL as it is, because URLs are checked where they are entered. It encodes only characters that
// no URL can contain.
func escapeURI(s string) string { return percentEncode(s, isVisibleASCII) }

func isVisibleASCII(c byte) bool { return ' ' < c && c <= '~' }

func percentEncode(s string, isSafe func(byte) bool) string {
	const hex = "0123456789ABCDEF"
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		if c := s[i]; isSafe(c) {
			out = append(out, c)
		} else {
			out = append(out, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(out)
}
