package public

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/http"
	"net/http/httptest"
	netmail "net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/limit"
	"slotd/internal/links"
	"slotd/internal/mail"
)

// route is one way to get an answer.
type route struct {
	method, target string
	status         int
	framers        string // who may frame it
	private        bool
	form           url.Values
}

const acmeSite = "https://acme.example"

func (w *world) routes() []route {
	w.t.Helper()
	b := w.create("intro", at("02-02 09:00"))
	cancel, reschedule := strings.TrimPrefix(b["cancel_url"].(string), baseURL), strings.TrimPrefix(b["reschedule_url"].(string), baseURL)
	own := w.book("/acme/intro", at("02-02 09:30"))
	action, fields := w.filled("/acme/intro", at("02-02 10:00"))
	lost, wrong := clone(fields), clone(fields)
	lost.Set("slot", at("02-02 09:00"))
	wrong.Set("email", "nobody")
	none := "'none'"
	return []route{
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

// moneyRoutes are the ways to a payment and back.
func (w *world) moneyRoutes() []route {
	w.t.Helper()
	held, released, paid := w.hold("/acme/paid", at("02-03 09:00")), w.hold("/acme/paid", at("02-03 10:00")), w.hold("/acme/paid", at("02-03 11:00"))
	w.unpaid(released)
	w.pays(paid)
	action, fields := w.filled("/acme/paid", at("02-03 12:00"))
	lost := clone(fields)
	lost.Set("slot", at("02-03 09:00"))
	none := "'none'"
	return []route{
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
	w := lite(t)
	w.wantPages(t, w.routes())
	w.takesPayments()
	w.wantPages(t, w.moneyRoutes())
	w.Reads = limit.New[netip.Addr](1)
	for range 10 {
		w.get("/")
	}
	for _, c := range []route{{"GET", "/acme", 429, "'none'", false, nil}, {"GET", "/embed/acme", 429, "'none'", false, nil}, {"GET", "/b/cancel/x", 429, "'none'", true, nil}} {
		wantPage(t, c, w.get(c.target).is(429))
	}
}

func (w *world) wantPages(t *testing.T, routes []route) {
	t.Helper()
	for _, c := range routes {
		got := w.from("192.0.2.1:1", c.method, c.target, c.form).is(c.status)
		wantPage(t, c, got)
		if c.method == "GET" {
			head := w.from("192.0.2.1:1", "HEAD", c.target, nil).is(c.status)
			wantPage(t, c, answer{t, head.status, head.header, got.body})
		}
	}
}

func wantPage(t *testing.T, c route, got answer) {
	t.Helper()
	about := fmt.Sprint(c.method, " ", c.target, " ", c.status)
	want := map[string]string{"X-Content-Type-Options": "nosniff", "Set-Cookie": ""}
	if c.private {
		want["Cache-Control"], want["Referrer-Policy"], want["X-Robots-Tag"] = "no-store", "no-referrer", "noindex, nofollow"
	}
	for name, value := range want {
		if got.header.Get(name) != value {
			t.Errorf("%s: %s is %q, want %q", about, name, got.header.Get(name), value)
		}
	}
	wantPolicy(t, about, got.header.Get("Content-Security-Policy"), c.framers)
	if c.private && got.header.Get("Content-Encoding") != "" {
		t.Errorf("%s is compressed, so that its length tells of its secrets", about)
	}
	if c.status/100 != 3 {
		wantNothingInline(t, about, parseHTML(t, got.body), c.private || c.status >= 400 && c.method == "GET")
	}
}

func wantPolicy(t *testing.T, about, policy, framers string) {
	t.Helper()
	if strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") || !strings.HasPrefix(policy, "default-src 'none';") {
		t.Errorf("%s: the policy is %q", about, policy)
	}
	if _, got, _ := strings.Cut(policy, "frame-ancestors "); got != framers {
		t.Errorf("%s: may be framed by %q, want %q", about, got, framers)
	}
}

// wantNothingInline also holds that a page that is not for everyone is not to be found.
func wantNothingInline(t *testing.T, about string, page *node, hidden bool) {
	t.Helper()
	for _, script := range page.find("script") {
		if script.attr("type") != "application/ld+json" && (script.attr("src") == "" || script.content() != "") {
			t.Errorf("%s: a script stands in the page: %s", about, script.content())
		}
	}
	if page.has("style") {
		t.Errorf("%s: a style stands in the page", about)
	}
	checkAttributes(t, about, page)
	index := !slices.ContainsFunc(page.find("meta"), func(n *node) bool {
		return n.attr("name") == "robots" && strings.Contains(n.attr("content"), "noindex")
	})
	if hidden && index {
		t.Errorf("%s: search engines may keep it", about)
	}
}

func TestHeaders_OfFiles(t *testing.T) {
	w := lite(t)
	b := w.create("intro", at("02-02 09:00"))
	page := w.get("/acme").ok()
	files := []string{"/embed.js", "/favicon.ico", "/robots.txt", "/llms.txt"}
	for _, n := range append(page.find("link"), page.find("script")...) {
		for _, path := range []string{n.attr("href"), n.attr("src")} {
			if strings.HasPrefix(path, "/static/") {
				files = append(files, path)
			}
		}
	}
	if len(files) < 9 {
		t.Fatalf("the page needs more than %v", files)
	}
	for _, path := range files {
		got := w.get(path).is(http.StatusOK)
		if got.header.Get("X-Content-Type-Options") != "nosniff" || got.header.Get("Set-Cookie") != "" || !strings.HasPrefix(got.header.Get("Cache-Control"), "public") || strings.Contains(got.header.Get("Content-Type"), "html") {
			t.Errorf("%s: %v", path, got.header)
		}
		w.post(path, nil).is(http.StatusMethodNotAllowed)
	}
	for _, purpose := range []links.Purpose{links.Calendar, links.HostCalendar} {
		got := w.get(w.link(b, purpose)).is(http.StatusOK)
		wantPolicy(t, string(purpose), got.header.Get("Content-Security-Policy"), "'none'")
		if !strings.HasPrefix(got.body, "BEGIN:VCALENDAR") || got.header.Get("Cache-Control") != "no-store" || got.header.Get("Referrer-Policy") != "no-referrer" || got.header.Get("X-Robots-Tag") == "" || got.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", purpose, got.header)
		}
	}
}

var ourLink = regexp.MustCompile(regexp.QuoteMeta(baseURL) + `[^\s"'<>\\]*`)

// linksOf finds every link to us in a mail, in all of its parts.
func linksOf(t *testing.T, raw []byte) (found []string) {
	t.Helper()
	m, err := netmail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	var read func(kind, encoding string, body io.Reader)
	read = func(kind, encoding string, body io.Reader) {
		switch encoding {
		case "quoted-printable":
			body = quotedprintable.NewReader(body)
		case "base64":
			body = base64.NewDecoder(base64.StdEncoding, body)
		}
		media, params, err := mime.ParseMediaType(kind)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(media, "multipart/") {
			text, _ := io.ReadAll(body)
			unfolded := strings.ReplaceAll(string(text), "\r\n ", "")
			found = append(found, ourLink.FindAllString(html.UnescapeString(unfolded), -1)...)
			return
		}
		parts := multipart.NewReader(body, params["boundary"])
		for part, err := parts.NextRawPart(); err == nil; part, err = parts.NextRawPart() {
			read(part.Header.Get("Content-Type"), part.Header.Get("Content-Transfer-Encoding"), part)
		}
	}
	read(m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), m.Body)
	return found
}

