package ical

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestReduce_ChangesNoBusyTime(t *testing.T) {
	for _, path := range corpus(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			r, text := corpusReader(t), readTestFile(t, path)
			want := describeBusy(r, text)
			reduced, err := r.Reduce(text)
			if err != nil {
				if "error: "+err.Error()+"\n" != want || reduced != "" {
					t.Errorf("%v beside %q, want %s", err, reduced, want)
				}
				return
			}
			if got := describeBusy(r, reduced); withoutLines(got) != withoutLines(want) {
				t.Errorf("got\n%swant\n%sof\n%s", got, want, reduced)
			}
			if again, err := r.Reduce(reduced); err != nil || again != reduced {
				t.Errorf("a second time: %v\n%s\nafter\n%s", err, again, reduced)
			}
		})
	}
}

// withoutLines removes the line numbers of warnings.
func withoutLines(answer string) string {
	var lines []string
	for line := range strings.Lines(answer) {
		if warning, rest, found := strings.Cut(line, ": Line "); found {
			_, rest, _ = strings.Cut(rest, ":")
			line = warning + rest
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "")
}

func TestReduce_KeepsNoTitleAndNoPerson(t *testing.T) {
	for _, path := range corpus(t) {
		reduced, err := corpusReader(t).Reduce(readTestFile(t, path))
		if err != nil {
			continue
		}
		for line := range strings.Lines(reduced) {
			name := line[:strings.IndexAny(line, ":;")]
			if !slices.Contains([]string{
				"BEGIN", "END", "VERSION", "UID", "DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "EXRULE",
				"RECURRENCE-ID", "STATUS", "TRANSP",
				"X-MICROSOFT-CDO-BUSYSTATUS", "X-SLOTD-ID", "X-SLOTD-SERIES", "X-SLOTD-MASTER", "TZID", "TZOFFSETFROM",
				"TZOFFSETTO",
			}, name) {
				t.Errorf("%s: %s", path, line)
			}
		}
		if strings.Contains(reduced, "ada@") || strings.Contains(reduced, "Hidden") ||
			strings.Contains(reduced, "Secret") {
			t.Errorf("%s: %s", path, reduced)
		}
	}
}

func TestReduce_WritesWhatItKeeps(t *testing.T) {
	const zone = "BEGIN:VTIMEZONE\nTZID:%s\nX-LIC-LOCATION:Home\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZNAME:Secret\nTZOFFSETFROM:+0300\nTZOFFSETTO:+0300\n" +
		"END:STANDARD\nEND:VTIMEZONE\n"
	withZones := strings.Replace(ics("DTSTART;TZID=Office:20300108T100000"), "VERSION:2.0\n",
		"VERSION:2.0\n"+strings.ReplaceAll(zone, "%s", "Office")+strings.ReplaceAll(zone, "%s", "Not used")+
			strings.ReplaceAll(zone, "%s", "Europe/Berlin"), 1)
	for name, c := range map[string]struct{ text, want string }{
		"nothing": {"BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:Secret\nEND:VTODO\nEND:VCALENDAR",
			"BEGIN:VCALENDAR|VERSION:2.0|END:VCALENDAR|"},
		"declined": {ics("DTSTART:20300108\nTRANSP:OPAQUE\nATTENDEE;PARTSTAT=DECLINED:mailto:ada@acme.example"),
			reducedEvent("DTSTART;VALUE=DATE:20300108|TRANSP:TRANSPARENT|")},
		"statuses": {ics("DTSTART:20300108\nSTATUS:Secret\nTRANSP:secret\nX-MICROSOFT-CDO-BUSYSTATUS:oof"),
			reducedEvent("DTSTART;VALUE=DATE:20300108|STATUS:CONFIRMED|TRANSP:OPAQUE|X-MICROSOFT-CDO-BUSYSTATUS:OOF|")},
		"free, broken": {ics("DTSTART:Secret\nRRULE:Secret\nSTATUS:CANCELLED"), reducedEvent("STATUS:CANCELLED|")},
		"bad EXDATE": {ics("DTSTART:20300108\nEXDATE;X=Secret:Secret,20300109"),
			reducedEvent("DTSTART;VALUE=DATE:20300108|EXDATE;VALUE=DATE:20300109|")},
		"zones": {withZones, "BEGIN:VCALENDAR|VERSION:2.0|BEGIN:VTIMEZONE|TZID:Office|BEGIN:STANDARD|DTSTART:19700101T000000|TZOFFSETFROM:+0300|TZOFFSETTO:+0300|END:STANDARD|END:VTIMEZONE|" + strings.TrimPrefix(reducedEvent(`DTSTART;TZID="Office":20300108T100000|`), "BEGIN:VCALENDAR|VERSION:2.0|")},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := newYork(t).Reduce(c.text)
			if got := strings.ReplaceAll(got, "\r\n", "|"); err != nil || got != c.want {
				t.Errorf("%v\n got %s\nwant %s", err, got, c.want)
			}
		})
	}
}

func reducedEvent(lines string) string {
	return "BEGIN:VCALENDAR|VERSION:2.0|BEGIN:VEVENT|" + lines + "END:VEVENT|END:VCALENDAR|"
}
