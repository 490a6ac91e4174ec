package public

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"

	"slotd/internal/identity/links"
	"slotd/internal/lib/limit"
	"slotd/internal/web/webtest"
)

// request is a request and what its answer must say.
type request struct {
	method, target string
	status         int
	framers        string // who may frame it
	private        bool
	form           url.Values
}

const acmeSite = "https://acme.example"

func (w *world) requests() []request {
	w.T.Helper()
	b := w.create("intro", at("02-02 09:00"))
	cancel, reschedule := strings.TrimPrefix(b["cancel_url"].(string), baseURL),
		strings.TrimPrefix(b["reschedule_url"].(string), baseURL)
	own := w.book("/acme/intro", at("02-02 09:30"))
	action, fields := w.filled("/acme/intro", at("02-02 10:00"))
	lost, wrong := clone(fields), clone(fields)
	lost.Set("slot", at("02-02 09:00"))
	wrong.Set("email", "nobody")
	none := "'none'"
	return []request{
		{"GET", "/", 200, none, false, nil},
		{"GET", "/acme", 200, none, false, nil},
		{"GET", "/acme/intro", 200, none, false, nil},
		{"GET", "/acme/intro?slot=" + at("02-02 10:00"), 200, none, false, nil},
		{"GET", "/acme/intro?slot=" + at("02-02 09:00"), 200, none, false, nil},
		{"GET", "/acme/paid", 200, none, false, nil},
		{"GET", "/acme/", 308, none, false, nil},
		{"GET", "/nowhere", 404, none, false, nil},
		{"GET", "/acme/nothing", 404, none, false, nil},
		{"GET", "/a/b/c/d", 404, none, false, nil},
		{"GET", "/static/x/nothing", 404, none, false, nil},
		{"DELETE", "/acme/intro", 405, none, false, nil},
		{"POST", "/acme", 405, none, false, nil},
		{"POST", action, 400, none, false, url.Values{}},
		{"POST", action, 409, none, false, lost},
		{"POST", action, 422, none, false, wrong},
		{"POST", "/acme/paid", 402, none, false, fields},
		{"POST", action, 303, none, false, fields},
		{"GET", "/embed/acme", 200, acmeSite, false, nil},
		{"GET", "/embed/acme/intro", 200, acmeSite, false, nil},
		{"GET", "/embed/acme/intro?slot=" + at("02-02 11:00"), 200, acmeSite, false, nil},
		{"POST", "/embed" + action, 400, acmeSite, false, url.Values{}},
		{"POST", "/embed" + action, 409, acmeSite, false, lost},
		{"POST", "/embed" + action, 422, acmeSite, false, wrong},
		{"POST", "/embed" + action, 303, acmeSite, false, fields},
		{"GET", "/embed/acme/nothing", 404, acmeSite, false, nil},
		{"GET", "/embed/other", 200, none, false, nil},
		{"GET", "/embed/other/intro", 200, none, false, nil},
		{"GET", "/embed/other/nothing", 404, none, false, nil},
		{"GET", "/embed/nowhere", 404, none, false, nil},
		{"PUT", "/embed/acme", 405, none, false, nil},
		{"GET", "/embed" + own, 200, acmeSite, true, nil},
		{"GET", "/embed/b/booking/x", 404, none, true, nil},
		{"GET", own, 200, none, true, nil},
		{"GET", cancel, 200, none, true, nil},
		{"GET", reschedule, 200, none, true, nil},
		{"GET", reschedule + "?slot=" + at("02-02 12:00"), 200, none, true, nil},
		{"GET", "/b/cancel/x", 404, none, true, nil},
		{"GET", "/b/nothing/x", 404, none, true, nil},
		{"GET", own + "/", 308, none, true, nil},
		{"DELETE", cancel, 405, none, true, nil},
		{"POST", own, 405, none, true, nil},
		{"POST", cancel, 422, none, true, url.Values{"reason": {"a\x00b"}}},
		{"POST", reschedule, 400, none, true, url.Values{}},
		{"POST", reschedule, 409, none, true, url.Values{"slot": {at("02-02 09:30")}}},
		{"POST", reschedule, 303, none, true, url.Values{"slot": {at("02-02 13:00")}}},
		{"POST", cancel, 303, none, true, nil},
		{"GET", cancel, 200, none, true, nil},
		{"POST", reschedule, 409, none, true, url.Values{"slot": {at("02-02 14:00")}}},
	}
}

