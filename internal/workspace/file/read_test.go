package file

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
)

func mustRead(t testing.TB, data string) *File {
	t.Helper()
	file, err := Read([]byte(data))
	if err != nil {
		t.Fatalf("%v\nin:\n%s", err, data)
	}
	wantSchemaAccepts(t, data)
	return file
}

func testdata(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// wantEqual also accepts a *rapid.T, which is not a testing.TB.
func wantEqual(t interface {
	Helper()
	Errorf(string, ...any)
}, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("differs (-want +got):\n%s", diff)
	}
}

func acme() slotd.Workspace {
	return slotd.Workspace{
		Slug: "acme", Name: "Acme Inc", TimeZone: "America/New_York",
		Host:  slotd.Host{Name: "Ada Park", Email: "ada@acme.example"},
		Look:  slotd.Look{Accent: "#0b7285", Logo: "https://acme.example/logo.svg"},
		Embed: slotd.Embed{AllowedSites: []string{"https://acme.example"}},
		Schedules: map[string]slotd.Schedule{"default": {
			TimeZone: "America/New_York",
			Weekly: map[time.Weekday][]slots.Window{
				time.Monday:  {{From: 9 * 60, Until: 12 * 60}, {From: 13 * 60, Until: 17 * 60}},
				time.Tuesday: {{From: 9 * 60, Until: 17 * 60}},
			},
			Overrides: map[zone.Date][]slots.Window{
				zone.NewDate(2026, 12, 24): {},
				zone.NewDate(2026, 12, 31): {{From: 9 * 60, Until: 12 * 60}},
			},
		}},
		EventTypes: []slotd.EventType{{
			Slug: "intro", Title: "Intro call", Description: "Thirty minutes to see if we fit.", DurationMinutes: 30,
			Location: slotd.Location{Type: slotd.Video, URL: "https://meet.example/ada"}, Schedule: "default",
			Price:               &slotd.Price{AmountCents: 5000, Currency: "usd"},
			RefundPolicy:        &slotd.RefundPolicy{FullUntilHoursBefore: 24},
			BufferBeforeMinutes: 10, BufferAfterMinutes: 10, MinimumNoticeMinutes: 240, BookingWindowDays: 60,
			SlotIntervalMinutes: 30, MaxPerDay: 5, RemindersMinutesBefore: []int{1440, 60},
		}},
	}
}

func TestRead_TakesTheExample(t *testing.T) {
	wantEqual(t, mustRead(t, testdata(t, "acme.yaml")), &File{Workspace: acme()})
}

func TestRead_TakesCalendars(t *testing.T) {
	want := &File{Workspace: acme(), Passwords: map[string]PasswordEnv{"office": {Name: "ADA_DAV", Line: 28}},
		CalendarLines: map[string]int{"office": 28, "club": 29}}
	want.Workspace.Calendars = []slotd.Calendar{
		{Name: "office", Type: slotd.CalDAV, URL: "https://dav.example/ada/office/", Username: "ada", WriteBack: true,
			StaleAfterMinutes: 15},
		{Name: "club", Type: slotd.ICSFeed, URL: "https://club.example/fixtures.ics", StaleAfterMinutes: 15},
	}
	wantEqual(t, mustRead(t, testdata(t, "acme_calendars.yaml")), want)
	for _, none := range []string{"calendars: []\n", "calendars:\n", "calendars: null\n"} {
		wantEqual(t, mustRead(t, testdata(t, "acme.yaml")+none), &File{Workspace: acme()})
	}
}

func TestRead_TakesJSON(t *testing.T) {
	text := testdata(t, "acme.json")
	wantEqual(t, mustRead(t, text), &File{Workspace: acme()})
	wantEqual(t, mustRead(t, "\ufeff\r\n"+text), &File{Workspace: acme()})
}

func TestRead_TakesWindowsLineEnds(t *testing.T) {
	wantEqual(t, mustRead(t, "\ufeff"+strings.ReplaceAll(testdata(t, "acme.yaml"), "\n", "\r\n")),
		&File{Workspace: acme()})
}

