package ical

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestBusy_WhichEventsTakeTime(t *testing.T) {
	for name, c := range map[string]struct {
		lines string
		free  bool
	}{
		"plain":                        {"SUMMARY:Lunch", false},
		"opaque":                       {"TRANSP:OPAQUE", false},
		"transparent":                  {"TRANSP:TRANSPARENT", true},
		"transparent in small letters": {"transp:transparent ", true},
		"transparent and opaque":       {"TRANSP:TRANSPARENT\nTRANSP:OPAQUE", false},
		"transparent without a colon":  {"TRANSP TRANSPARENT", false},
		"transparent in an alarm":      {"BEGIN:VALARM\nTRANSP:TRANSPARENT\nSTATUS:CANCELLED\nEND:VALARM", false},
		"canceled":                     {"STATUS:CANCELLED", true},
		"tentative":                    {"STATUS:TENTATIVE", false},
		"an unknown status":            {"STATUS:MAYBE", false},
		"Outlook free":                 {"X-MICROSOFT-CDO-BUSYSTATUS:FREE", true},
		"Outlook away":                 {"X-MICROSOFT-CDO-BUSYSTATUS:OOF", false},
		"Outlook's intended status":    {"X-MICROSOFT-CDO-INTENDEDSTATUS:FREE", false},
		"declined":                     {"ATTENDEE;PARTSTAT=DECLINED:mailto:ada@acme.example", true},
		"declined, other letters":      {"attendee;partstat=declined:MAILTO:Ada@ACME.example", true},
		"declined, quoted and folded": {"ATTENDEE;CN=\"Park; A: \";PARTSTAT=DECL\n INED:mailto:ada@acme.exa\n\tmple",
			true},
		"declined, address in EMAIL":  {"ATTENDEE;EMAIL=ada@acme.example;PARTSTAT=DECLINED:/principals/17/", true},
		"accepted":                    {"ATTENDEE;PARTSTAT=ACCEPTED:mailto:ada@acme.example", false},
		"not answered":                {"ATTENDEE:mailto:ada@acme.example", false},
		"declined by another":         {"ATTENDEE;PARTSTAT=DECLINED:mailto:bob@acme.example", false},
		"declined by a longer name":   {"ATTENDEE;PARTSTAT=DECLINED:mailto:xada@acme.example", false},
		"declined in the name only":   {`ATTENDEE;CN="x;PARTSTAT=DECLINED":mailto:ada@acme.example`, false},
		"declined and accepted":       {"ATTENDEE;PARTSTAT=DECLINED:mailto:ada@acme.example\nATTENDEE;PARTSTAT=ACCEPTED:mailto:ada@acme.example", false},
		"attendee without a colon":    {"ATTENDEE;PARTSTAT=DECLINED", false},
		"attendee with an open quote": {"ATTENDEE;CN=\"Ada;PARTSTAT=DECLINED:mailto:ada@acme.example", false},
	} {
		t.Run(name, func(t *testing.T) {
			want := asSpan
			if c.free {
				want = ""
			}
			wantBusy(t, newYork(t), ics(tenToEleven+"\n"+c.lines), want)
		})
	}
}

func TestBusy_OwnerWithoutAnAddressDeclinesNothing(t *testing.T) {
	r := newYork(t)
	r.OwnerEmail = ""
	wantBusy(t, r, ics(tenToEleven+"\nATTENDEE;PARTSTAT=DECLINED:mailto:"), asSpan)
}

func TestBusy_SortsByStart(t *testing.T) {
	wantBusy(t, newYork(t), ics("DTSTART:20300109T100000Z\nDURATION:PT1H", tenToEleven),
		asSpan+" 2030-01-09T10:00:00Z/2030-01-09T11:00:00Z")
}

func TestBusy_ReadsAFileAsOutlookWritesIt(t *testing.T) {
	text, err := os.ReadFile("testdata/outlook.ics")
	if err != nil {
		t.Fatal(err)
	}
	if w := wantBusy(t, newYork(t), string(text), "2030-01-08T10:00:00Z/2030-01-08T10:30:00Z"); len(w) > 0 {
		t.Errorf("warnings: %q", w)
	}
}

