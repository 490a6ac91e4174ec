package main

import (
	"regexp"
	"strings"
	"unicode"
)

// exempt are the packages whose texts people do not read.
var exempt = regexp.MustCompile(`^slotd/(` +
	`internal/mcp(/bridge)?|` + // models and programs read them
	`internal/(store|store/sqlcgen|jobs|server)|` + // SQL, and the operator's log
	`internal/availability/zone|` + // names of the tz database
	`internal/lib/(cputest|strictjson|limit|coalesce|color|seal|say)|` +
	`internal/.*test|internal/store/testdb|test/.*` + // only tests run them
	`)$`)

func isExempt(path string) bool { return exempt.MatchString(path) }

// names are the same in every language.
var names = regexp.MustCompile(`^(slotd|Slotd|Stripe|Google|Outlook|Microsoft|CalDAV|https?://\S*|[A-Z]{2,5}|iPhone|iPad|` +
	`Android|Authorization|Edge|Opera|Firefox|Chrome|Safari|Windows|Mac|Linux)$`)

// isName reports whether a text is a name or consists of names, so that nobody would translate it.
func isName(text string) bool {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !(r == ':' || r == '/' || r == '.' || isLetter(r)) }) {
		if w = strings.Trim(w, ".:/"); word.MatchString(w) && !names.MatchString(w) {
			return false
		}
	}
	return true
}

func isLetter(r rune) bool { return unicode.IsLetter(r) }
