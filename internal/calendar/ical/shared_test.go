package ical

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestSharingBudget_AllItemsTogetherCostWhatOneMay(t *testing.T) {
	for name, c := range map[string]struct {
		item  func(i int) string
		items int
		want  string
	}{
		"steps": {func(int) string { return ics("DTSTART:19000101T000000Z\nRRULE:FREQ=SECONDLY;COUNT=2400000") }, 2,
			"too long to read"},
		"dates":  {func(int) string { return ics(minute + "RRULE:FREQ=MINUTELY;COUNT=30000") }, 10, "300,000 dates"},
		"events": {func(int) string { return equalEvents(7000, minute)() }, 2, "20,000 events"},
		"lines":  {func(int) string { return repeated(9000, minute, "TRANSP:\n")() }, 33, "300,000 lines"},
		"zones": {func(i int) string { return ics(fmt.Sprintf("DTSTART;TZID=Z%d:20300108T100000", i)) }, 1000,
			"1,000 time zones"},
	} {
		t.Run(name, func(t *testing.T) {
			r := corpusReader(t).SharingBudget()
			for i := range c.items {
				if _, err := r.Reduce(c.item(i)); err != nil {
					t.Fatalf("item %d: %v", i, err)
				}
			}
			_, first := r.Reduce(c.item(c.items))
			if first == nil || !strings.Contains(first.Error(), c.want) {
				t.Fatalf("got %v, want %q", first, c.want)
			}
			copied := r
			if _, err := copied.Reduce(ics(tenToEleven)); !errors.Is(err, first) {
				t.Errorf("then %v, want the same error", err)
			}
			if err := NewExpansion(r).Add(ics(tenToEleven)); err != nil {
				t.Errorf("an expansion has a budget of its own: %v", err)
			}
			if _, err := corpusReader(t).Reduce(ics(tenToEleven)); err != nil {
				t.Errorf("another reader: %v", err)
			}
		})
	}
}

func TestSharingBudget_KeptTextCountsTogether(t *testing.T) {
	r := corpusReader(t).SharingBudget()
	item := equalEvents(1000, minute+"UID:"+strings.Repeat("u", 4000))()
	var err error
	read := 0
	for ; err == nil && read < 5; read++ {
		_, err = r.Reduce(item)
	}
	if read != 3 || !errors.Is(err, errTooLarge) {
		t.Errorf("%v at item %d", err, read)
	}
}

func TestSharingBudget_AnItemThatCannotBeReadCostsNoOther(t *testing.T) {
	r := corpusReader(t).SharingBudget()
	if _, err := r.Reduce(ics("DTSTART:soon")); err == nil {
		t.Error("it can be read")
	}
	if _, err := r.Reduce(ics(tenToEleven)); err != nil {
		t.Error(err)
	}
}

// Programs write the whole definition of a zone into every item that uses it.
func TestSharingBudget_TimeZonesThatAreKnownAreNotKept(t *testing.T) {
	r := corpusReader(t).SharingBudget()
	berlin := strings.Replace(zoneDefinition("Europe/Berlin", "+0100"), "END:STANDARD",
		strings.Repeat("RDATE:20300101T000000\n", 1000)+"END:STANDARD", 1)
	item := strings.Replace(ics("DTSTART;TZID=Europe/Berlin:20300108T100000"), "VERSION", berlin+"VERSION", 1)
	for range 2 * maxLines / 1000 {
		if _, err := r.Reduce(item); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSharingBudget_ADefinitionIsWorkedOutOnce(t *testing.T) {
	r := corpusReader(t).SharingBudget()
	item := strings.Replace(ics("DTSTART;TZID=Office:20300108T100000"), "VERSION",
		zoneDefinition("Office", "+0700")+"VERSION", 1)
	first, err := r.Reduce(item)
	for range 10 {
		again, err := r.Reduce(item)
		if err != nil || again != first {
			t.Errorf("%v\n%s\nafter\n%s", err, again, first)
		}
	}
	if err != nil || len(r.shared.zonesByDefinition) != 1 || !strings.Contains(first, "VTIMEZONE") {
		t.Errorf("%v, %d definitions\n%s", err, len(r.shared.zonesByDefinition), first)
	}
}
