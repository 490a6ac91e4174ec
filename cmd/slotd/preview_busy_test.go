package main

import (
	"slices"
	"strings"
	"testing"
)

func ics(events ...string) string {
	text := "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:test\n"
	for _, e := range events {
		text += "BEGIN:VEVENT\nUID:x\nDTSTAMP:20270101T000000Z\nSUMMARY:Dentist\n" + e + "\nEND:VEVENT\n"
	}
	return strings.ReplaceAll(text+"END:VCALENDAR\n", "\n", "\r\n")
}

func mondaySlots(t *testing.T, event string, busy ...string) []string {
	t.Helper()
	args := []string{"--event", event, "--now", mondayMorning, "--days", "1"}
	for i, text := range busy {
		args = append(args, "--busy", write(t, "busy"+string(rune('a'+i))+".ics", text))
	}
	var hours []string
	for _, slot := range previewed(t, office, args...).availability(t).Slots {
		hours = append(hours, slot[11:16])
	}
	return hours
}

func TestPreview_BusyTimesTakeSlotsAway(t *testing.T) {
	all := mondaySlots(t, "intro")
	without := func(hours ...string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(hours, s) })
	}
	for _, c := range []struct {
		name string
		busy []string
		want []string
	}{
		{"UTC", []string{ics("DTSTART:20270201T150000Z\nDTEND:20270201T160000Z")}, without("15:00", "15:30")},
		{"touching is not busy", []string{ics("DTSTART:20270201T143000Z\nDTEND:20270201T150000Z")}, without("14:30")},
		{"half a slot is enough", []string{ics("DTSTART:20270201T144500Z\nDTEND:20270201T144600Z")}, without("14:30")},
		{"a zone", []string{ics("DTSTART;TZID=Europe/Berlin:20270201T160000\nDTEND;TZID=Europe/Berlin:20270201T163000")}, without("15:00")},
		{"floating is the workspace's zone", []string{ics("DTSTART:20270201T100000\nDTEND:20270201T103000")},
			without("15:00")},
		{"a duration", []string{ics("DTSTART:20270201T150000Z\nDURATION:PT30M")}, without("15:00")},
		{"all day", []string{ics("DTSTART;VALUE=DATE:20270201")}, nil},
		{"the day after", []string{ics("DTSTART;VALUE=DATE:20270202")}, all},
		{"transparent", []string{ics("DTSTART:20270201T150000Z\nDTEND:20270201T160000Z\nTRANSP:TRANSPARENT")}, all},
		{"cancelled", []string{ics("DTSTART:20270201T150000Z\nDTEND:20270201T160000Z\nSTATUS:CANCELLED")}, all},
		{"declined by the host", []string{ics("DTSTART:20270201T150000Z\nDTEND:20270201T160000Z\nATTENDEE;PARTSTAT=DECLINED:mailto:ada@acme.example")}, all},
		{"two files", []string{ics("DTSTART:20270201T150000Z\nDTEND:20270201T153000Z"),
			ics("DTSTART:20270201T180000Z\nDTEND:20270201T183000Z")}, without("15:00", "18:00")},
		{"overlapping files", []string{ics("DTSTART:20270201T150000Z\nDTEND:20270201T160000Z"),
			ics("DTSTART:20270201T151500Z\nDTEND:20270201T154500Z",
				"DTSTART:20270201T140000Z\nDTEND:20270201T141500Z")}, without("14:00", "15:00", "15:30")},
		{"an empty calendar", []string{ics()}, all},
	} {
		if got := mondaySlots(t, "intro", c.busy...); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestPreview_BuffersKeepTheirDistanceFromBusyTimes(t *testing.T) {
	got := mondaySlots(t, "padded", ics("DTSTART:20270201T160000Z\nDTEND:20270201T160500Z"))
	// 15:30 occupies the host until 16:30, 16:00 from 15:45. 15:00 ends at 16:00 including its buffer.
	for hour, want := range map[string]bool{"14:30": true, "15:00": true, "15:30": false, "16:00": false,
		"16:30": true} {
		if slices.Contains(got, hour) != want {
			t.Errorf("%s offered: %v, want %v: %v", hour, !want, want, got)
		}
	}
}

func TestPreview_BusyFilesComeFromTheEnvironmentToo(t *testing.T) {
	a, b := write(t, "a.ics", ics("DTSTART:20270201T150000Z\nDTEND:20270201T153000Z")),
		write(t, "b.ics", ics("DTSTART:20270201T180000Z\nDTEND:20270201T183000Z"))
	o := run(t, env{"SLOTD_BUSY": a + "\n" + b + "\n"}, office, "preview", "-f", "-", "--event", "intro", "--now",
		mondayMorning, "--days", "1")
	if n := o.availability(t).SlotCount; n != 12 {
		t.Errorf("%d slots, want 12", n)
	}
}

func TestPreview_ASeriesIsBusyOnAllItsDates(t *testing.T) {
	path := write(t, "series.ics", ics("DTSTART:20270125T150000Z\nDTEND:20270125T160000Z\nRRULE:FREQ=WEEKLY;BYDAY=MO"))
	got := previewed(t, office, "--event", "intro", "--now", mondayMorning, "--days", "1", "--busy",
		path).availability(t)
	if slices.Contains(got.Slots, "2027-02-01T15:00:00.000Z") ||
		!slices.Contains(got.Slots, "2027-02-01T16:00:00.000Z") {
		t.Errorf("open: %v", got.Slots)
	}
}

// If a series were counted once, its other dates would be shown as free.
func TestPreview_RefusesWhatItCannotRead(t *testing.T) {
	series := ics("DTSTART:20270201T150000Z\nDTEND:20270201T160000Z\nRRULE:FREQ=NOW_AND_THEN")
	path := write(t, "series.ics", series)
	o := previewed(t, office, "--event", "intro", "--now", mondayMorning, "--busy", path).exits(t, 1).says(t,
		path+": Line 10: ", "RRULE", "Correct or delete this event")
	if o.out != "" || strings.Contains(o.err, "Dentist") {
		t.Errorf("out %s err %s", o.out, o.err)
	}
	for _, text := range []string{"", "<html>not a calendar</html>",
		"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20270201T150000Z\r\n", ics("DTSTART:yesterday")} {
		path := write(t, "bad.ics", text)
		if o := previewed(t, office, "--event", "intro", "--now", mondayMorning, "--busy", path).exits(t, 1).says(t,
			path); o.out != "" {
			t.Errorf("%q: %s", text, o.out)
		}
	}
}
