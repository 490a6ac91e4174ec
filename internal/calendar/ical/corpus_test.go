package ical

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd/internal/availability/zone"
	"slotd/internal/calendar"
)

var update = flag.Bool("update", false, "rewrite testdata/corpus/*.want")

// corpusReader returns a reader for the year that all files of the corpus are in. expand.py uses the same year.
func corpusReader(t testing.TB) Reader {
	r := newYork(t)
	r.Location = zone.Location
	r.From, r.Until = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)
	return r
}

func corpus(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/corpus/*.ics")
	if err != nil || len(files) < 45 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files
}

// describeBusy returns the result of Busy, one span or warning per line.
func describeBusy(r Reader, text string) string {
	busy, warnings, err := r.Busy(strings.NewReader(text))
	if e := (*calendar.Error)(nil); errors.As(err, &e) && e.Kind == calendar.Unusable && e.Advice != calendar.NoAdvice {
		return "error: " + e.Message + "\n"
	} else if err != nil {
		return "error without advice: " + err.Error() + "\n"
	}
	var b strings.Builder
	for _, s := range busy {
		b.WriteString(show([]Span{s}) + "\n")
	}
	for _, w := range warnings {
		b.WriteString("warning: " + w + "\n")
	}
	return b.String()
}

func TestCorpus(t *testing.T) {
	for _, path := range corpus(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			want := strings.TrimSuffix(path, "ics") + "want"
			got := describeBusy(corpusReader(t), readTestFile(t, path))
			if *update {
				if err := os.WriteFile(want, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want := readTestFile(t, want); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

func readTestFile(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// notCompared lists the files that python-icalendar cannot check: it rejects some, does not know slotd's own
// properties, and would take hours for others.
var notCompared = []string{
	"ends_before_it_starts.ics", "odd_spelling.ics", "microsoft_occurrences.ics",
	"hostile_never.ics", "hostile_last_of_all_seconds.ics", "hostile_zone.ics",
}

func TestCorpus_AnIndependentExpansionAgrees(t *testing.T) {
	var files []string
	want := map[string]string{}
	for _, path := range corpus(t) {
		text := readTestFile(t, strings.TrimSuffix(path, "ics")+"want")
		if name := filepath.Base(path); !strings.HasPrefix(text, "error") && !slices.Contains(notCompared, name) {
			files = append(files, path)
			spans, _, _ := strings.Cut(text, "warning")
			want[name] = strings.Join(strings.Fields(spans), " ")
		}
	}
	if len(files) < 40 {
		t.Fatalf("only %d files are compared", len(files))
	}
	out, err := python(t, append([]string{"files"}, files...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		name, spans, _ := strings.Cut(strings.TrimSpace(line), " ")
		if spans != want[name] {
			t.Errorf("%s\n ours %s\ntheir %s", name, want[name], spans)
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("no answer about %v", want)
	}
}
