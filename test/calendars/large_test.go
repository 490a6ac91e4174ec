package calendars

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"slotd/test/await"
)

// manyEvents returns events on 500 days, all from 6 to 7 UTC; one in ten of them repeats every week.
func manyEvents(count int) (events []string) {
	first := time.Date(2030, 1, 8, 6, 0, 0, 0, time.UTC)
	for n := range count {
		from := first.AddDate(0, 0, n%500)
		lines := []string{"DTSTART:" + stamp(from), "DTEND:" + stamp(from.Add(time.Hour))}
		if n%10 == 0 {
			lines = append(lines, "RRULE:FREQ=WEEKLY")
		}
		events = append(events, event(fmt.Sprintf("many-%d", n), lines...))
	}
	return events
}

func TestLarge_Feed(t *testing.T) {
	t.Parallel()
	wantRead(t, func(events int) string {
		whole := feedOf(manyEvents(events))
		feed := newProxy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"1"`)
			http.ServeContent(w, r, "", time.Time{}, strings.NewReader(whole))
		}))
		return feedAt(feed.URL + secretPath)
	})
}

// feedOf returns one calendar with all events.
func feedOf(events []string) string {
	var whole strings.Builder
	whole.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//slotd//test\r\n")
	for _, e := range events {
		_, e, _ = strings.Cut(e, "BEGIN:VEVENT")
		e, _, _ = strings.Cut(e, "END:VCALENDAR")
		whole.WriteString("BEGIN:VEVENT" + e)
	}
	return whole.String() + "END:VCALENDAR\r\n"
}

func TestLarge_DAV(t *testing.T) {
	t.Parallel()
	wantRead(t, func(events int) string { return davAt(newProxy(t, newQuickDAV(events)).URL + "/many/") })
}

var tookTooLong = regexp.MustCompile(`took longer than|in time`)

// wantRead checks that a calendar of 5000 events is read, again without changes, and that its events take time. The
// program gives up a read after 30 seconds, so a machine that is too slow for that gets fewer events.
func wantRead(t *testing.T, calendar func(events int) string) {
	t.Helper()
	const atLeast = 600 // three requests of a CalDAV server
	events, d := 5000, onSQLite(t)
	acme := d.office(t, "acme", calendars(calendar(events)))
	await.True(t, "the calendar is read", func() bool {
		output, exit := d.Try("", "calendar", "sync", "--workspace", "acme")
		if exit == 0 {
			return true
		}
		if !tookTooLong.MatchString(output) {
			t.Fatalf("%d events: %s", events, output)
		}
		t.Logf("%d events: %s", events, output)
		events = max(events/2, atLeast)
		d.apply(t, "acme", calendars(calendar(events)))
		return false
	})
	d.sync(t)
	if l := d.listLine(t, "acme"); l.State != "ok" || l.Busy < events {
		t.Errorf("the calendar is %+v, want %d events", l, events)
	}
	output := d.untilItWorks(t, "calendar", "test", "--workspace", "acme")
	if !regexp.MustCompile(`read in \d+ ms, \d+ busy times`).MatchString(output) {
		t.Errorf("calendar test says %s", output)
	}
	s := d.Serve(t)
	a, err := acme.create(s, "talk", "2030-02-07T06:20:00Z")
	wantCode(t, "a talk during one of the events", "slot_unavailable")(a, err)
	must(t)(acme.create(s, "talk", "2030-02-07T07:00:00Z"))
}

// quickDAV is a CalDAV server with prepared responses: a real one takes long to fill.
type quickDAV struct {
	items map[string]string // responses with calendar data, by path
	all   string            // responses with ETags only
}

func newQuickDAV(events int) *quickDAV {
	q := &quickDAV{items: map[string]string{}}
	var all strings.Builder
	for n, text := range manyEvents(events) {
		path := fmt.Sprintf("/many/%d.ics", n)
		q.items[path] = davResponse(path, `<D:getetag>"1"</D:getetag><C:calendar-data>`+text+`</C:calendar-data>`)
		all.WriteString(davResponse(path, `<D:getetag>"1"</D:getetag>`))
	}
	q.all = all.String()
	return q
}

func davResponse(path, props string) string {
	return `<D:response><D:href>` + path + `</D:href><D:propstat><D:prop>` + props +
		`</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`
}

var davHref = regexp.MustCompile(`<href>([^<]*)</href>`)

func (q *quickDAV) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	request, _ := io.ReadAll(r.Body)
	const token = `<D:sync-token>http://quick.example/1</D:sync-token>`
	var answer strings.Builder
	switch body := string(request); {
	case r.Method == "PROPFIND":
		answer.WriteString(davResponse("/many/", `<D:resourcetype><D:collection/><C:calendar/></D:resourcetype>`+token))
	case strings.Contains(body, "quick.example/1"):
		answer.WriteString(token)
	case strings.Contains(body, "sync-collection"):
		answer.WriteString(q.all + token)
	default:
		for _, href := range davHref.FindAllStringSubmatch(body, -1) {
			answer.WriteString(q.items[href[1]])
		}
	}
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(http.StatusMultiStatus)
	io.WriteString(w, `<?xml version="1.0"?><D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">`+
		answer.String()+`</D:multistatus>`)
}
