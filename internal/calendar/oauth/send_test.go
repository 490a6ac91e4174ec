package oauth_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"slotd/internal/calendar"
	"slotd/internal/calendar/oauth"
	"slotd/internal/lib/safehttp"
)

func (w *world) send(s *oauth.Source) (*oauth.Response, error) {
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.events, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Prefer", `outlook.timezone="UTC"`)
	return s.Send(w.client, r)
}

func TestSend_RenewsARefusedTokenOnce(t *testing.T) {
	eachService(t, func(t *testing.T, w *world) {
		s := w.source(w.Grant())
		w.ExpireAccessToken()
		answer, err := w.send(s)
		if err != nil || answer.Status != http.StatusOK || w.TokenRequests() != 1 {
			t.Errorf("got %v, %v, %d renewals", answer, err, w.TokenRequests())
		}
		w.FailNext(2, http.StatusUnauthorized)
		_, err = w.send(s)
		w.wantError(err, calendar.Refused)
		if w.TokenRequests() != 2 {
			t.Errorf("%d renewals, want one more", w.TokenRequests())
		}
	})
}

func TestSend_TroubleOfTheService(t *testing.T) {
	eachService(t, func(t *testing.T, w *world) {
		s := w.source(w.Grant())
		for name, c := range map[string]struct {
			arrange func()
			kind    calendar.Kind
			wait    time.Duration
		}{
			"throttled": {func() { w.Throttle(1, 17*time.Second) }, calendar.Unreachable,
				17 * time.Second},
			"throttled for ever": {func() { w.Throttle(1, 1000*time.Hour) }, calendar.Unreachable, 24 * time.Hour},
			"throttled until a time": {func() { w.ThrottleUntil(w.clock.Now().Add(time.Minute)) }, calendar.Unreachable,
				time.Minute},
			"throttled until then": {func() { w.ThrottleUntil(w.clock.Now().Add(-time.Minute)) }, calendar.Unreachable,
				0},
			"throttled by 403": {func() { w.RefuseNext(http.StatusForbidden, "userRateLimitExceeded") },
				calendar.Unreachable, 0},
			"forbidden":  {func() { w.RefuseNext(http.StatusForbidden, "forbidden") }, calendar.Refused, 0},
			"in trouble": {func() { w.FailNext(1, http.StatusBadGateway) }, calendar.Unreachable, 0},
		} {
			c.arrange()
			_, err := w.send(s)
			if e := w.wantError(err, c.kind); e.RetryAfter != c.wait {
				t.Errorf("%s: wait %s, want %s", name, e.RetryAfter, c.wait)
			}
		}
	})
}

func TestSend_RevokedPermission(t *testing.T) {
	eachService(t, func(t *testing.T, w *world) {
		s := w.source(w.Grant())
		w.RevokeGrant()
		_, err := w.send(s)
		w.wantError(err, calendar.Revoked)
	})
}

func TestSend_EndsAtTheAllowance(t *testing.T) {
	eachService(t, func(t *testing.T, w *world) {
		r, _ := http.NewRequestWithContext(safehttp.WithBodyLimit(t.Context(), 10), http.MethodGet, w.events, nil)
		r.Header.Set("Prefer", `outlook.timezone="UTC"`)
		_, err := w.source(w.Grant()).Send(w.client, r)
		if e := w.wantError(err, calendar.Unusable); e.Advice != calendar.ReduceEvents {
			t.Error(e)
		}
	})
}

// When decoded, the reasons would take five times as much memory as in transit.
func TestSend_ReadsNoRefusalWithoutEnd(t *testing.T) {
	eachService(t, func(t *testing.T, w *world) {
		refusal := `{"error":{"errors":[` + strings.Repeat("{},", 5<<20) + `{}]}}`
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			io.WriteString(w, refusal)
		}))
		t.Cleanup(s.Close)
		w.events = s.URL
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := w.send(w.source(w.Grant()))
		runtime.ReadMemStats(&after)
		w.wantError(err, calendar.Refused)
		if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 20 {
			t.Errorf("%d MiB", used)
		}
	})
}
