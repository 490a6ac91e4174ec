package ical

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func mustZone(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// newYork returns a reader for Ada, who lives there.
func newYork(t testing.TB) Reader {
	return Reader{Zone: mustZone(t, "America/New_York"), OwnerEmail: "ada@acme.example", Location: ianaOnly}
}

func ianaOnly(tzid string) (*time.Location, error) {
	if !strings.Contains(tzid, "/") {
		return nil, errors.New("no such zone")
	}
	return time.LoadLocation(tzid)
}

// ics returns a calendar with an event for each argument.
func ics(events ...string) string {
	var b strings.Builder
	b.WriteString("BEGIN:VCALENDAR\nVERSION:2.0\n")
	for _, e := range events {
		fmt.Fprintf(&b, "BEGIN:VEVENT\n%s\nEND:VEVENT\n", e)
	}
	return b.String() + "END:VCALENDAR\n"
}

// show formats spans the way the tests write them.
func show(busy []Span) string {
	var all []string
	for i, s := range busy {
		if i == 500 {
			return strings.Join(append(all, fmt.Sprintf("and %d more", len(busy)-i)), " ")
		}
		all = append(all, s.Start.Format("2006-01-02T15:04:05Z07:00")+"/"+s.End.Format("2006-01-02T15:04:05Z07:00"))
	}
	return strings.Join(all, " ")
}

func wantBusy(t *testing.T, r Reader, text, want string) (warnings []string) {
	t.Helper()
	busy, warnings, err := r.Busy(strings.NewReader(text))
	if err != nil {
		t.Fatalf("error: %v", err)
	}
	if got := show(busy); got != want {
		t.Errorf("busy\n got %s\nwant %s", got, want)
	}
	return warnings
}

func wantError(t *testing.T, r Reader, text, want string) {
	t.Helper()
	busy, _, err := r.Busy(strings.NewReader(text))
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error: got %v, want one with %q", err, want)
	}
	if busy != nil {
		t.Errorf("busy spans beside an error: %s", show(busy))
	}
}

const (
	tenToEleven = "DTSTART:20300108T100000Z\nDTEND:20300108T110000Z"
	asSpan      = "2030-01-08T10:00:00Z/2030-01-08T11:00:00Z"
)
