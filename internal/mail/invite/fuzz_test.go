package invite

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzInvite checks that for any texts the form is valid, the properties are those of every invite, and the values
// are the given ones.
func FuzzInvite(f *testing.F) {
	random := newHostile(6868)
	for range 20 {
		e := random.event()
		f.Add(e.Summary, e.Location, e.Description, e.Attendees[0].Name, e.Attendees[0].Email)
	}
	f.Add("", "", "", "", "")
	f.Add("\r\n END:VEVENT", `\`, `\n`, `"\`, "a@b")
	f.Add("\xff", strings.Repeat("é", 80), strings.Repeat(",", 80), "^^n^\x00n\\\x00", "\r\n%0D")
	f.Fuzz(func(t *testing.T, summary, location, description, name, email string) {
		e := plainEvent()
		e.Summary, e.Location, e.Description, e.Attendees = summary, location, description, []Person{{name, email}}
		ics := e.Bytes()
		checkForm(t, ics)
		checkValues(t, e, parse(t, ics))
	})
}

// checkForm checks the lines only: CRLF, at most 75 octets, valid UTF-8.
func checkForm(t *testing.T, ics []byte) {
	t.Helper()
	whole, ok := bytes.CutSuffix(ics, []byte("\r\n"))
	if !ok || !utf8.Valid(ics) {
		t.Fatalf("does not end in CRLF, or is not valid UTF-8: %q", ics)
	}
	for line := range bytes.SplitSeq(whole, []byte("\r\n")) {
		if len(line) == 0 || len(line) > 75 || !utf8.Valid(line) ||
			bytes.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\t' }) {
			t.Fatalf("a line of %d octets: %q", len(line), line)
		}
	}
}

type property struct{ name, params, value string }

// parse is a strict parser. It knows only RFC 5545 and nothing about how invites are written.
func parse(t *testing.T, ics []byte) (all []property) {
	t.Helper()
	unfolded := strings.ReplaceAll(string(ics), "\r\n ", "")
	for line := range strings.SplitSeq(strings.TrimSuffix(unfolded, "\r\n"), "\r\n") {
		colon, inQuotes := -1, false
		for i := 0; i < len(line) && colon < 0; i++ {
			switch {
			case line[i] == '"':
				inQuotes = !inQuotes
			case line[i] == ':' && !inQuotes:
				colon = i
			}
		}
		if colon < 0 {
			t.Fatalf("no property: %q", line)
		}
		name, params, _ := strings.Cut(line[:colon], ";")
		all = append(all, property{name, params, line[colon+1:]})
	}
	return all
}

func checkValues(t *testing.T, e *Event, got []property) {
	t.Helper()
	names := strings.Fields("BEGIN VERSION PRODID CALSCALE METHOD BEGIN UID SEQUENCE DTSTAMP CREATED LAST-MODIFIED " +
		"DTSTART DTEND STATUS TRANSP " +
		"SUMMARY LOCATION DESCRIPTION URL ORGANIZER ATTENDEE END END")
	texts := map[string]string{"SUMMARY": e.Summary, "LOCATION": e.Location, "DESCRIPTION": e.Description}
	for name, given := range texts {
		if name != "SUMMARY" && strings.TrimSpace(clean(given)) == "" {
			names = slices.DeleteFunc(names, func(n string) bool { return n == name })
		}
	}
	for i, p := range got {
		if i >= len(names) || p.name != names[i] {
			t.Fatalf("property %d is %q, want %q", i, p, names)
		}
		if given, ok := texts[p.name]; ok && (p.params != "" || unescape(t, p.value) != clean(given)) {
			t.Errorf("%q for %q", p, given)
		}
		if p.name == "ATTENDEE" {
			checkAttendee(t, e.Attendees[0], p)
		}
	}
	if len(got) != len(names) {
		t.Fatalf("%d properties, want %q", len(got), names)
	}
}

func unescape(t *testing.T, value string) string {
	t.Helper()
	var out strings.Builder
	for i := 0; i < len(value); i++ {
		c := value[i]
		if c == ',' || c == ';' {
			t.Fatalf("%c stands bare in %q", c, value)
		}
		if c == '\\' {
			i++
			if i == len(value) || !strings.ContainsRune(`\,;n`, rune(value[i])) {
				t.Fatalf("a broken escape in %q", value)
			}
			c = value[i]
			if c == 'n' {
				c = '\n'
			}
		}
		out.WriteByte(c)
	}
	return out.String()
}

func checkAttendee(t *testing.T, given Person, p property) {
	t.Helper()
	name, ok := strings.CutPrefix(p.params, `CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE;CN="`)
	name, closed := strings.CutSuffix(name, `"`)
	if !ok || !closed || strings.Contains(name, `"`) || strings.HasSuffix(name, `\`) {
		t.Fatalf("%q", p.params)
	}
	rfc6868 := strings.NewReplacer("^^", "^", "^n", "\n", "^'", `"`)
	if name != displayName(given.Name) || rfc6868.Replace(name) != name {
		t.Errorf("%q for the name %q", name, given.Name)
	}
	if address(t, p.value) != given.Email || strings.ContainsAny(p.value, "?&#/=;,") {
		t.Errorf("%q for the address %q", p.value, given.Email)
	}
}
