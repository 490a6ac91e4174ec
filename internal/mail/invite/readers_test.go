package invite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"slotd/internal/store/testdb"
)

// reading is what a calendar program understands of an invite.
type reading struct {
	Problems    []string
	Method      string
	UID         string
	Sequence    int
	Status      string
	Stamp       string
	Start       string
	End         string
	Summary     string
	Location    string
	Description string
	URL         string
	Organizers  []Person
	Attendees   []Person
	Names       []string // of all properties, sorted
}

// expected returns what every reader should understand.
func expected(e *Event) reading {
	const utc = "20060102T150405Z"
	r := reading{
		Problems: []string{},
		Method:   string(e.Method), UID: e.UID, Sequence: e.Sequence,
		Status: map[Method]string{Request: "CONFIRMED", Cancel: "CANCELLED", Publish: "CONFIRMED"}[e.Method],
		Stamp:  e.Stamp.UTC().Format(utc), Start: e.Start.UTC().Format(utc), End: e.End.UTC().Format(utc),
		Summary: clean(e.Summary), Location: clean(e.Location), Description: clean(e.Description), URL: e.URL,
		Organizers: []Person{{displayName(e.Organizer.Name), e.Organizer.Email}},
		Attendees:  []Person{},
		Names: strings.Fields("VERSION PRODID CALSCALE METHOD UID SEQUENCE DTSTAMP CREATED LAST-MODIFIED DTSTART " +
			"DTEND STATUS TRANSP " +
			"SUMMARY ORGANIZER"),
	}
	for name, value := range map[string]string{"LOCATION": r.Location, "DESCRIPTION": r.Description, "URL": r.URL} {
		if value != "" {
			r.Names = append(r.Names, name)
		}
	}
	if e.Method != Publish {
		for _, p := range e.Attendees {
			r.Attendees = append(r.Attendees, Person{displayName(p.Name), p.Email})
			r.Names = append(r.Names, "ATTENDEE")
		}
	}
	slices.Sort(r.Names)
	return r
}

// clean removes only characters that the contract does not allow.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' && r != '\n' {
			return -1
		}
		return r
	}, text)
}

var (
	caretPair     = regexp.MustCompile(`\^\^|\^["'n]`)
	lastBackslash = regexp.MustCompile(`\\$`)
)

// displayName returns a name with look-alikes for the few characters that readers disagree on.
func displayName(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, name)
	name = caretPair.ReplaceAllStringFunc(name, func(pair string) string { return strings.ReplaceAll(pair, "^", "ˆ") })
	name = strings.ReplaceAll(name, `"`, `'`)
	return lastBackslash.ReplaceAllString(name, "∖")
}

func TestInvites_PassEveryReader(t *testing.T) {
	random := newHostile(5545)
	events := make([]*Event, 10_000)
	var stream bytes.Buffer
	for i := range events {
		events[i] = random.event()
		ics := events[i].Bytes()
		checkForm(t, ics)
		fmt.Fprintf(&stream, "%d\n%s", len(ics), ics)
	}
	readers := []struct {
		name    string
		command func(*testing.T) *exec.Cmd
		bugs    func(reading) reading
	}{
		{"libical", libical, libicalBugs},
		{"vobject", func(t *testing.T) *exec.Cmd { return python(t, "vobject") }, func(r reading) reading { return r }},
		{"icalendar", func(t *testing.T) *exec.Cmd { return python(t, "icalendar") }, icalendarBugs},
	}
	for _, reader := range readers {
		t.Run(reader.name, func(t *testing.T) {
			t.Parallel()
			for i, got := range readAll(t, reader.command(t), stream.Bytes(), len(events)) {
				want := expected(events[i])
				if cmp.Equal(want, got) || cmp.Equal(reader.bugs(want), got) {
					continue
				}
				t.Fatalf("event %d: %s\n%s", i, cmp.Diff(want, got), events[i].Bytes())
			}
		})
	}
}