// paymentRequests returns the requests around a payment.
func (w *world) paymentRequests() []request {
	w.T.Helper()
	held, released, paid := w.hold("/acme/paid", at("02-03 09:00")), w.hold("/acme/paid", at("02-03 10:00")),
		w.hold("/acme/paid", at("02-03 11:00"))
	w.unpaid(released)
	w.pays(paid)
	action, fields := w.filled("/acme/paid", at("02-03 12:00"))
	lost := clone(fields)
	lost.Set("slot", at("02-03 09:00"))
	none := "'none'"
	return []request{
		{"GET", "/acme/paid", 200, none, false, nil},
		{"GET", "/embed/acme/paid?slot=" + at("02-03 12:00"), 200, acmeSite, false, nil},
		{"GET", w.link(held, links.Booking), 200, none, true, nil},
		{"GET", w.link(held, links.Pay), 200, none, true, nil},
		{"GET", w.link(held, links.Unpaid), 200, none, true, nil},
		{"POST", w.link(held, links.Pay), 405, none, true, nil},
		{"GET", w.link(held, links.Cancel), 404, none, true, nil},
		{"GET", w.link(released, links.Booking), 200, none, true, nil},
		{"GET", w.link(released, links.Pay), 200, none, true, nil},
		{"GET", w.link(released, links.Unpaid), 200, none, true, nil},
		{"GET", w.link(paid, links.Booking), 200, none, true, nil},
		{"GET", w.link(paid, links.Pay), 303, none, true, nil},
		{"GET", w.link(paid, links.Unpaid), 303, none, true, nil},
		{"POST", w.link(paid, links.Unpaid), 303, none, true, nil},
		{"GET", w.link(paid, links.Cancel), 200, none, true, nil},
		{"GET", "/b/pay/x", 404, none, true, nil},
		{"GET", "/b/unpaid/x", 404, none, true, nil},
		{"POST", "/b/unpaid/x", 404, none, true, nil},
		{"POST", action, 409, none, false, lost},
		{"POST", action, 303, none, false, fields},
		{"POST", w.link(held, links.Unpaid), 200, none, true, nil},
	}
}

func TestHeaders_OfEveryPage(t *testing.T) {
	w := newSQLiteWorld(t)
	w.wantPages(t, w.requests())
	w.takesPayments()
	w.wantPages(t, w.paymentRequests())
	w.Reads = limit.New[netip.Addr](1)
	for range 10 {
		w.get("/")
	}
	for _, c := range []request{{"GET", "/acme", 429, "'none'", false, nil},
		{"GET", "/embed/acme", 429, "'none'", false, nil}, {"GET", "/b/cancel/x", 429, "'none'", true, nil}} {
		wantPage(t, c, w.get(c.target).Is(429))
	}
}

func (w *world) wantPages(t *testing.T, requests []request) {
	t.Helper()
	for _, c := range requests {
		got := w.requestFrom("192.0.2.1:1", c.method, c.target, c.form).Is(c.status)
		wantPage(t, c, got)
		if c.method == "GET" {
			head := w.requestFrom("192.0.2.1:1", "HEAD", c.target, nil).Is(c.status)
			wantPage(t, c, answer{T: t, Status: head.Status, Header: head.Header, Body: got.Body})
		}
	}
}

