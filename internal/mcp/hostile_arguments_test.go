package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"slotd/internal/web/webtest"

	"slotd"
)

// validArguments holds valid arguments of each tool, as raw JSON.
var validArguments = map[string]map[string]string{
	"list_public_event_types": {"workspace": `"acme"`},
	"get_availability": {"workspace": `"acme"`, "event_type": `"intro"`, "start_date": `"2027-02-01"`,
		"days": `7`},
	"create_booking": {"event_type": `"intro"`, "slot_start": `"2027-02-02T10:00:00Z"`,
		"attendee_name":  `"Grace Okafor"`,
		"attendee_email": `"grace@example.com"`, "attendee_time_zone": `"Europe/Berlin"`, "notes": `"x"`},
	"reschedule_booking": {"booking_id": `"` + nowhere + `"`, "slot_start": `"2027-02-02T10:00:00Z"`},
	"cancel_booking":     {"booking_id": `"` + nowhere + `"`},
}

// with returns a tool's valid arguments with one of them replaced. The value "" leaves it out.
func with(tool, argument, value string) string {
	members := []string{}
	for name, v := range validArguments[tool] {
		if name == argument {
			v = value
		}
		if v != "" {
			members = append(members, fmt.Sprintf("%q:%s", name, v))
		}
	}
	slices.Sort(members)
	return "{" + strings.Join(members, ",") + "}"
}

func quoted(values ...string) (out []string) {
	for _, v := range values {
		text, _ := json.Marshal(v)
		out = append(out, string(text))
	}
	return out
}

var (
	wrongKinds = []string{`1`, `1.5`, `true`, `false`, `[]`, `{}`, `["acme"]`, `{"a":"b"}`, `-0`, `1e400`}
	wrongSlugs = quoted("", "-a", "a-", "-", "Acme", "acme ", " acme", "ac me", "a/b", "../acme", "acme\x00", "acmé",
		strings.Repeat("a", 65), strings.Repeat("a", 60_000), "acme\n", "%61cme", "a_b", "a.b",
		"'; DROP TABLE bookings; --")
	wrongDates = quoted("", "2027-2-1", "2027-02-30", "2027-13-01", "27-02-01", "20270201", "2027/02/01",
		"2027-02-01T00:00:00Z", "1999-12-31", "2101-01-01", "today", " 2027-02-01", "2027-02-01 ", "2027-02-01\x00",
		"+2027-02-01", "-027-02-01", "２０２７-02-01")
	wrongDays = []string{`0`, `31`, `-1`, `-0`, `7.0`, `1e1`, `0.5`, `"7"`, `true`, `[]`, `{}`,
		`99999999999999999999`, `-99999999999999999999`, `1e400`}
	wrongIDs = quoted("", "x", nowhere+"0", nowhere[1:], "{"+nowhere+"}", "urn:uuid:"+nowhere,
		strings.ReplaceAll(nowhere, "-", ""), strings.Replace(nowhere, "0", "g", 1), " "+nowhere[1:], nowhere+"\x00",
		strings.ReplaceAll(nowhere, "-", "–"), strings.Repeat("0", 36))
	wrongNames = quoted("", " ", "\t", "\u00a0", strings.Repeat("a", 201), strings.Repeat("é", 201), "a\nb", "a\rb",
		"a\tb", "a\x00b", "a\x1bb", "a\u007fb", "a\u0085b", "http://evil.example", "see https://x", "a://", "://",
		strings.Repeat("a", 60_000))
	wrongEmails = quoted("", "grace", "grace@", "@example.com", "grace@example", "a b@example.com",
		"grace@exa mple.com", "grace@@example.com", "Grace <grace@example.com>", "<grace@example.com>",
		"grace@example.com, b@example.com", "grace@example.com\n", "grace@example.com\r\nBcc: x@example.com",
		"grace@example.com\x00", "gracé@example.com", "grace@exämple.com", "grace@-example.com", "grace@example..com",
		"grace@[127.0.0.1]", `"grace o"@example.com`, strings.Repeat("a", 243)+"@example.com",
		strings.Repeat("a", 60_000)+"@example.com", ".grace@example.com", "grace.@example.com",
		"mailto:grace@example.com", "grace@example.com ")
	wrongZones = quoted("", "Local", "local", "localtime", "posixrules", "right/UTC", "posix/UTC", "america/new_york",
		"AMERICA/NEW_YORK", "America", "America/", "/America/New_York", "../UTC", "America/../UTC", "./UTC", ".",
		"UTC\x00", "Europe/Berlin ", "UTC+2", "+02:00", "GMT+25", "Mars/Olympus", "Factory", "+VERSION", "tzdata.zi",
		"zone.tab", "zone1970.tab", "iso3166.tab", "leapseconds", "Europe\\Berlin", strings.Repeat("A/", 20_000),
		"C:/Windows")
	wrongNotes = quoted(strings.Repeat("a", 5001), strings.Repeat("é", 5001), "a\x00b", "a\x1b[31m", "a\rb", "a\u007f",
		"a\u0085b", "a\bb", strings.Repeat("a", 60_000))
	wrongStarts = quoted("", "now", "2027-02-01", "2027-02-01T15:00:00", "2027-02-01 15:00:00Z",
		"2027-02-01T15:00:00+24:00", "2027-06-31T00:00:00Z", "1999-12-31T23:59:59Z", "2101-01-01T00:00:00Z",
		"1801494000", "2027-02-01T15:00:00Z\x00", strings.Repeat("2", 60_000))
)