// libicalBugs applies the known bugs of libical 3: it strips white space from both ends of a text, and from the end
// of a parameter that is too long for its buffer.
func libicalBugs(r reading) reading {
	const buffer = 79
	for _, s := range []*string{&r.Summary, &r.Location, &r.Description} {
		*s = strings.Trim(*s, " \t")
	}
	return r.withNames(func(name string) string {
		if len(name) >= buffer {
			return strings.TrimRight(name, " ")
		}
		return name
	})
}

// icalendarBugs applies the known bugs of python3-icalendar 4: it removes the escapes from each line before parsing
// it, also in quoted parameters and with %2C and the like as its own notation, and then from each text once more.
// Both times it applies one replacement after the other.
func icalendarBugs(r reading) reading {
	line := func(raw string) string {
		return replaceEach(raw, `\,`, "%2C", `\:`, "%3A", `\;`, "%3B", `\\`, "%5C", "%2C", ",", "%3A", ":", "%3B", ";",
			"%5C", `\`)
	}
	for _, s := range []*string{&r.Summary, &r.Location, &r.Description} {
		*s = replaceEach(line(escapeText(*s)), `\N`, `\n`, `\n`, "\n", `\,`, ",", `\;`, ";", `\\`, `\`)
	}
	r.URL = line(r.URL)
	return r.withNames(line)
}

func (r reading) withNames(change func(string) string) reading {
	r.Organizers, r.Attendees = slices.Clone(r.Organizers), slices.Clone(r.Attendees)
	for _, people := range [][]Person{r.Organizers, r.Attendees} {
		for i := range people {
			people[i].Name = change(people[i].Name)
		}
	}
	return r
}

func replaceEach(s string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		s = strings.ReplaceAll(s, pairs[i], pairs[i+1])
	}
	return s
}

func readAll(t *testing.T, reader *exec.Cmd, stream []byte, n int) []reading {
	t.Helper()
	var stderr strings.Builder
	reader.Stdin, reader.Stderr = bytes.NewReader(stream), &stderr
	out, err := reader.Output()
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, stderr.String())
	}
	all := make([]reading, n)
	answers := json.NewDecoder(bytes.NewReader(out))
	for i := range all {
		if err := answers.Decode(&all[i]); err != nil {
			t.Fatalf("event %d: %v\n%.2000s", i, err, stderr.String())
		}
		for _, people := range [][]Person{all[i].Organizers, all[i].Attendees} {
			for j := range people {
				people[j].Email = address(t, people[j].Email)
			}
		}
	}
	if answers.More() {
		t.Fatal("more answers than events")
	}
	return all
}

func address(t *testing.T, mailto string) string {
	t.Helper()
	encoded, ok := strings.CutPrefix(mailto, "mailto:")
	address, err := url.PathUnescape(encoded)
	if !ok || err != nil {
		t.Fatalf("%q, %v", mailto, err)
	}
	return address
}

func libical(t *testing.T) *exec.Cmd {
	t.Helper()
	program := filepath.Join(t.TempDir(), "libical")
	if out, err := exec.Command("gcc", "-o", program, "testdata/libical.c", "-lical").CombinedOutput(); err != nil {
		testdb.SkipOrFailInCI(t, "libical-dev", fmt.Errorf("%w: %.500s", err, out))
	}
	return exec.Command(program)
}

// python uses Debian's Python first: only that sees Debian's packages, and another one may come first in PATH.
func python(t *testing.T, module string) *exec.Cmd {
	t.Helper()
	var missing error
	for _, python := range []string{"/usr/bin/python3", "python3"} {
		if missing = exec.Command(python, "-c", "import "+module).Run(); missing == nil {
			return exec.Command(python, "testdata/read.py", module)
		}
	}
	testdb.SkipOrFailInCI(t, "python3-"+module, missing)
	return nil
}
