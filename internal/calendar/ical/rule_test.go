package ical

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"slotd/internal/store/testdb"
)

// oracle is dateutil in its own process. It answers line by line.
type oracle struct {
	in  io.WriteCloser
	out *bufio.Scanner
}

func python(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("/usr/bin/python3", append([]string{"testdata/expand.py"}, args...)...)
	cmd.Stderr = os.Stderr
	if err := exec.Command(cmd.Path, "-c", "import icalendar, dateutil").Run(); err != nil {
		testdb.SkipOrFailInCI(t, "python3-icalendar", err)
	}
	return cmd
}

func newOracle(t testing.TB) *oracle {
	cmd := python(t, "rules")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); cmd.Wait() })
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	return &oracle{in, lines}
}

// expand returns nil if dateutil does not finish.
func (o *oracle) expand(t *rapid.T, rule string, start, from, until int64) (walls []int64) {
	fmt.Fprintf(o.in, `{"rule":%q,"start":%d,"from":%d,"until":%d}`+"\n", rule, start, from, until)
	if !o.out.Scan() {
		t.Fatalf("no answer to %s", rule)
	}
	if err := json.Unmarshal(o.out.Bytes(), &walls); err != nil {
		t.Fatalf("%s: %v", rule, err)
	}
	return walls
}

func expandRule(t interface{ Fatalf(string, ...any) }, text string, start, from, until int64) []int64 {
	r, err := parseRule(property{name: "RRULE", value: text})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var b budget
	walls := slices.Collect(r.walls(start, from, until, &b))
	if err := b.errorAt(1); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return walls
}

func TestRule_ExpandsAsDateutilDoes(t *testing.T) {
	o, all, endless := newOracle(t), 0, 0
	rapid.Check(t, func(t *rapid.T) {
		start := time.Date(2028, 1, 1, 0, 0, rapid.IntRange(0, 3*365*24*3600).Draw(t, "start"), 0, time.UTC)
		text, reach := drawRule(t, start)
		all++
		from := start.Add(time.Duration(rapid.Int64Range(-int64(reach), int64(reach)).Draw(t, "from")))
		until := from.Add(reach)
		got := expandRule(t, text, start.Unix(), from.Unix(), until.Unix())
		want := o.expand(t, text, start.Unix(), from.Unix(), until.Unix())
		if want == nil {
			endless++
		} else if !slices.Equal(got, want) {
			t.Fatalf("%s from %s, within %s and %s:\n got %s\nwant %s", text, start, from, until, showWalls(got),
				showWalls(want))
		}
	})
	if endless > all/5 {
		t.Errorf("%d of %d rules were not compared", endless, all)
	}
}

func TestRule_Corners(t *testing.T) {
	for _, c := range []struct{ start, rule, want string }{
		{"2030-01-01T10:00:01", "FREQ=MINUTELY;BYSECOND=0,1;COUNT=3",
			"3: Tue 2030-01-01T10:00:01 Tue 2030-01-01T10:01:00 Tue 2030-01-01T10:01:01"},
		{"2030-01-01T10:00:00", "FREQ=HOURLY;BYMINUTE=30;COUNT=2",
			"2: Tue 2030-01-01T10:30:00 Tue 2030-01-01T11:30:00"},
		{"2030-01-01T10:00:00", "FREQ=HOURLY;BYSECOND=60;COUNT=1", "1: Tue 2030-01-01T10:01:00"},
		{"2025-12-01T10:00:00", "FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO;COUNT=2",
			"2: Mon 2025-12-29T10:00:00 Mon 2027-01-04T10:00:00"},
		{"2025-12-01T10:00:00", "FREQ=YEARLY;BYWEEKNO=53;COUNT=2",
			"2: Mon 2026-12-28T10:00:00 Mon 2032-12-27T10:00:00"},
		{"2030-01-01T10:00:00", "FREQ=MONTHLY;BYDAY=MO,1WE;COUNT=3",
			"3: Wed 2030-01-02T10:00:00 Mon 2030-01-07T10:00:00 Mon 2030-01-14T10:00:00"},
		{"2028-02-29T10:00:00", "FREQ=YEARLY;COUNT=2", "2: Tue 2028-02-29T10:00:00 Sun 2032-02-29T10:00:00"},
		{"0001-01-01T00:00:00", "FREQ=YEARLY;INTERVAL=2027;COUNT=2",
			"2: Mon 0001-01-01T00:00:00 Sat 2028-01-01T00:00:00"},
		{"2030-01-01T10:00:00", "FREQ=YEARLY;INTERVAL=4294967295", "1: Tue 2030-01-01T10:00:00"},
	} {
		start, err := time.Parse("2006-01-02T15:04:05", c.start)
		if err != nil {
			t.Fatal(err)
		}
		until := time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC)
		if got := showWalls(expandRule(t, c.rule, start.Unix(), start.Unix(), until.Unix())); got != c.want {
			t.Errorf("%s: got %s, want %s", c.rule, got, c.want)
		}
	}
}

