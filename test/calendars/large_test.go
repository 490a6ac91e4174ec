package calendars

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

const eventCount = 5000

// manyEvents returns ten events a day for 500 days, all from 6 to 7 UTC; one in ten of them repeats every week.
func manyEvents() (events []string) {
	first := time.Date(2030, 1, 8, 6, 0, 0, 0, time.UTC)
	for n := range eventCount {
		from := first.AddDate(0, 0, n%500)
		lines := []string{"DTSTART:" + stamp(from), "DTEND:" + stamp(from.Add(time.Hour))}
		if n%10 == 0 {
			lines = append(lines, "RRULE:FREQ=WEEKLY")
		}
		events = append(events, event(fmt.Sprintf("many-%d", n), lines...))
	}
	return events
}

// The promise is 3 s for the first read and 100 ms for a read without changes. The limits are three times that, because
// the machine may be busy.
const (
	maxFirstRead     = 3 * 3 * time.Second
	maxUnchangedRead = 3 * 100 * time.Millisecond
)

// The two tests of this file do not run in parallel with others, which would distort the measurements.
func TestLarge_Feed(t *testing.T) {
	var whole strings.Builder
	whole.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//slotd//test\r\n")
	for _, e := range manyEvents() {
		_, e, _ = strings.Cut(e, "BEGIN:VEVENT")
		e, _, _ = strings.Cut(e, "END:VCALENDAR")
		whole.WriteString("BEGIN:VEVENT" + e)
	}
	whole.WriteString("END:VCALENDAR\r\n")
	feed := newProxy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(whole.String()))
	}))
	measure(t, feedAt(feed.URL+secretPath))
}

func TestLarge_DAV(t *testing.T) {
	measure(t, davAt(newProxy(t, newQuickDAV()).URL+"/many/"))
}

// measure checks how long reads take, as the program reports it and by the time of the command. It subtracts the time
// of a list command, which reads no calendar.
func measure(t *testing.T, calendar string) {
	t.Helper()
	d := onSQLite(t)
	acme := d.office(t, "acme", calendars(calendar))
	output := d.command(t, "", "calendar", "test", "--workspace", "acme")
	found := regexp.MustCompile(`read in (\d+) ms, (\d+) busy times`).FindStringSubmatch(output)
	if found == nil {
		t.Fatalf("calendar test says %s", output)
	}
	millis, _ := strconv.Atoi(found[1])
	first := timed(func() { d.sync(t) })
	baseline := quickest(func() { d.command(t, "", "calendar", "list", "--workspace", "acme") })
	unchanged := max(0, quickest(func() { d.sync(t) })-baseline)
	t.Logf("%d events: read in %d ms, read and kept in %v, unchanged in %v; %s busy times", eventCount, millis,
		first-baseline,
		unchanged, found[2])
	if time.Duration(millis)*time.Millisecond > maxFirstRead || first > maxFirstRead || unchanged > maxUnchangedRead {
		t.Errorf("too slow: %d ms, %v, %v", millis, first, unchanged)
	}
	s := d.start(t)
	a, err := acme.create(s, "talk", "2030-02-07T06:20:00Z")
	wantCode(t, "a talk during one of the events", "slot_unavailable")(a, err)
	must(t)(acme.create(s, "talk", "2030-02-07T07:00:00Z"))
}

func timed(do func()) time.Duration {
	began := time.Now()
	do()
	return time.Since(began)
}

func quickest(do func()) time.Duration {
	best := timed(do)
	for range 4 {
		best = min(best, timed(do))
	}
	return best
}

// quickDAV is a CalDAV server with prepared responses, so that only slotd is measured.
type quickDAV struct {
	items map[string]string // responses with calendar data, by path
	all   string            // responses with ETags only
}

func newQuickDAV() *quickDAV {
	q := &quickDAV{items: map[string]string{}}
	var all strings.Builder
	for n, text := range manyEvents() {
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
