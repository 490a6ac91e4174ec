package public

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"slotd"
)

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
	for _, c := range []route{{"GET", own, 500, "'none'", true, nil}, {"POST", action, 500, "'none'", false, fields},
		{"POST", "/embed" + action, 500, acmeSite, false, fields}} {
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
	if !strings.Contains(log.String(), "errors_test.go") {
		t.Error("the log does not say where")
	}
	w.get("/acme").ok() // the next one is served
}

func TestEveryCode_HasAnApology(t *testing.T) {
	w := lite(t)
	log := w.quiet()
	titles := map[string]bool{}
	for _, code := range slotd.Codes {
		sorry, ok := errorPages[code]
		if !ok || sorry.Status < 400 || sorry.Title == "" || titles[sorry.Title] {
			t.Errorf("%s: %+v", code, sorry)
		}
		titles[sorry.Title] = true
		no := slotd.Errorf(code, "a message for agents")
		no.RetryAfter = 1500 * time.Millisecond
		got := w.failing(fmt.Errorf("wrapped: %w", no)).is(sorry.Status)
		if page := got.page(); page.first("h1").words() != sorry.Title || strings.Contains(got.body, "for agents") {
			t.Errorf("%s: %s", code, page.first("main").words())
		}
		if again := got.header.Get("Retry-After"); (again == "2") != (code == slotd.RateLimited) {
			t.Errorf("%s: Retry-After is %q", code, again)
		}
	}
	if len(errorPages) != len(slotd.Codes) {
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
	w.handle(reads{func(*visit) error { return err }}).ServeHTTP(recorder, httptest.NewRequest("GET", "/acme", nil))
	return answer{w.t, recorder.Code, recorder.Result().Header, recorder.Body.String()}
}