var wrongValues = map[string][]string{
	"workspace": wrongSlugs, "event_type": wrongSlugs, "start_date": wrongDates, "days": wrongDays,
	"booking_id": wrongIDs, "slot_start": wrongStarts,
	"attendee_name": wrongNames, "attendee_email": wrongEmails, "attendee_time_zone": wrongZones, "notes": wrongNotes,
}

var optional = []string{"start_date", "days", "notes"}

func TestHostileArguments_AreRefusedByNameAndWriteNothing(t *testing.T) {
	w := lite(t)
	before := w.Counts()
	for tool, arguments := range validArguments {
		for argument := range arguments {
			values := slices.Clone(wrongValues[argument])
			if argument != "days" {
				values = append(values, wrongKinds...)
			}
			if !slices.Contains(optional, argument) {
				values = append(values, "null", "")
			}
			for _, value := range values {
				e := w.call(tool, with(tool, argument, value)).Fails(slotd.InvalidArgument)
				message := e["message"].(string)
				if !strings.Contains(message, argument) || !strings.Contains(message, "right value") ||
					len(message) > 400 {
					t.Errorf("%s %s %.60s: %s", tool, argument, value, message)
				}
			}
		}
		for _, name := range []string{"extra", "Workspace", "booking_id ", "days\x00", "", "__proto__", "token",
			strings.Repeat("x", 3000)} {
			more := strings.TrimSuffix(with(tool, "", ""), "}") + "," + quoted(name)[0] + ":null}"
			e := w.call(tool, more).Fails(slotd.InvalidArgument)
			if len(e["message"].(string)) > 400 {
				t.Errorf("%s: %v", tool, e)
			}
		}
	}
	if after := w.Counts(); after != before {
		t.Errorf("something was written: %v, %v", before, after)
	}
}

func TestHostileJSON_InArgumentsIsAParseError(t *testing.T) {
	w := lite(t)
	before := w.Counts()
	for tool, arguments := range validArguments {
		for argument := range arguments {
			for _, value := range []string{"\"\xff\"", "\"a\xc3\"", "\"\xed\xa0\x80\"", `"\ud800"`, `"\udc00\ud800"`,
				`"\u12"`, `"\x41"`, "\"a\nb\"", "\"\x00\"", `"unended`, `1,"` + argument + `":2`, `NaN`, `01`,
				strings.Repeat("[", 30) + strings.Repeat("]", 30)} {
				w.post(webtest.ToolCall(tool, with(tool, argument, value)), "Authorization",
					"Bearer "+w.token).wantProtocolError(t, 400, -32700, "null")
			}
			// One level less is accepted as JSON: params, arguments and 29 arrays.
			deep := strings.Repeat("[", 29) + strings.Repeat("]", 29)
			w.call(tool, with(tool, argument, deep)).Fails(slotd.InvalidArgument)
		}
	}
	if after := w.Counts(); after != before {
		t.Errorf("something was written: %v, %v", before, after)
	}
}

func TestValuesAtTheirBounds_AreTaken(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		long := strings.Repeat("a", 64) + "@" + strings.Repeat(strings.Repeat("b", 61)+".", 3) + "cc" // 253
		for i, c := range []struct{ argument, value string }{
			{"attendee_name", strings.Repeat("é", 200)}, {"attendee_name", "O'Brien-Łukasz \"Zoë\" <b>&😀"},
			{"attendee_name", "a: //b"}, {"attendee_email", long},
			{"attendee_email", "o'brien+tag@sub.example.co"}, {"attendee_time_zone", "UTC"},
			{"attendee_time_zone", "America/Argentina/ComodRivadavia"},
			{"attendee_time_zone", "Etc/GMT+12"}, {"notes", strings.Repeat("😀", 5000)}, {"notes", ""},
			{"notes", "a\tb\nc\r\nd"}, {"notes", "'; DROP TABLE bookings; --"},
		} {
			start := fmt.Sprintf(`"2027-02-0%dT%02d:00:00Z"`, 2+i/8, 9+i%8)
			arguments := strings.Replace(with("create_booking", c.argument, quoted(c.value)[0]),
				`"2027-02-02T10:00:00Z"`, start, 1)
			w.call("create_booking", arguments).OK()
		}
		w.call("create_booking", with("create_booking", "notes", "null")).Fails(slotd.SlotUnavailable, "alternatives",
			"booking_id")
		for _, days := range []string{"1", "30", "null"} {
			w.call("get_availability", with("get_availability", "days", days)).OK()
		}
		w.call("get_availability", with("get_availability", "start_date", `"2028-02-29"`)).OK()
	})
}