func wantPage(t *testing.T, c request, got answer) {
	t.Helper()
	about := fmt.Sprint(c.method, " ", c.target, " ", c.status)
	want := map[string]string{"X-Content-Type-Options": "nosniff", "Set-Cookie": ""}
	if c.private {
		want["Cache-Control"], want["Referrer-Policy"], want["X-Robots-Tag"] = "no-store", "no-referrer",
			"noindex, nofollow"
	}
	for name, value := range want {
		if got.Header.Get(name) != value {
			t.Errorf("%s: %s is %q, want %q", about, name, got.Header.Get(name), value)
		}
	}
	wantPolicy(t, about, got.Header.Get("Content-Security-Policy"), c.framers)
	if c.private && got.Header.Get("Content-Encoding") != "" {
		t.Errorf("%s is compressed, so that its length tells of its secrets", about)
	}
	if c.status/100 != 3 {
		wantNothingInline(t, about, webtest.ParseHTML(t, got.Body), c.private || c.status >= 400 && c.method == "GET")
	}
}

func wantPolicy(t *testing.T, about, policy, framers string) {
	t.Helper()
	if strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") ||
		!strings.HasPrefix(policy, "default-src 'none';") {
		t.Errorf("%s: the policy is %q", about, policy)
	}
	if _, got, _ := strings.Cut(policy, "frame-ancestors "); got != framers {
		t.Errorf("%s: may be framed by %q, want %q", about, got, framers)
	}
}

// wantNothingInline checks that the page has no inline scripts and styles, and that hidden pages are not indexed.
func wantNothingInline(t *testing.T, about string, page *node, hidden bool) {
	t.Helper()
	for _, script := range page.Find("script") {
		if script.Attr("type") != "application/ld+json" && (script.Attr("src") == "" || script.Content() != "") {
			t.Errorf("%s: a script stands in the page: %s", about, script.Content())
		}
	}
	if page.Has("style") {
		t.Errorf("%s: a style stands in the page", about)
	}
	checkAttributes(t, about, page)
	index := !slices.ContainsFunc(page.Find("meta"), func(n *node) bool {
		return n.Attr("name") == "robots" && strings.Contains(n.Attr("content"), "noindex")
	})
	if hidden && index {
		t.Errorf("%s: search engines may keep it", about)
	}
}

func TestHeaders_OfFiles(t *testing.T) {
	w := newSQLiteWorld(t)
	b := w.create("intro", at("02-02 09:00"))
	page := w.get("/acme").OK()
	files := []string{"/embed.js", "/favicon.ico", "/robots.txt", "/llms.txt"}
	for _, n := range append(page.Find("link"), page.Find("script")...) {
		for _, path := range []string{n.Attr("href"), n.Attr("src")} {
			if strings.HasPrefix(path, "/static/") {
				files = append(files, path)
			}
		}
	}
	if len(files) < 9 {
		t.Fatalf("the page needs more than %v", files)
	}
	for _, path := range files {
		got := w.get(path).Is(http.StatusOK)
		if got.Header.Get("X-Content-Type-Options") != "nosniff" || got.Header.Get("Set-Cookie") != "" ||
			!strings.HasPrefix(got.Header.Get("Cache-Control"), "public") ||
			strings.Contains(got.Header.Get("Content-Type"), "html") {
			t.Errorf("%s: %v", path, got.Header)
		}
		w.post(path, nil).Is(http.StatusMethodNotAllowed)
	}
	for _, purpose := range []links.Purpose{links.Calendar, links.HostCalendar} {
		got := w.get(w.link(b, purpose)).Is(http.StatusOK)
		wantPolicy(t, string(purpose), got.Header.Get("Content-Security-Policy"), "'none'")
		if !strings.HasPrefix(got.Body, "BEGIN:VCALENDAR") || got.Header.Get("Cache-Control") != "no-store" ||
			got.Header.Get("Referrer-Policy") != "no-referrer" || got.Header.Get("X-Robots-Tag") == "" ||
			got.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", purpose, got.Header)
		}
	}
}
