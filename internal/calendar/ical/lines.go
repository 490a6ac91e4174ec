package ical

import (
	"iter"
	"strings"
)

// This package has its own line reader because emersion/go-ical's decoder panics on a parameter without a colon after
// it, recurses as deep as the file nests, does not know line numbers, and fails on one stray line in a description
// that is not needed here.

// lines yields each line with its number in the file. It joins continuation lines (RFC 5545, 3.1). Many files end
// lines with LF alone, some with CR CR LF.
func lines(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for number := 1; text != ""; {
			first := number
			line, rest := cutLine(text)
			number++
			if continues(rest) {
				var folds int
				line, rest, folds = unfold(line, rest)
				number += folds
			}
			if !yield(first, line) {
				return
			}
			text = rest
		}
	}
}

func cutLine(text string) (line, rest string) {
	line, rest, _ = strings.Cut(text, "\n")
	return strings.TrimRight(line, "\r"), rest
}

func continues(rest string) bool {
	return rest != "" && (rest[0] == ' ' || rest[0] == '\t')
}

func unfold(first, rest string) (line, after string, folds int) {
	var joined strings.Builder
	joined.WriteString(first)
	for continues(rest) {
		line, rest = cutLine(rest)
		joined.WriteString(line[1:])
		folds++
	}
	return joined.String(), rest, folds
}

// property is one relevant line. The parameters stay unparsed: most are never needed.
type property struct {
	line   int
	name   string
	params string
	value  string
}

// knownProperties holds the names that are relevant in an event, and whether a line that starts with the name must be
// readable. Where it need not be, ignoring an unreadable line can only leave time busy, never free it.
var knownProperties = map[string]bool{
	"BEGIN": false, "END": false, // losing one breaks the nesting, which is an error anyway
	"DTSTART": true, "DTEND": true, "DURATION": true,
	"RRULE": true, "RDATE": true, "RECURRENCE-ID": true, "EXRULE": false, "EXDATE": false,
	"UID": false, "X-SLOTD-ID": false, "X-SLOTD-SERIES": false, "X-SLOTD-MASTER": false,
	"TZID": false, "TZOFFSETFROM": false, "TZOFFSETTO": false, // of a VTIMEZONE
	"TRANSP": false, "STATUS": false, "ATTENDEE": false, "X-MICROSOFT-CDO-BUSYSTATUS": false,
}

// parseProperty returns ok if the line is relevant. It does not parse other lines, so an odd unknown property does no
// harm.
func parseProperty(number int, line string) (p property, ok bool, err error) {
	end := len(line)
	if i := strings.IndexFunc(line, isNotNameRune); i >= 0 {
		end = i
	}
	name, rest := strings.ToUpper(line[:end]), line[end:]
	required, ok := knownProperties[name]
	if !ok {
		return property{}, false, nil
	}
	colon := indexUnquoted(rest, ':')
	if colon < 0 || colon > 0 && rest[0] != ';' {
		if required {
			return property{}, false, lineError(number, "%s isn't valid iCalendar.", name)
		}
		return property{}, false, nil
	}
	return property{number, name, rest[:colon], strings.TrimSpace(rest[colon+1:])}, true, nil
}

func isNotNameRune(r rune) bool {
	return r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}

// param returns a parameter's value without quotes. It keeps commas: names of time zones contain them, and no
// parameter that is read here is a list.
func (p property) param(name string) (value string, ok bool) {
	for rest := p.params; rest != ""; {
		rest = rest[1:] // the semicolon
		param := rest
		if i := indexUnquoted(rest, ';'); i >= 0 {
			param, rest = rest[:i], rest[i:]
		} else {
			rest = ""
		}
		key, value, _ := strings.Cut(param, "=")
		if strings.EqualFold(strings.TrimSpace(key), name) {
			return strings.TrimSpace(strings.ReplaceAll(value, `"`, "")), true
		}
	}
	return "", false
}

func indexUnquoted(s string, c byte) int {
	quoted := false
	for i := range len(s) {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case s[i] == c && !quoted:
			return i
		}
	}
	return -1
}
