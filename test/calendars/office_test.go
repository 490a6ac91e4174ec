package calendars

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd/internal/calendar/davtest"
	"slotd/test/harness"
)

// workspace offers calls for three hours a day, and short talks at any time. In January, Berlin is an hour ahead of
// UTC.
const workspace = `
workspace: {slug: SLUG, name: Acme, time_zone: Europe/Berlin}
host: {name: Ada, email: ada@acme.example}
schedules:
  default: {weekly: {mon: ["09:00-12:00"], tue: ["09:00-12:00"], wed: ["09:00-12:00"], thu: ["09:00-12:00"], fri: ["09:00-12:00"]}}
  always: {weekly: {mon: ["00:00-24:00"], tue: ["00:00-24:00"], wed: ["00:00-24:00"], thu: ["00:00-24:00"], fri: ["00:00-24:00"], sat: ["00:00-24:00"], sun: ["00:00-24:00"]}}
event_types:
  - {slug: call, title: Call, duration_minutes: 60, location: {type: video}, reminders_minutes_before: []}
  - {slug: talk, title: Talk, duration_minutes: 10, location: {type: video}, schedule: always, booking_window_days: 700, reminders_minutes_before: []}
`

const davPassword = "correct horse"

// davAccount returns a calendars section with a whole CalDAV account, into which bookings are written.
func davAccount(address string) string { return calendars(davAt(address) + ", write_back: true") }

// calendars returns the calendars section of a workspace file.
func calendars(each ...string) string { return "calendars: [{" + strings.Join(each, "}, {") + "}]\n" }

const password = ", username: alice, password_env: DAV_PASSWORD"

func davAt(address string) string  { return "name: office, type: caldav, url: " + address + password }
func feedAt(address string) string { return "name: club, type: ics, url: " + address }

// office is a workspace and the token for its tools.
type office struct{ slug, token string }

// answer is the result of a tool.
type answer struct {
	Slots     []string
	BookingID string `json:"booking_id"`
	Error     struct{ Code, Message string }
}

func (o office) call(s *harness.Server, tool string, arguments map[string]any) (a answer, err error) {
	return a, harness.CallTool(http.DefaultClient, s.URL, o.token, tool, arguments, &a)
}

// open returns the calls that can be booked in the two weeks from 14 January, in UTC and without the year and the
// minutes, such as 01-15T09.
func (o office) open(t *testing.T, s *harness.Server) []string {
	t.Helper()
	return shortSlots(must(t)(o.availability(s, "2030-01-14", 14)).Slots)
}

func shortSlots(slots []string) (all []string) {
	for _, slot := range slots {
		all = append(all, strings.TrimSuffix(strings.TrimPrefix(slot, "2030-"), ":00:00.000Z"))
	}
	return all
}

func (o office) availability(s *harness.Server, start string, days int) (answer, error) {
	return o.call(s, "get_availability",
		map[string]any{"workspace": o.slug, "event_type": "call", "start_date": start, "days": days})
}

// readable reports whether get_availability returns slots instead of an error.
func (o office) readable(s *harness.Server) bool {
	a, err := o.availability(s, "2030-01-14", 1)
	return err == nil && a.Error.Code == ""
}

// create makes a booking. start may have the short form that open returns.
func (o office) create(s *harness.Server, eventType, start string) (answer, error) {
	return o.call(s, "create_booking", map[string]any{
		"event_type": eventType, "slot_start": instant(start), "attendee_name": "Guest",
		"attendee_email": "guest@example.com", "attendee_time_zone": "UTC",
	})
}

func instant(short string) string {
	if len(short) == len("01-15T04") {
		return "2030-" + short + ":00:00Z"
	}
	return short
}

func (o office) move(s *harness.Server, booking, start string) (answer, error) {
	return o.call(s, "reschedule_booking", map[string]any{"booking_id": booking, "slot_start": instant(start)})
}

func (o office) cancel(s *harness.Server, booking string) (answer, error) {
	return o.call(s, "cancel_booking", map[string]any{"booking_id": booking})
}

// must returns a function that fails the test if a call did not succeed.
func must(t *testing.T) func(answer, error) answer {
	return func(a answer, err error) answer {
		t.Helper()
		if err != nil || a.Error.Code != "" {
			t.Fatalf("%+v, %v", a, err)
		}
		return a
	}
}

// wantCode returns a function that fails the test unless a call returned the error code.
func wantCode(t *testing.T, what, code string) func(answer, error) {
	return func(a answer, err error) {
		t.Helper()
		if err != nil || a.Error.Code != code {
			t.Errorf("%s: %+v, %v; want %s", what, a, err, code)
		}
	}
}

// page returns the HTTP status of the booking page.
func (o office) page(s *harness.Server) (int, error) {
	r, err := http.Get(s.URL + "/" + o.slug + "/call")
	if err != nil {
		return 0, err
	}
	r.Body.Close()
	return r.StatusCode, nil
}

// twoWeeks returns the open calls if the calendar is empty: at 9, 10 and 11 in Berlin.
func twoWeeks() (all []string) {
	for _, day := range []int{14, 15, 16, 17, 18, 21, 22, 23, 24, 25} {
		for _, hour := range []int{8, 9, 10} {
			all = append(all, fmt.Sprintf("01-%dT%02d", day, hour))
		}
	}
	return all
}

func without(all []string, taken ...string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(slot string) bool { return slices.Contains(taken, slot) })
}

// event returns a calendar item with one event that has the given lines.
func event(uid string, lines ...string) string {
	return item("BEGIN:VEVENT", "UID:"+uid, "DTSTAMP:20300101T000000Z", "SUMMARY:Private", strings.Join(lines, "\r\n"),
		"END:VEVENT")
}

func item(lines ...string) string {
	return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//slotd//test\r\n" + strings.Join(lines, "\r\n") +
		"\r\nEND:VCALENDAR\r\n"
}

// stamp formats a time for iCalendar, in UTC.
func stamp(t time.Time) string { return t.UTC().Format("20060102T150405Z") }

var realServers = map[string]func(testing.TB) davtest.Server{"radicale": davtest.Radicale, "xandikos": davtest.Xandikos}