// small is the smallest bookable workspace. Text appended to it adds fields to its only event type.
const small = `workspace: {slug: a, name: A, time_zone: UTC}
host: {name: A, email: a@a.example}
schedules: {default: {weekly: {mon: ["09:00-12:00"]}}}
event_types:
  - slug: intro
    title: Intro
    duration_minutes: 45
    location: {type: video}
`

func TestRead_FillsDefaults(t *testing.T) {
	want := slotd.Workspace{
		Slug: "a", Name: "A", TimeZone: "UTC", Host: slotd.Host{Name: "A", Email: "a@a.example"},
		Schedules: map[string]slotd.Schedule{"default": {
			Weekly:    map[time.Weekday][]slots.Window{time.Monday: {{From: 540, Until: 720}}},
			Overrides: map[zone.Date][]slots.Window{},
		}},
		EventTypes: []slotd.EventType{{
			Slug: "intro", Title: "Intro", DurationMinutes: 45, Location: slotd.Location{Type: slotd.Video},
			Schedule:          "default",
			BookingWindowDays: 60, RemindersMinutesBefore: []int{1440, 60},
		}},
	}
	wantEqual(t, mustRead(t, small).Workspace, want)
	allNull := small + `    description:
    schedule: ~
    price: null
    refund_policy:
    buffer_before_minutes:
    buffer_after_minutes:
    minimum_notice_minutes:
    booking_window_days: Null
    slot_interval_minutes:
    max_per_day:
    reminders_minutes_before:
    hidden:
look:
embed: {allowed_sites: ~}
`
	wantEqual(t, mustRead(t, allNull).Workspace, want)

	want.EventTypes[0].RemindersMinutesBefore = []int{}
	wantEqual(t, mustRead(t, small+"    reminders_minutes_before: []\n").Workspace, want)
}

func TestRead_KeepsTextWhereTextIsWanted(t *testing.T) {
	for written, want := range map[string]string{
		"no": "no", "123": "123", "1.0": "1.0", "0x10": "0x10", "true": "true", "2026-01-01": "2026-01-01",
		"1e3": "1e3", "'~'": "~", `"null"`: "null",
		"12:30": "12:30", "<<": "<<", `" a "`: " a ", `"\u2028\ufeff\x41"`: "\u2028\ufeffA",
		"|-\n      # not a comment":  "# not a comment",
		">-\n      two\n      lines": "two lines", "a # comment": "a",
	} {
		file := mustRead(t, strings.Replace(small, "title: Intro", "title: "+written, 1))
		wantEqual(t, file.Workspace.EventTypes[0].Title, want)
	}
}

func TestRead_TakesUnquotedDatesAndOddScheduleNames(t *testing.T) {
	file := mustRead(t, strings.Replace(small, `{default: {weekly: {mon: ["09:00-12:00"]}}}`, `
  default: {weekly: {}, overrides: {2026-12-24: [], 2026-12-31: [09:00-12:00]}}
  2026-01-01: {weekly: {sat: [], sun: ["00:00-24:00"], mon: ~}}
  Summer hours: {weekly: {}}
  ~: {weekly: {}}`, 1))
	hours := file.Workspace.Schedules
	wantEqual(t, hours["default"].Overrides, acme().Schedules["default"].Overrides)
	wantEqual(t, hours["2026-01-01"].Weekly, map[time.Weekday][]slots.Window{time.Sunday: {{From: 0, Until: 1440}}})
	for _, name := range []string{"Summer hours", "~"} {
		if _, ok := hours[name]; !ok {
			t.Errorf("no schedule %s", name)
		}
	}
}

func TestRead_FollowsAliases(t *testing.T) {
	file := mustRead(t, strings.Replace(small, `["09:00-12:00"]`, `&day ["09:00-12:00"], &tue tue: *day, wed: *day`, 1)+
		"    schedule: &s default\n    description: *tue\n")
	wantEqual(t, len(file.Workspace.Schedules["default"].Weekly), 3)
	wantEqual(t, file.Workspace.EventTypes[0].Description, "tue")
}
