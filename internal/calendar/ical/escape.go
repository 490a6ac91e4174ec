package ical

import "strings"

// EscapeText escapes text for use as a property's value (RFC 5545, 3.3.11).
func EscapeText(text string) string {
	return strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r", "", "\n", `\n`).Replace(text)
}

// QuoteParam quotes text for use as a parameter's value.
func QuoteParam(text string) string {
	return `"` + strings.NewReplacer(`"`, "", "\r", "", "\n", "").Replace(text) + `"`
}
