package public

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"slotd/internal/lib/say"
	"slotd/internal/web/webtest"
	"slotd/test/worlds"

	"slotd"
)

// captureLog gives the server a new log, for tests that cause errors, and returns it.
func (w *world) captureLog() *worlds.Log {
	log := &worlds.Log{}
	w.Guard.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	return log
}

var reportID = regexp.MustCompile(`report it with this number: ([A-Z2-7]{10})( See what you can book)?$`)

// wantReport checks the page of an unexpected error.
func wantReport(t *testing.T, got answer, log *worlds.Log, secret string) {
	t.Helper()
	page := got.Is(http.StatusInternalServerError).Page()
	m := reportID.FindStringSubmatch(page.First("main").Words())
	if m == nil || strings.Count(log.String(), "id="+m[1]) != 1 {
		t.Errorf("the page says %q, the log\n%s", page.First("main").Words(), log)
	}
	if !strings.Contains(log.String(), secret) || strings.Contains(got.Body, secret) {
		t.Errorf("the error's own text belongs in the log and not on the page:\n%s\n%s", log, got.Body)
	}
}

func TestUnexpectedErrors_AreInTheLogAndNotOnThePage(t *testing.T) {
	w := newSQLiteWorld(t)
	own, log := w.book("/acme/intro", at("02-02 09:00")), w.captureLog()
	action, fields := w.filled("/acme/intro", at("02-02 10:00"))
	w.Must(w.DB.Close())
	for _, c := range []request{{"GET", own, 500, "'none'", true, nil}, {"POST", action, 500, "'none'", false, fields},
		{"POST", "/embed" + action, 500, acmeSite, false, fields}} {
		log.Reset()
		got := w.requestFrom("192.0.2.1:1", c.method, c.target, c.form)
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
	w := newSQLiteWorld(t)
	log := w.captureLog()
	w.Wait = func(time.Duration) { panic("the sky is falling") }
	action, fields := w.filled("/acme/intro", at("02-02 10:00"))
	got := w.post(action, fields)
	wantReport(t, got, log, "the sky is falling")
	wantPage(t, request{"POST", action, 500, "'none'", false, nil}, got)
	if !strings.Contains(log.String(), "errors_test.go") {
		t.Error("the log does not say where")
	}
	w.get("/acme").OK() // the next request is served
}

func TestEveryCode_HasAnErrorPage(t *testing.T) {
	w := newSQLiteWorld(t)
	log := w.captureLog()
	titles := map[say.Sentence]bool{}
	for _, code := range slotd.Codes {
		want, ok := errorPages[code]
		if !ok || want.Status < 400 || want.Title == "" || titles[want.Title] {
			t.Errorf("%s: %+v", code, want)
		}
		titles[want.Title] = true
		codeErr := slotd.NewError(code, slotd.Facts{RetryAfter: 1500 * time.Millisecond})
		got := w.failWith(fmt.Errorf("wrapped: %w", codeErr)).Is(want.Status)
		if page := got.Page(); page.First("h1").Words() != want.Title.String() {
			t.Errorf("%s: %s", code, page.First("main").Words())
		}
		if again := got.Header.Get("Retry-After"); (again == "2") != (code == slotd.RateLimited) {
			t.Errorf("%s: Retry-After is %q", code, again)
		}
	}
	if len(errorPages) != len(slotd.Codes) {
		t.Error("there is an apology for what never happens")
	}
	if log.String() != "" {
		t.Errorf("what is foreseen is no news: %s", log)
	}
	wantReport(t, w.failWith(errors.New("a secret")), log, "a secret")
}

// failWith returns the response of a page that fails with the error.
func (w *world) failWith(err error) answer {
	handler := w.handle(getRoute{func(*visit) error { return err }})
	return webtest.Serve(w.T, handler, httptest.NewRequest("GET", "/acme", nil))
}
