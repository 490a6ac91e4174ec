package calendar

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// FuzzBusy holds for any file: no panic, an error gives nothing, every span has length, and line ends change nothing.
func FuzzBusy(f *testing.F) {
	outlook, err := os.ReadFile("testdata/outlook.ics")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(outlook))
	f.Add(ics(tenToEleven, "DTSTART;VALUE=DATE:20300108\nDTEND;VALUE=DATE:20300107"))
	f.Add(ics("DTSTART;TZID=\"Mars\":20301103T013000\nDURATION:P1DT2H\nATTENDEE;CN=\"a;b\";PARTSTAT=DECLINED:mailto:x"))
	f.Add(ics("DTSTART;TZID=Europe/Berlin:20300331T023000\nDURATION:-PT15M\nBEGIN:VALARM\nEND:VALARM"))
	reader := newYork(f)
	f.Fuzz(func(t *testing.T, text string) {
		busy, warnings, err := reader.Busy(strings.NewReader(text))
		if err != nil {
			if busy != nil || warnings != nil {
				t.Errorf("something beside the error %v", err)
			}
			return
		}
		for _, s := range busy {
			if !s.Start.Before(s.End) {
				t.Errorf("%s has no length", show([]Span{s}))
			}
		}
		if !slices.IsSortedFunc(busy, func(a, b Span) int { return a.Start.Compare(b.Start) }) {
			t.Errorf("not in order: %s", show(busy))
		}
		again, _, err := reader.Busy(strings.NewReader(strings.ReplaceAll(text, "\n", "\r\n")))
		if err != nil || show(again) != show(busy) {
			t.Errorf("with CRLF: %s, %v; with LF: %s", show(again), err, show(busy))
		}
	})
}
