package calendars

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd/internal/calendar/davtest"
)

// The host's day is three hours long for calls, and endless for short talks. In January, Berlin is an hour ahead of
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

// davAccount is a whole CalDAV account, into which bookings are written.
func davAccount(address string) string { return calendars(davAt(address) + ", write_back: true") }

// calendars are what the end of a workspace file says.
func calendars(each ...string) string { return "calendars: [{" + strings.Join(each, "}, {") + "}]\n" }

const password = ", username: alice, password_env: DAV_PASSWORD"

func davAt(address string) string  { return "name: office, type: caldav, url: " + address + password }
func feedAt(address string) string { return "name: club, type: ics, url: " + address }

// office is a workspace as its owner's programs use it.
type office struct{ slug, token string }

// answer is what a tool answered.
type answer struct {
	Slots     []string
	BookingID string `json:"booking_id"`
	Error     struct{ Code, Message string }
}

func (o office) call(s *server, tool string, arguments map[string]any) (a answer, err error) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": arguments}})
	if err != nil {
		return a, err
	}
	r, err := http.NewRequest("POST", s.url+"/api/mcp", strings.NewReader(string(body)))
	if err != nil {
		return a, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+o.token)
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return a, err
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		return a, err
	}
	var envelope struct {
		Result struct {
			Content []struct{ Text string }
		}
	}
	if err := json.Unmarshal(text, &envelope); err != nil || len(envelope.Result.Content) == 0 {
		return a, fmt.Errorf("no tool result: %s", text)
	}
	return a, json.Unmarshal([]byte(envelope.Result.Content[0].Text), &a)
}

// open lists the calls that can be booked in the two weeks from 14 January, as 02-15T04 in UTC.
func (o office) open(t *testing.T, s *server) []string {
	t.Helper()
	return hours(must(t)(o.availability(s, "2030-01-14", 14)).Slots)
}

func hours(slots []string) (short []string) {
	for _, slot := range slots {
		short = append(short, strings.TrimSuffix(strings.TrimPrefix(slot, "2030-"), ":00:00.000Z"))
	}
	return short
}

func (o office) availability(s *server, start string, days int) (answer, error) {
	return o.call(s, "get_availability",
		map[string]any{"workspace": o.slug, "event_type": "call", "start_date": start, "days": days})
}

// readable is true if slots are shown.
func (o office) readable(s *server) bool {
	a, err := o.availability(s, "2030-01-14", 1)
	return err == nil && a.Error.Code == ""
}

// create books. The start is short, as open has it.
func (o office) create(s *server, eventType, start string) (answer, error) {
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

func (o office) move(s *server, booking, start string) (answer, error) {
	return o.call(s, "reschedule_booking", map[string]any{"booking_id": booking, "slot_start": instant(start)})
}

func (o office) cancel(s *server, booking string) (answer, error) {
	return o.call(s, "cancel_booking", map[string]any{"booking_id": booking})
}

// must is for answers that are to be good.
func must(t *testing.T) func(answer, error) answer {
	return func(a answer, err error) answer {
		t.Helper()
		if err != nil || a.Error.Code != "" {
			t.Fatalf("%+v, %v", a, err)
		}
		return a
	}
}

// wantCode is for answers that are to be an error.
func wantCode(t *testing.T, what, code string) func(answer, error) {
	return func(a answer, err error) {
		t.Helper()
		if err != nil || a.Error.Code != code {
			t.Errorf("%s: %+v, %v; want %s", what, a, err, code)
		}
	}
}

// page is the status of the booking page.
func (o office) page(s *server) (int, error) {
	r, err := http.Get(s.url + "/" + o.slug + "/call")
	if err != nil {
		return 0, err
	}
	r.Body.Close()
	return r.StatusCode, nil
}

// twoWeeks are the calls of an empty calendar: at 9, 10 and 11 in Berlin.
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

// event is an item of a calendar with one event, of the given lines.
func event(uid string, lines ...string) string {
	return item("BEGIN:VEVENT", "UID:"+uid, "DTSTAMP:20300101T000000Z", "SUMMARY:Private", strings.Join(lines, "\r\n"),
		"END:VEVENT")
}

func item(lines ...string) string {
	return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//slotd//test\r\n" + strings.Join(lines, "\r\n") +
		"\r\nEND:VCALENDAR\r\n"
}

// stamp is a time as iCalendar has it, in UTC.
func stamp(t time.Time) string { return t.UTC().Format("20060102T150405Z") }

var realServers = map[string]func(testing.TB) davtest.Server{"radicale": davtest.Radicale, "xandikos": davtest.Xandikos}
