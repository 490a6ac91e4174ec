package caldav

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	"slotd/internal/calendar"
)

// script maps each request, given by its method and its depth or report name, to the server's responses. They are
// sent in order, and the last one repeats.
type script map[string][]answer

type answer struct {
	status int
	body   string
	header map[string]string
	do     http.HandlerFunc
}

// fake is a server that only knows its script.
type fake struct {
	*httptest.Server
	mu       sync.Mutex
	script   script
	requests []string
}

func newFake(t testing.TB, s script) *fake {
	f := &fake{script: s}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

var rootName = regexp.MustCompile(`^<(?:C:)?([a-z-]+)`)

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	question := r.Method
	switch r.Method {
	case "PROPFIND":
		question += " " + r.Header.Get("Depth")
	case "REPORT":
		question += " " + rootName.FindStringSubmatch(string(body))[1]
	}
	f.next(question).write(w, r)
}

func (f *fake) next(question string) answer {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests = append(f.requests, question)
	answers := f.script[question]
	switch len(answers) {
	case 0:
		return answer{status: http.StatusNotImplemented}
	case 1:
		return answers[0]
	}
	f.script[question] = answers[1:]
	return answers[0]
}

func (a answer) write(w http.ResponseWriter, r *http.Request) {
	if a.do != nil {
		a.do(w, r)
		return
	}
	if a.status == http.StatusMultiStatus {
		w.Header().Set("Content-Type", "application/xml")
	}
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(a.status)
	io.WriteString(w, a.body)
}

// count returns how often a request was made.
func (f *fake) count(question string) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range f.requests {
		if r == question {
			n++
		}
	}
	return n
}

// calendar connects the fake's only calendar, at a path that must not appear in errors.
func (f *fake) calendar() *Calendar {
	return New(loopback, Account{f.URL + "/hidden/", "alice", "s3cret"}, reader)
}

func multistatus(parts ...string) answer {
	return answer{status: 207, body: `<?xml version="1.0"?><D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" ` +
		`xmlns:CS="http://calendarserver.org/ns/">` + strings.Join(parts, "") + `</D:multistatus>`}
}

func resource(href, props string) string {
	return `<D:response><D:href>` + href + `</D:href><D:propstat><D:prop>` + props +
		`</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`
}

func status(href string, code int) string {
	return fmt.Sprintf(`<D:response><D:href>%s</D:href><D:status>HTTP/1.1 %d X</D:status></D:response>`, href, code)
}

func tagged(href, tag string) string { return resource(href, "<D:getetag>"+escape(tag)+"</D:getetag>") }

func withText(href, tag, text string) string {
	return resource(href, "<D:getetag>"+escape(tag)+"</D:getetag><C:calendar-data>"+escape(text)+"</C:calendar-data>")
}

const isCalendar = `<D:resourcetype><D:collection/><C:calendar/></D:resourcetype>`

// office is a correct server with one event and without synchronization.
func office() script {
	one := event("one", "20270110T100000Z")
	return script{
		"PROPFIND 0":               {multistatus(resource("/hidden/", isCalendar+"<CS:getctag>1</CS:getctag>"))},
		"PROPFIND 1":               {multistatus(resource("/hidden/", isCalendar), tagged("/hidden/one.ics", `"1"`))},
		"REPORT calendar-multiget": {multistatus(withText("/hidden/one.ics", `"1"`, one))},
		"GET":                      {{status: 200, body: one}},
	}
}

// synced is office with synchronization.
func synced() script {
	s := office()
	s["PROPFIND 0"] = []answer{multistatus(resource("/hidden/", isCalendar+"<D:sync-token>t0</D:sync-token>"))}
	s["REPORT sync-collection"] = []answer{multistatus(tagged("/hidden/one.ics", `"1"`),
		"<D:sync-token>t1</D:sync-token>")}
	return s
}

func (s script) with(question string, answers ...answer) script {
	s[question] = answers
	return s
}

func (f *fake) read(t testing.TB) (calendar.Changes, error) {
	t.Helper()
	return f.calendar().Changes(t.Context(), "", nil)
}
