package invite

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

var booking = uuid.MustParse("0198c2f4-7a3e-7c11-9d52-3f6f0c7f9b1e")

func plainEvent() *Event {
	newYork := time.FixedZone("EST", -5*3600)
	return &Event{
		Method:      Request,
		UID:         UID(booking),
		Sequence:    2,
		Stamp:       time.Date(2027, 2, 1, 8, 0, 0, 999e6, time.UTC),
		Created:     time.Date(2027, 1, 31, 7, 30, 15, 0, time.UTC),
		Start:       time.Date(2027, 3, 4, 20, 0, 0, 0, newYork),
		End:         time.Date(2027, 3, 4, 20, 30, 0, 0, newYork),
		Summary:     "Intro call",
		Location:    "1 Main St, New York",
		Description: "Two lines:\nthis; and that",
		URL:         "https://meet.example/ada?x=1,2;3",
		Organizer:   Person{"Ada Park", "ada@acme.example"},
		Attendees:   []Person{{"Bo Li", "bo@guest.example"}, {"Cy", "cy@guest.example"}},
	}
}

func TestRequest_HoldsTheWholeBooking(t *testing.T) {
	want := []string{
		"BEGIN:VCALENDAR",
		"VERSION:2.0",
		"PRODID:-//slotd//slotd//EN",
		"CALSCALE:GREGORIAN",
		"METHOD:REQUEST",
		"BEGIN:VEVENT",
		"UID:0198c2f4-7a3e-7c11-9d52-3f6f0c7f9b1e@slotd",
		"SEQUENCE:2",
		"DTSTAMP:20270201T080000Z",
		"CREATED:20270131T073015Z",
		"LAST-MODIFIED:20270201T080000Z",
		"DTSTART:20270305T010000Z",
		"DTEND:20270305T013000Z",
		"STATUS:CONFIRMED",
		"TRANSP:OPAQUE",
		"SUMMARY:Intro call",
		`LOCATION:1 Main St\, New York`,
		`DESCRIPTION:Two lines:\nthis\; and that`,
		"URL:https://meet.example/ada?x=1,2;3",
		`ORGANIZER;CN="Ada Park":mailto:ada@acme.example`,
		"ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALS",
		` E;CN="Bo Li":mailto:bo@guest.example`,
		"ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALS",
		` E;CN="Cy":mailto:cy@guest.example`,
		"END:VEVENT",
		"END:VCALENDAR",
		"",
	}
	got := string(plainEvent().Bytes())
	if diff := cmp.Diff(want, strings.Split(got, "\r\n")); diff != "" {
		t.Error(diff)
	}
}

// written returns the event's lines, unfolded.
func written(e *Event) []string {
	return strings.Split(strings.ReplaceAll(string(e.Bytes()), "\r\n ", ""), "\r\n")
}

// valuesOf returns the lines of the property without its name.
func valuesOf(e *Event, name string) (values []string) {
	for _, line := range written(e) {
		if rest, ok := strings.CutPrefix(line, name); ok && (rest[0] == ':' || rest[0] == ';') {
			values = append(values, rest[1:])
		}
	}
	return values
}

func TestMethod_DecidesStatusAndAttendees(t *testing.T) {
	for _, c := range []struct {
		method    Method
		status    string
		attendees int
	}{{Request, "CONFIRMED", 2}, {Cancel, "CANCELLED", 2}, {Publish, "CONFIRMED", 0}} {
		e := plainEvent()
		e.Method = c.method
		if got := valuesOf(e, "METHOD"); !cmp.Equal(got, []string{string(c.method)}) {
			t.Errorf("METHOD %q", got)
		}
		if got := valuesOf(e, "STATUS"); !cmp.Equal(got, []string{c.status}) {
			t.Errorf("%s: STATUS %q", c.method, got)
		}
		if got := len(valuesOf(e, "ATTENDEE")); got != c.attendees {
			t.Errorf("%s: %d attendees", c.method, got)
		}
	}
}

func TestWhatIsBlank_IsLeftOut(t *testing.T) {
	for _, blank := range []string{"", "  ", "\t", "\n \n", "\x00", "\u2028"} {
		e := plainEvent()
		e.Location, e.Description, e.URL = blank, blank, ""
		for _, name := range []string{"LOCATION", "DESCRIPTION", "URL"} {
			if got := valuesOf(e, name); got != nil {
				t.Errorf("%q: %s %q", blank, name, got)
			}
		}
	}
}

