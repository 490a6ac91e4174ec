package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"slotd/test/harness"
)

// office has all kinds of rules that decide which slots are open.
const office = `workspace: {slug: office, name: Office, time_zone: America/New_York}
host: {name: Ada Park, email: ada@acme.example}
schedules:
  default:
    weekly: {mon: ["09:00-12:00", "13:00-17:00"], tue: ["09:00-17:00"], wed: ["09:00-17:00"], thu: ["09:00-17:00"], fri: ["09:00-24:00"], sat: ["00:00-03:00"]}
    overrides: {"2027-02-02": [], "2027-02-03": ["10:00-11:00"]}
event_types:
  - {slug: intro, title: "Intro <call>", duration_minutes: 30, location: {type: video}}
  - {slug: dense, title: Dense, duration_minutes: 15, slot_interval_minutes: 5, location: {type: video}, minimum_notice_minutes: 240, booking_window_days: 400}
  - {slug: padded, title: Padded, duration_minutes: 30, location: {type: video}, buffer_before_minutes: 15, buffer_after_minutes: 30, booking_window_days: 400}
  - {slug: secret, title: Secret, duration_minutes: 60, location: {type: video}, hidden: true}
  - {slug: paid, title: Paid, duration_minutes: 60, location: {type: video}, price: {amount_cents: 5000, currency: usd}}
`

// mondayMorning is 07:00 in New York.
const mondayMorning = "2027-02-01T12:00:00Z"

type availability struct {
	Range     struct{ Start, End string }
	SlotCount int `json:"slot_count"`
	Slots     []string
	Truncated bool
}

func previewed(t testing.TB, text string, args ...string) (o outcome) {
	t.Helper()
	return run(t, nil, text, append([]string{"preview", "-f", "-"}, args...)...)
}

func (o outcome) availability(t testing.TB) (a availability) {
	t.Helper()
	o.exits(t, 0)
	found := parse(t, o.out)
	a.SlotCount, a.Truncated = int(found["slot_count"].(float64)), found["truncated"].(bool)
	a.Range.Start, a.Range.End = found["range"].(object)["start"].(string), found["range"].(object)["end"].(string)
	for _, slot := range found["slots"].([]any) {
		a.Slots = append(a.Slots, slot.(string))
	}
	return a
}

func TestPreview_AnswersAsARunningServerDoes(t *testing.T) {
	t.Parallel()
	pl := onSQLite(t)
	pl.mustApply(office)
	file := write(t, "office.yaml", office)
	moved := env{"SLOTD_CLOCK_OFFSET": time.Until(time.Date(2027, 2, 1, 14, 3, 0, 0,
		time.UTC)).Truncate(time.Second).String()}
	s := pl.serve(moved)
	if !strings.Contains(s.Log.String(), "SLOTD_CLOCK_OFFSET") {
		t.Errorf("no warning of a moved clock: %s", s.Log)
	}
	monday := time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC)
	for _, event := range []string{"intro", "dense", "padded", "paid"} {
		for _, c := range []struct {
			day  int
			days int
		}{{-1, 0}, {0, 0}, {0, 1}, {0, 30}, {-3, 5}, {4, 2}, {40, 30}, {60, 7}} {
			arguments := fmt.Sprintf(`{"workspace":"office","event_type":%q`, event)
			args := []string{"preview", "-f", file, "--event", event, "--base-url", s.url}
			if c.day >= 0 || c.days > 0 {
				start := monday.AddDate(0, 0, c.day).Format(time.DateOnly)
				arguments += fmt.Sprintf(`,"start_date":%q`, start)
				args = append(args, "--start", start)
			}
			if c.days > 0 {
				arguments += fmt.Sprintf(`,"days":%d`, c.days)
				args = append(args, "--days", fmt.Sprint(c.days))
			}
			// The clock runs: the server's answer counts if the previews right before and after it are the same.
			for before, after := "", "?"; before != after; {
				before = run(t, moved, "", args...).exits(t, 0).out
				text, failed := s.call("", "get_availability", arguments+"}")
				after = run(t, moved, "", args...).exits(t, 0).out
				if before == after && (failed != "" || text+"\n" != before) {
					t.Errorf("%s:\nserver  %s\npreview %s", arguments, text, before)
				}
			}
		}
	}
}