func TestBusy_TakesFilesThatAreUnusual(t *testing.T) {
	for name, text := range map[string]string{
		"CRLF":                  strings.ReplaceAll(ics(tenToEleven), "\n", "\r\n"),
		"CR CR LF":              strings.ReplaceAll(ics(tenToEleven), "\n", "\r\r\n"),
		"byte order mark":       "\ufeff" + ics(tenToEleven),
		"blank lines":           "\r\n\n" + strings.ReplaceAll(ics(tenToEleven), "\n", "\n\n"),
		"small letters":         strings.ToLower(ics(tenToEleven)),
		"no newline at the end": strings.TrimSpace(ics(tenToEleven)),
		"two calendars":         ics() + ics(tenToEleven),
		"a cache's remark":      ics(tenToEleven) + "<!-- cached page -->\n",
		"unknown things": ics("X-ODD;;=;\"\nX\n:\nNOTES no colon\n" + tenToEleven +
			"\nBEGIN:X-THING\nDTSTART:?\nEND:X-THING"),
		"a zone in a thing": ics(tenToEleven +
			"\nBEGIN:X-THING\nBEGIN:VTIMEZONE\nTZID:X\nBEGIN:STANDARD\nDTSTART:?\nEND:STANDARD\nEND:VTIMEZONE\nEND:X-THING"),
		"text that broke off": ics("DESCRIPTION:We will\nStatus unclear, end open\n" + tenToEleven),
	} {
		t.Run(name, func(t *testing.T) { wantBusy(t, newYork(t), text, asSpan) })
	}
}

func TestBusy_EmptyCalendarIsFree(t *testing.T) {
	wantBusy(t, newYork(t), ics(), "")
}

func TestBusy_RefusesWhatIsNoCalendar(t *testing.T) {
	for name, text := range map[string]string{
		"empty":              "",
		"blank":              " \r\n\r\n",
		"web page":           "<!DOCTYPE html>\n<html>BEGIN:VCALENDAR</html>\n",
		"page around":        "<pre>\n" + ics(tenToEleven) + "</pre>\n",
		"JSON":               `{"error":"no"}`,
		"a card":             "BEGIN:VCARD\nEND:VCARD\n",
		"a bare event":       "BEGIN:VEVENT\n" + tenToEleven + "\nEND:VEVENT\n",
		"UTF-16":             "\xff\xfeB\x00E\x00G\x00I\x00N\x00",
		"old Mac line ends":  strings.ReplaceAll(ics(tenToEleven), "\n", "\r"),
		"a property before ": "VERSION:2.0\n" + ics(tenToEleven),
	} {
		t.Run(name, func(t *testing.T) { wantError(t, newYork(t), text, "isn't an iCalendar file") })
	}
}

func TestBusy_RefusesDamagedFiles(t *testing.T) {
	whole := ics(tenToEleven)
	for name, c := range map[string]struct{ text, want string }{
		"cut in an event":      {whole[:strings.Index(whole, "DTEND")], `breaks off inside "VEVENT"`},
		"cut before the end":   {strings.TrimSuffix(whole, "END:VCALENDAR\n"), `breaks off inside "VCALENDAR"`},
		"an END lost":          {strings.Replace(whole, "END:VEVENT\n", "", 1), "Line 6: END"},
		"a BEGIN lost":         {strings.Replace(whole, "BEGIN:VEVENT\n", "", 1), "Line 5: END"},
		"an event in an event": {ics("BEGIN:VEVENT\nEND:VEVENT"), "Line 4:"},
		"an event outside":     {ics() + "BEGIN:VEVENT\nEND:VEVENT\n", "Line 4:"},
		"a calendar in one":    {"BEGIN:VCALENDAR\n" + whole, "Line 2:"},
		"nested without end":   {"BEGIN:VCALENDAR\n" + strings.Repeat("BEGIN:X\n", 1_000_000), "Line 17:"},
		"free/busy only": {"BEGIN:VCALENDAR\nBEGIN:VFREEBUSY\nEND:VFREEBUSY\nEND:VCALENDAR\n",
			"Line 2: this calendar lists busy periods"},
		"no start": {ics("DTEND:20300108T110000Z"), "Line 3: the event has no DTSTART"},
		"two starts": {ics(tenToEleven + "\nDTSTART:20300108T090000Z"),
			"Line 6: the event has more than one DTSTART"},
		"two ends": {ics(tenToEleven + "\nDTEND:20300108T120000Z"), "more than one DTEND"},
		"an end and a length": {ics(tenToEleven + "\nDURATION:PT2H"),
			"Line 6: the event has a DTEND and a DURATION"},
		"a day and an hour": {ics("DTSTART:20300108\nDTEND:20300108T110000Z"), "Line 5: only one"},
		"an hour and a day": {ics("DTSTART:20300108T100000Z\nDTEND:20300109"), "Line 5: only one"},
		"an end without a colon": {ics("DTSTART:20300108T100000Z\nDTEND 20300108T110000Z"),
			"Line 5: DTEND isn't valid iCalendar"},
		"an end with an open quote": {ics("DTSTART:20300108T100000Z\nDTEND;TZID=\"X:20300108T110000Z"),
			"Line 5: DTEND isn't valid iCalendar"},
		"a day with a time": {ics("DTSTART;VALUE=DATE:20300108T100000"), "Line 4: DTSTART isn't a time"},
	} {
		t.Run(name, func(t *testing.T) { wantError(t, newYork(t), c.text, c.want) })
	}
}