func TestText_IsEscaped(t *testing.T) {
	for given, want := range map[string]string{
		`a,b;c:d"e'f`:              `a\,b\;c:d"e'f`,
		`back\slash`:               `back\\slash`,
		`\n and \, are no escape`:  `\\n and \\\, are no escape`,
		"two\nlines\n":             `two\nlines\n`,
		"tab\tstays":               "tab\tstays",
		"cr\r\nlf, cr\ralone":      `cr\nlf\, cralone`,
		"\x00nul\x1b\x7f\u0085":    "nul",
		"x\nEND:VEVENT\nBEGIN:X":   `x\nEND:VEVENT\nBEGIN:X`,
		"x\r\n ATTENDEE:mailto:y":  `x\n ATTENDEE:mailto:y`,
		" leading, trailing ":      ` leading\, trailing `,
		"\u2028\u2029\u202e\ufeff": "\u2028\u2029\u202e\ufeff",
		"bad \xff\xc3 UTF-8":       "bad \ufffd\ufffd UTF-8",
		"<script>🦊 e\u0301":        "<script>🦊 e\u0301",
	} {
		e := plainEvent()
		e.Summary, e.Location, e.Description = given, given, given
		for _, name := range []string{"SUMMARY", "LOCATION", "DESCRIPTION"} {
			if got := valuesOf(e, name); !cmp.Equal(got, []string{want}) {
				t.Errorf("%s of %q: %q, want %q", name, given, got, want)
			}
		}
	}
}

func TestName_IsTheSameToEveryReader(t *testing.T) {
	for given, want := range map[string]string{
		"Ada; Park, Ph.D.: x":  "Ada; Park, Ph.D.: x",
		`Robert "Bob" Smith`:   "Robert 'Bob' Smith",
		`DOMAIN\user`:          `DOMAIN\user`,
		`ends in \`:            "ends in ∖",
		`ends in \\`:           `ends in \∖`,
		"\\\x00":               `\ `,
		"^_^":                  "^_^",
		"x^":                   "x^",
		"a^nb^'c^^d":           "aˆnbˆ'cˆˆd",
		`^"`:                   "ˆ'",
		"^^n^^^n":              "ˆˆnˆˆˆn",
		"^\x00n":               "^ n",
		"a\r\nb\tc":            "a  b c",
		"\xff":                 "\ufffd",
		"":                     "",
		`":mailto:x@y.example`: "':mailto:x@y.example",
	} {
		e := plainEvent()
		e.Organizer.Name = given
		want = `CN="` + want + `":mailto:ada@acme.example`
		if got := valuesOf(e, "ORGANIZER"); !cmp.Equal(got, []string{want}) {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
}

func TestAddress_IsAMailtoURI(t *testing.T) {
	for given, want := range map[string]string{
		"o'neil+a-b_c.d~e@x.example": "o'neil+a-b_c.d~e@x.example",
		"!$*@x.example":              "!$*@x.example",
		"100%@x.example":             "100%25@x.example",
		"a%40b@x.example":            "a%2540b@x.example",
		"a?cc=b&c#d/e@x.example":     "a%3Fcc%3Db%26c%23d%2Fe@x.example",
		"^`{|}@x.example":            "%5E%60%7B%7C%7D@x.example",
		"a\r\nATTENDEE:b,c@é.x":      "a%0D%0AATTENDEE%3Ab%2Cc@%C3%A9.x",
	} {
		e := plainEvent()
		e.Organizer.Email = given
		want = `CN="Ada Park":mailto:` + want
		if got := valuesOf(e, "ORGANIZER"); !cmp.Equal(got, []string{want}) {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
}

func TestURL_CannotEndItsLine(t *testing.T) {
	e := plainEvent()
	e.URL = "https://x.example/\r\nX:\xff é"
	if got := valuesOf(e, "URL"); !cmp.Equal(got, []string{"https://x.example/%0D%0AX:%FF%20%C3%A9"}) {
		t.Errorf("%q", got)
	}
}

func TestLine_IsFoldedAt75OctetsBetweenRunes(t *testing.T) {
	const head = "SUMMARY:" // 8 octets
	a := func(n int) string { return strings.Repeat("a", n) }
	for _, c := range []struct{ given, want string }{
		{a(66), head + a(66)},
		{a(67), head + a(67)},
		{a(68), head + a(67) + "\r\n a"},
		{a(67 + 74), head + a(67) + "\r\n " + a(74)},
		{a(67 + 75), head + a(67) + "\r\n " + a(74) + "\r\n a"},
		{a(65) + "é", head + a(65) + "é"},
		{a(66) + "é", head + a(66) + "\r\n é"},
		{a(63) + "🦊", head + a(63) + "🦊"},
		{a(64) + "🦊", head + a(64) + "\r\n 🦊"},
		{a(66) + "🦊", head + a(66) + "\r\n 🦊"},
		{a(67) + " b", head + a(67) + "\r\n  b"},
		{a(66) + ",b", head + a(66) + "\\\r\n ,b"}, // an escape may be folded: unfolding comes first
		{a(67) + "\xff", head + a(67) + "\r\n \ufffd"},
	} {
		e := plainEvent()
		e.Summary = c.given
		if got := string(e.Bytes()); !strings.Contains(got, "\r\n"+c.want+"\r\nLOCATION") {
			t.Errorf("%q is written as\n%s", c.given, got)
		}
	}
}