func TestPreview_ListsTheSlotsOfTheFileAtThatTime(t *testing.T) {
	a := previewed(t, office, "--event", "intro", "--now", mondayMorning, "--days", "1").availability(t)
	if a.SlotCount != 14 || len(a.Slots) != 14 || a.Slots[0] != "2027-02-01T14:00:00.000Z" ||
		a.Slots[13] != "2027-02-01T21:30:00.000Z" || a.Truncated {
		t.Errorf("%+v", a)
	}
	if a.Range.Start != "2027-02-01T00:00:00.000Z" || a.Range.End != "2027-02-02T00:00:00.000Z" {
		t.Errorf("%+v", a.Range)
	}
	later := previewed(t, office, "--event", "intro", "--now", "2027-02-01T16:00+01:00", "--days", "1").availability(t)
	if later.Slots[0] != "2027-02-01T15:00:00.000Z" {
		t.Errorf("%+v", later)
	}
	if a := previewed(t, office, "--event", "intro", "--now", mondayMorning, "--start", "2027-02-02", "--days",
		"2").availability(t); a.SlotCount != 2 {
		t.Errorf("overrides: %+v", a)
	}
	if a := previewed(t, office, "--event", "dense", "--now", mondayMorning, "--days",
		"30").availability(t); !a.Truncated || len(a.Slots) != 120 || a.SlotCount <= 120 {
		t.Errorf("%+v", a)
	}
	if a := previewed(t, office, "--event", "intro", "--now", mondayMorning, "--start", "2020-01-01", "--days",
		"30").availability(t); a.SlotCount != 0 || a.Slots != nil {
		t.Errorf("the past: %+v", a)
	}
}

func TestPreview_DefaultsAreTodayAndSevenDays(t *testing.T) {
	a := previewed(t, office, "--event", "intro", "--now", "2027-02-01T23:30:00-05:00").availability(t)
	if a.Range.Start != "2027-02-02T00:00:00.000Z" || a.Range.End != "2027-02-09T00:00:00.000Z" {
		t.Errorf("%+v", a.Range)
	}
	before := time.Now().UTC().Format(time.DateOnly)
	a = previewed(t, acme, "--event", "intro").availability(t)
	if after := time.Now().UTC().Format(time.DateOnly); a.Range.Start != before+"T00:00:00.000Z" &&
		a.Range.Start != after+"T00:00:00.000Z" {
		t.Errorf("%+v", a.Range)
	}
}

func TestPreview_ShowsHiddenTypesAndLeavesTheFilesCalendarsOut(t *testing.T) {
	plain := previewed(t, office, "--event", "secret", "--now", mondayMorning)
	if a := plain.availability(t); a.SlotCount == 0 {
		t.Error("a hidden type has no slots")
	}
	withCalendars := office + "calendars:\n  - {name: club, type: ics, url: \"https://club.invalid/fixtures.ics\"}\n " +
		" - {name: dav, type: caldav, url: \"https://dav.invalid/\", username: ada, password_env: NOT_SET}\n"
	o := previewed(t, withCalendars, "--event", "secret", "--now", mondayMorning).exits(t, 0)
	if o.out != plain.out {
		t.Errorf("with calendars: %s", o.out)
	}
}

func TestPreview_NeedsNoDatabase(t *testing.T) {
	cmd := harness.Command(t, nil, "preview", "-f", write(t, "office.yaml", office), "--event", "intro", "--now",
		mondayMorning)
	p := harness.Start(t, cmd)
	if exit := p.Wait(t); exit != 0 || !strings.HasPrefix(p.Out.String(), `{"event_type":{"slug":"intro"`) {
		t.Errorf("exit %d, %s%s", exit, p.Out, p.Log)
	}
	if left, _ := os.ReadDir(cmd.Dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestPreview_RefusesBadArguments(t *testing.T) {
	for _, line := range []string{
		"--event intro --days 0", "--event intro --days 31", "--event intro --days -1",
		"--event intro --start 2027-2-1", "--event intro --start 2027-02-30",
		"--event intro --start tomorrow", "--event intro --now 2027-02-01", "--event intro --now 2027-02-01T12:00:00",
		"--event intro --now now", "--event intro --now 1999-12-31T00:00:00Z",
	} {
		if o := previewed(t, office, strings.Fields(line)...).exits(t, 2); o.out != "" {
			t.Errorf("%s: %s", line, o.out)
		}
	}
	previewed(t, office, "--event", "nothing").exits(t, 1).says(t, `"nothing"`)
	previewed(t, office, "--event", "intro", "--busy", "/nowhere/x.ics").exits(t, 1).says(t, "/nowhere/x.ics")
	previewed(t, edit(t, office, "title: Dense", "titel: Dense"), "--event", "intro").exits(t, 1).says(t,
		"line 9: event_types[1].titel")
	run(t, nil, "", "preview", "-f", "/nowhere/file.yaml", "--event", "intro").exits(t, 1).says(t, "/nowhere/file.yaml")
}