// mailLinks are all links in all mails that may be sent about the booking as it is.
func (w *world) mailLinks(b object) (found []string) {
	w.t.Helper()
	w.Booking.MailFrom = netmail.Address{Address: "slotd@book.example"}
	p, err := w.Booking.Shelf.Workspace(background, "acme")
	w.must(err)
	for _, what := range []mail.What{mail.Booked, mail.Rescheduled, mail.Canceled, mail.Reminder} {
		for _, to := range []mail.Recipient{mail.ToAttendee, mail.ToHost} {
			if what == mail.Reminder && to == mail.ToHost {
				continue
			}
			n := w.Booking.Notice(p, w.stored(b), what, to)
			n.At, n.Was, n.Minutes = w.clock.Now(), w.clock.Now(), 60
			message, err := mail.Compose(n, w.clock.Now())
			w.must(err)
			found = append(found, linksOf(w.t.(*testing.T), message.Data)...)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// Mail scanners and browsers open what they find, long before a person does.
func TestOpening_EveryLinkOfMailsAndPagesChangesNothing(t *testing.T) {
	w := lite(t)
	live, canceled := w.create("intro", at("02-02 09:00")), w.create("intro", at("02-02 09:30"))
	w.post(w.link(canceled, links.Cancel), nil).is(http.StatusSeeOther)
	todo := append(w.mailLinks(live), w.mailLinks(canceled)...)
	if kinds := strings.Join(todo, " "); len(todo) < 8 || !strings.Contains(kinds, "/b/cancel/") || !strings.Contains(kinds, "/b/reschedule/") || !strings.Contains(kinds, "/b/ics/") || !strings.Contains(kinds, "/b/host-ics/") || !strings.Contains(kinds, "/acme/intro") {
		t.Fatalf("the mails hold %v", todo)
	}
	w.takesPayments()
	held, late, paid := w.hold("/acme/paid", at("02-03 09:00")), w.hold("/acme/paid", at("02-03 10:00")), w.hold("/acme/paid", at("02-03 11:00"))
	w.unpaid(late)
	w.pays(paid)
	todo = append(todo, w.mailLinks(paid)...)
	for _, b := range []object{held, late, paid} {
		todo = append(todo, w.link(b, links.Booking), w.link(b, links.Pay), w.link(b, links.Unpaid), w.link(b, links.Cancel))
	}
	todo = append(todo, w.link(live, links.Booking), "/embed"+w.link(live, links.Booking), "/", "/acme", "/embed/acme")
	before, seen := w.dump(), map[string]bool{}
	if !strings.Contains(before, "\nbookings [") || !strings.Contains(before, "\njobs [") {
		t.Fatal("the dump leaves things out")
	}
	for len(todo) > 0 && len(seen) < 250 {
		target := strings.TrimPrefix(strings.TrimPrefix(todo[0], baseURL), "http://")
		target, _, _ = strings.Cut(target, "#")
		todo = todo[1:]
		if !strings.HasPrefix(target, "/") || seen[target] {
			continue
		}
		seen[target] = true
		got := w.get(target)
		for _, method := range []string{"HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE"} {
			want := http.StatusMethodNotAllowed
			if method == "HEAD" {
				want = got.status
			}
			if other := w.do(w.request(method, target, nil)); other.status != want {
				t.Errorf("%s %s: %d, want %d", method, target, other.status, want)
			} else if allow := other.header.Get("Allow"); method != "HEAD" && !strings.HasPrefix(allow, "GET, HEAD") {
				t.Errorf("%s %s: Allow is %q", method, target, allow)
			}
		}
		if got.status != http.StatusOK || !strings.HasPrefix(got.header.Get("Content-Type"), "text/html") {
			continue
		}
		for _, n := range got.page().find("a") {
			todo = append(todo, n.attr("href"))
		}
		if now := w.dump(); now != before {
			t.Fatalf("opening %s changed something:\n%s\n%s", target, before, now)
		}
	}
	if len(seen) < 60 || w.dump() != before {
		t.Errorf("%d pages were opened", len(seen))
	}
}

// quiet gives the world a log of its own, for tests that make things go wrong.
func (w *world) quiet() *bytes.Buffer {
	log := &bytes.Buffer{}
	w.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	return log
}

var reportID = regexp.MustCompile(`report it with this number: ([A-Z2-7]{10})( See what can be booked)?$`)

// wantReport checks the page of an error that nobody foresaw.
func wantReport(t *testing.T, got answer, log *bytes.Buffer, secret string) {
	t.Helper()
	page := got.is(http.StatusInternalServerError).page()
	m := reportID.FindStringSubmatch(page.first("main").words())
	if m == nil || strings.Count(log.String(), "id="+m[1]) != 1 {
		t.Errorf("the page says %q, the log\n%s", page.first("main").words(), log)
	}
	if !strings.Contains(log.String(), secret) || strings.Contains(got.body, secret) {
		t.Errorf("the error's own text belongs in the log and not on the page:\n%s\n%s", log, got.body)
	}
}

func TestUnexpectedErrors_AreInTheLogAndNotOnThePage(t *testing.T) {
	w := lite(t)
	own, log := w.book("/acme/intro", at("02-02 09:00")), w.quiet()
	action, fields := w.filled("/acme/intro", at("02-02 10:00"))
	w.must(w.db.Close())
	for _, c := range []route{{"GET", own, 500, "'none'", true, nil}, {"POST", action, 500, "'none'", false, fields}, {"POST", "/embed" + action, 500, acmeSite, false, fields}} {
		log.Reset()
		got := w.from("192.0.2.1:1", c.method, c.target, c.form)
		wantReport(t, got, log, "database is closed")
		wantPage(t, c, got)
		for _, secret := range []string{own[len("/b/booking/"):], fields.Get("form"), "Grace", "grace@", "Okafor"} {
			if strings.Contains(log.String(), secret) {
				t.Errorf("the log holds %s:\n%s", secret, log)
			}
		}
	}
}

func TestPanic_IsInTheLogAndNotOnThePage(t *testing.T) {
	w := lite(t)
	log := w.quiet()
	w.Wait = func(time.Duration) { panic("the sky is falling") }
	action, fields := w.filled("/acme/intro", at("02-02 10:00"))
	got := w.post(action, fields)
	wantReport(t, got, log, "the sky is falling")
	wantPage(t, route{"POST", action, 500, "'none'", false, nil}, got)
	if !strings.Contains(log.String(), "headers_test.go") {
		t.Error("the log does not say where")
	}
	w.get("/acme").ok() // the next one is served
}

func TestEveryCode_HasAnApology(t *testing.T) {
	w := lite(t)
	log := w.quiet()
	titles := map[string]bool{}
	for _, code := range slotd.Codes {
		sorry, ok := apologies[code]
		if !ok || sorry.status < 400 || sorry.title == "" || titles[sorry.title] {
			t.Errorf("%s: %+v", code, sorry)
		}
		titles[sorry.title] = true
		no := slotd.Errorf(code, "a message for agents")
		no.RetryAfter = 1500 * time.Millisecond
		got := w.failing(fmt.Errorf("wrapped: %w", no)).is(sorry.status)
		if page := got.page(); page.first("h1").words() != sorry.title || strings.Contains(got.body, "for agents") {
			t.Errorf("%s: %s", code, page.first("main").words())
		}
		if again := got.header.Get("Retry-After"); (again == "2") != (code == slotd.RateLimited) {
			t.Errorf("%s: Retry-After is %q", code, again)
		}
	}
	if len(apologies) != len(slotd.Codes) {
		t.Error("there is an apology for what never happens")
	}
	if log.Len() > 0 {
		t.Errorf("what is foreseen is no news: %s", log)
	}
	wantReport(t, w.failing(errors.New("a secret")), log, "a secret")
}

// failing is what a page shows that ends in the error.
func (w *world) failing(err error) answer {
	recorder := httptest.NewRecorder()
	w.door(reads{func(*visit) error { return err }}).ServeHTTP(recorder, httptest.NewRequest("GET", "/acme", nil))
	return answer{w.t, recorder.Code, recorder.Result().Header, recorder.Body.String()}
}
