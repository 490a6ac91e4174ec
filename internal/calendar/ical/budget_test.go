package ical

import (
	"strings"
	"testing"
)

// The expansion skips to the range, so an old series costs no more than a new one.
func TestBudget_AnOldSeriesCostsNoMore(t *testing.T) {
	steps := func(start string) int {
		x := NewExpansion(corpusReader(t))
		if err := x.Add(ics("DTSTART:" + start + "\nDURATION:PT1H\nRRULE:FREQ=HOURLY;INTERVAL=5")); err != nil {
			t.Fatal(err)
		}
		return x.budget.steps
	}
	if old, young := steps("19000101T100000Z"), steps("20291231T100000Z"); old > young+100 {
		t.Errorf("%d steps since 1900, %d since 2029", old, young)
	}
}

func TestBudget_CountsOverAllItems(t *testing.T) {
	x := NewExpansion(corpusReader(t))
	item := equalEvents(maxEvents/2, minute)()
	for range 2 {
		if err := x.Add(item); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.Add(ics(tenToEleven)); err == nil || !strings.Contains(err.Error(), "20,000 events") {
		t.Errorf("got %v", err)
	}
	if events, _, err := x.Events(); err == nil || events != nil {
		t.Errorf("%d events of a calendar that was not read whole, %v", len(events), err)
	}
}

func TestBudget_ANumberInARuleCostsOnce(t *testing.T) {
	r, err := parseRule(property{name: "RRULE", value: "FREQ=YEARLY;BYDAY=2MO,TU,2MO,2MO,TU;BYHOUR=7,7,7"})
	if err != nil || len(r.days) != 2 || len(r.hours) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestBudget_FreeEventsSpendItToo(t *testing.T) {
	text := numbered(maxZoneNames+1, "",
		"BEGIN:VEVENT\nSTATUS:CANCELLED\nDTSTART;TZID=%d:20300108T100000\nEND:VEVENT\n")()
	wantError(t, corpusReader(t), text, "1,000 time zones")
}