func TestRule_RefusesWhatItCannotRead(t *testing.T) {
	for _, text := range []string{
		"", ";", "DAILY", "FREQ", "FREQ=", "FREQ=FORTNIGHTLY", "FREQ=DAILY;FREQ=WEEKLY", "INTERVAL=2",
		"FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;INTERVAL=-1", "FREQ=DAILY;COUNT=0",
		"FREQ=DAILY;COUNT=4294967296", "FREQ=DAILY;UNTIL=soon", "FREQ=DAILY;COUNT=1;UNTIL=20300101",
		"FREQ=DAILY;BYDAY=", "FREQ=DAILY;BYDAY=XX", "FREQ=DAILY;BYDAY=0MO",
		"FREQ=DAILY;BYDAY=54MO", "FREQ=DAILY;BYDAY=1,2MO", "FREQ=DAILY;BYDAY=M", "FREQ=DAILY;BYMONTH=13",
		"FREQ=DAILY;BYMONTH=-1", "FREQ=DAILY;BYMONTHDAY=0", "FREQ=DAILY;BYMONTHDAY=32",
		"FREQ=DAILY;BYHOUR=24", "FREQ=DAILY;BYSETPOS=0", "FREQ=DAILY;BYSETPOS=1,", "FREQ=DAILY;WKST=8",
		"FREQ=DAILY;X-ODD=1", "FREQ=YEARLY;RSCALE=CHINESE", "FREQ=YEARLY;SKIP=FORWARD", "D1 #5",
	} {
		if _, err := parseRule(property{line: 7, name: "RRULE", value: text}); err == nil ||
			!strings.HasPrefix(err.Error(), "Line 7: RRULE ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// drawRule returns a rule and how far to look: far enough for several periods, near enough for Python to be fast.
func drawRule(t *rapid.T, start time.Time) (text string, reach time.Duration) {
	const day = 24 * time.Hour
	freq := rapid.SampledFrom([]string{"SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY",
		"YEARLY"}).Draw(t, "freq")
	reach = map[string]time.Duration{
		"SECONDLY": 2 * time.Hour, "MINUTELY": 3 * day, "HOURLY": 60 * day, "DAILY": 500 * day, "WEEKLY": 800 * day,
		"MONTHLY": 1500 * day,
		"YEARLY":  3000 * day,
	}[freq]
	parts := []string{"FREQ=" + freq}
	add := func(name string, odds int, list string) {
		if rapid.IntRange(1, odds).Draw(t, name+"?") == 1 {
			parts = append(parts, name+"="+list)
		}
	}
	list := func(name string, lo, hi int, negative bool) string {
		return strings.Join(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			n := rapid.IntRange(lo, hi).Draw(t, name)
			if negative && rapid.Bool().Draw(t, "minus") {
				n = -n
			}
			return fmt.Sprint(n)
		}), 1, 4).Draw(t, name), ",")
	}
	add("INTERVAL", 2, fmt.Sprint(rapid.IntRange(1, 20).Draw(t, "interval")))
	add("COUNT", 4, fmt.Sprint(rapid.IntRange(1, 50).Draw(t, "count")))
	add("BYMONTH", 4, list("BYMONTH", 1, 12, false))
	add("BYMONTHDAY", 4, list("BYMONTHDAY", 1, 31, true))
	add("BYYEARDAY", 8, list("BYYEARDAY", 1, 366, true))
	add("BYHOUR", 4, list("BYHOUR", 0, 23, false))
	add("BYMINUTE", 4, list("BYMINUTE", 0, 59, false))
	add("BYSECOND", 8, list("BYSECOND", 0, 59, false))
	switch weeks := rapid.IntRange(1, 8).Draw(t, "BYWEEKNO?"); {
	case weeks == 1:
		// Without BYDAY, dateutil takes all seven days, but RFC 5545 means the start's weekday. It also does not
		// recognize a year's first week by its number from the end.
		parts = append(parts, "BYWEEKNO="+list("BYWEEKNO", 1, 51, true), "BYDAY="+drawDays(t))
	case weeks <= 4:
		parts = append(parts, "BYDAY="+drawDays(t))
	}
	weekStart := rapid.SampledFrom(dayNames).Draw(t, "WKST")
	if rapid.IntRange(1, 4).Draw(t, "BYSETPOS?") == 1 {
		parts = append(parts, "BYSETPOS="+list("BYSETPOS", 1, 20, true))
		// In the first week of a series, dateutil counts only from the start on. Starting the week there avoids the
		// difference.
		weekStart = dayNames[start.Weekday()]
	}
	return strings.Join(append(parts, "WKST="+weekStart), ";"), reach
}

var dayNames = []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// drawDays numbers all days or none: from a mixture, dateutil takes only days that both kinds contain.
func drawDays(t *rapid.T) string {
	numbered := rapid.Bool().Draw(t, "numbered")
	return strings.Join(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
		day := rapid.SampledFrom(dayNames).Draw(t, "day")
		if !numbered {
			return day
		}
		return rapid.SampledFrom([]string{"-5", "-2", "-1", "1", "2", "4", "5"}).Draw(t, "n") + day
	}), 1, 4).Draw(t, "days"), ",")
}

func showWalls(walls []int64) string {
	var all []string
	for _, w := range walls[:min(len(walls), 20)] {
		all = append(all, time.Unix(w, 0).UTC().Format("Mon 2006-01-02T15:04:05"))
	}
	return fmt.Sprintf("%d: %s", len(walls), strings.Join(all, " "))
}