func TestBusy_RefusesTimesItCannotRead(t *testing.T) {
	for _, start := range []string{
		"", "soon", "2030-01-08T10:00:00Z", "20300108T100000+0100", "20300230", "20301301", "20300100",
		"20300108T250000Z", "20300108T240001Z",
		"20300108T106000Z", "20300108T100061Z", "20300108T1000Z", "+0300108", "20300108T-10000Z", "20300108X100000Z",
		"20300108T100000ZZ", "２０",
	} {
		wantError(t, newYork(t), ics("DTSTART:"+start+"\nDURATION:PT1H"), "Line 4: DTSTART isn't a time")
	}
	for _, length := range []string{
		"", "P", "PT", "1H", "P1H", "PT1D", "PT1", "P1DT", "P-1D", "PTH", "P1.5D", "P100001D", "PT9999999999S", "P1M",
		"--P1D", "PT1H\"",
		"PT" + strings.Repeat("4294967295H", 900_000),
	} {
		wantError(t, newYork(t), ics("DTSTART:20300108T100000Z\nDURATION:"+length), "Line 5: DURATION isn't a length")
	}
}

func TestBusy_ErrorsAndWarningsDoNotQuoteTitles(t *testing.T) {
	_, _, err := newYork(t).Busy(strings.NewReader(ics("SUMMARY:Therapy\n" + tenToEleven + "\nRRULE:FREQ=NEVER")))
	if err == nil || strings.Contains(err.Error(), "Therapy") {
		t.Errorf("got %v", err)
	}
}

func TestBusy_Bounds(t *testing.T) {
	many := slices.Repeat([]string{tenToEleven}, maxEvents)
	if busy, _, err := newYork(t).Busy(strings.NewReader(ics(many...))); err != nil || len(busy) != maxEvents {
		t.Errorf("%d spans and %v, want %d", len(busy), err, maxEvents)
	}
	wantError(t, newYork(t), ics(append(many, tenToEleven)...), "more than 20,000 events")
	wantError(t, newYork(t), ics(tenToEleven+strings.Repeat("\nATTENDEE:x", maxProperties)),
		"Line 3: this event has more than 10,000")

	fits := ics(tenToEleven)
	fits += strings.Repeat("\n", maxBytes-len(fits))
	wantBusy(t, newYork(t), fits, asSpan)
	wantError(t, newYork(t), fits+"\n", "larger than 10 MiB")
}

func TestBusy_ReadingThatBreaksOffIsAnError(t *testing.T) {
	lost := errors.New("connection reset")
	half := io.MultiReader(strings.NewReader(ics(tenToEleven)), iotest.ErrReader(lost))
	if busy, _, err := newYork(t).Busy(half); !errors.Is(err, lost) || busy != nil {
		t.Errorf("got %s and %v", show(busy), err)
	}
}

func TestBusy_OwnerWithoutAZoneIsAnError(t *testing.T) {
	wantError(t, Reader{}, ics(tenToEleven), "no time zone")
}

func TestBusy_KeepsTheFirstWarnings(t *testing.T) {
	backwards := "DTSTART:20300108T100000Z\nDTEND:20300108T090000Z"
	_, warnings, err := newYork(t).Busy(strings.NewReader(ics(slices.Repeat([]string{backwards}, 100)...)))
	if err != nil || len(warnings) != maxWarnings+1 || warnings[maxWarnings] != "There are 80 more problems like these." {
		t.Errorf("%d warnings, the last %q, %v", len(warnings), warnings[len(warnings)-1], err)
	}
}
