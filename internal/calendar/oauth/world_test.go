package oauth_test

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"slotd/internal/calendar"
	"slotd/internal/calendar/cloudtest"
	"slotd/internal/calendar/oauth"
	"slotd/internal/lib/safehttp"
	"slotd/internal/store/testdb"
)

const redirect = "https://slotd.example/oauth/callback"

// fake is the set of methods that control both fake services.
type fake interface {
	Grant() *oauth2.Token
	ExpireAccessToken()
	RevokeGrant()
	RefuseTokens(code string)
	FailTokens(status int)
	TokenRequests() int
	Throttle(n int, retryAfter time.Duration)
	ThrottleUntil(at time.Time)
	FailNext(n, status int)
	RefuseNext(status int, reason string)
}

type world struct {
	fake
	t       *testing.T
	clock   *testdb.Clock
	app     oauth.App
	client  *safehttp.Client
	events  string         // an address that requires a token
	saved   []oauth2.Token // in order
	saveErr error          // the error that saving returns
}

func eachService(t *testing.T, test func(t *testing.T, w *world)) {
	for _, kind := range []string{oauth.Google, oauth.Microsoft} {
		t.Run(kind, func(t *testing.T) {
			w := &world{
				t:      t,
				clock:  testdb.NewClock(time.Date(2030, 1, 7, 9, 0, 0, 0, time.UTC)),
				client: safehttp.New([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}),
			}
			w.app = oauth.App{Kind: kind, ClientID: cloudtest.ClientID, ClientSecret: cloudtest.ClientSecret}
			if kind == oauth.Google {
				g := cloudtest.NewGoogle(t, w.clock.Now)
				w.fake, w.app.Base, w.events = g, g.URL, g.URL+"/calendar/v3/calendars/primary/events"
			} else {
				m := cloudtest.NewMicrosoft(t, w.clock.Now)
				w.fake, w.app.Base, w.events = m, m.URL,
					m.URL+"/v1.0/me/calendarView/delta?startDateTime=2030-01-01&endDateTime=2030-02-01"
			}
			test(t, w)
		})
	}
}

func (w *world) source(stored *oauth2.Token) *oauth.Source {
	return w.app.Source(w.client, stored, w.clock.Now, func(_ context.Context, t *oauth2.Token) error {
		if w.saveErr == nil {
			w.saved = append(w.saved, *t)
		}
		return w.saveErr
	})
}

// wantError also checks that the error contains no secret.
func (w *world) wantError(err error, kind calendar.Kind) *calendar.Error {
	w.t.Helper()
	var e *calendar.Error
	if !errors.As(err, &e) || e.Kind != kind {
		w.t.Fatalf("got %v, want kind %d", err, kind)
	}
	if !strings.HasSuffix(e.Message, ".") || strings.Contains(e.Message, "%!") {
		w.t.Errorf("not a whole sentence: %q", e.Message)
	}
	for _, secret := range []string{"access-", "refresh-", "code-", "verifier", cloudtest.ClientSecret} {
		if strings.Contains(err.Error(), secret) {
			w.t.Errorf("%q holds a secret: %s", err, secret)
		}
	}
	return e
}
