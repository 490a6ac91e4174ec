package ical

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// FuzzBusy checks for any file: no panic, no result beside an error, no empty span, the same result for any line
// endings, a limited number of steps, and that Reduce changes no result and returns text that can be stored.
func FuzzBusy(f *testing.F) {
	files, err := filepath.Glob("testdata/corpus/*.ics")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range append(files, "testdata/outlook.ics") {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(ics(tenToEleven, "DTSTART;VALUE=DATE:20300108\nDTEND;VALUE=DATE:20300107"))
	f.Add(ics("DTSTART;TZID=\"Mars\":20301103T013000\nDURATION:P1DT2H\nATTENDEE;CN=\"a;b\";PARTSTAT=DECLINED:mailto:x"))
	f.Add(ics("DTSTART;TZID=Europe/Berlin:20300331T023000\nDURATION:-PT15M\nBEGIN:VALARM\nEND:VALARM"))
	r := corpusReader(f)
	f.Fuzz(func(t *testing.T, text string) {
		x := NewExpansion(r)
		err := x.Add(text)
		if x.budget.steps > maxSteps+daySeconds || x.budget.dates > maxDates+1 {
			t.Errorf("it cost %+v", x.budget)
		}
		reduced, reduceErr := r.Reduce(text)
		if err != nil {
			if events, warnings, _ := x.Events(); events != nil || warnings != nil || reduced != "" ||
				reduceErr.Error() != err.Error() {
				t.Errorf("something beside the error %v: %d events, %s, %v", err, len(events), reduced, reduceErr)
			}
			return
		}
		if !isStorable(reduced) {
			t.Errorf("PostgreSQL would not take %q", reduced)
		}
		busy := checkedSpans(t, x)
		if got := describeBusy(r, reduced); withoutLines(got) != withoutLines(describeBusy(r, text)) {
			t.Errorf("reduced to\n%s\nwhich is\n%s", reduced, got)
		}
		again, _, err := r.Busy(strings.NewReader(strings.ReplaceAll(text, "\n", "\r\n")))
		if err != nil || !slices.Equal(again, busy) {
			t.Errorf("with CRLF: %s, %v; with LF: %s", show(again), err, show(busy))
		}
	})
}

func checkedSpans(t *testing.T, x *Expansion) (busy []Span) {
	events, _, err := x.Events()
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range events {
		if !e.Start.Before(e.End) || !x.reader.overlaps(e.Span) || i > 0 && e.Start.Before(events[i-1].Start) {
			t.Errorf("%s has no length, lies outside or is not in order", show([]Span{e.Span}))
		}
		busy = append(busy, e.Span)
	}
	return busy
}

// FuzzRule checks for any rule that its dates are sorted and within the range, and that skipping loses none: a wider
// range gives the same dates within the narrower one.
func FuzzRule(f *testing.F) {
	for _, text := range []string{
		"FREQ=DAILY", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
		"FREQ=YEARLY;BYWEEKNO=53;BYDAY=-1FR",
		"FREQ=YEARLY;BYYEARDAY=-366", "FREQ=HOURLY;INTERVAL=7;BYMONTHDAY=31", "FREQ=SECONDLY;BYHOUR=3;BYSECOND=60",
		"FREQ=MINUTELY;COUNT=9;BYMINUTE=7", "FREQ=DAILY;INTERVAL=4294967295",
	} {
		f.Add(text, int64(1_893_492_000), int64(40_000_000), uint32(90_000_000))
	}
	f.Fuzz(func(t *testing.T, text string, start, skip int64, length uint32) {
		r, err := parseRule(property{name: "RRULE", value: text})
		start = start % (1 << 37)
		from := start + skip%(1<<36)
		until := from + int64(length)
		if err != nil || start < -62_000_000_000 {
			return
		}
		var wide, narrow budget
		all := collectWalls(r, start, min(start, from), until, &wide)
		got := collectWalls(r, start, from, until, &narrow)
		if wide.steps > maxSteps+daySeconds || narrow.steps > maxSteps+daySeconds {
			t.Errorf("it cost %d and %d steps", wide.steps, narrow.steps)
		}
		if !slices.IsSorted(all) || len(all) > 0 && (all[0] < start || all[len(all)-1] > until) {
			t.Errorf("%s is not in order or outside", showWalls(all))
		}
		if wide.errorAt(1) != nil || narrow.errorAt(1) != nil || len(all) == maxDates || len(got) == maxDates {
			return
		}
		if want := slices.DeleteFunc(all, func(w int64) bool { return w < from }); !slices.Equal(got, want) {
			t.Errorf("%s: got %s, want %s", text, showWalls(got), showWalls(want))
		}
	})
}

func collectWalls(r rule, start, from, until int64, b *budget) (walls []int64) {
	for w := range r.walls(start, from, until, b) {
		if walls = append(walls, w); len(walls) == maxDates {
			break
		}
	}
	return walls
}
