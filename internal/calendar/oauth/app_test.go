package oauth_test

import (
	"net/http"
	"net/url"
	"testing"

	"golang.org/x/oauth2"

	"slotd/internal/calendar"
	"slotd/internal/calendar/oauth"
)

// consent plays the owner who agrees, and returns the code.
func (w *world) consent(state, verifier string) (code string) {
	w.t.Helper()
	r, err := http.NewRequest(http.MethodGet, w.app.ConsentURL(redirect, state, verifier), nil)
	if err != nil {
		w.t.Fatal(err)
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		w.t.Fatal(err)
	}
	answer.Body.Close()
	back, err := answer.Location()
	if err != nil || back.Query().Get("state") != state {
		w.t.Fatalf("status %d, back to %v, %v", answer.StatusCode, back, err)
	}
	return back.Query().Get("code")
}

func TestConsent_EndsInAPermissionThatLasts(t *testing.T) {
	eachService(t, func(t *testing.T, w *world) {
		verifier := oauth2.GenerateVerifier()
		token, err := w.app.Exchange(t.Context(), w.client, redirect, w.consent("s7", verifier), verifier)
		if err != nil {
			t.Fatal(err)
		}
		w.ExpireAccessToken()
		fresh, err := w.source(&oauth2.Token{RefreshToken: token.RefreshToken}).Token(t.Context())
		if err != nil || fresh.AccessToken == token.AccessToken {
			t.Errorf("got %v", err)
		}
	})
}

func TestConsent_ACodeIsWorthNothingToOthers(t *testing.T) {
	eachService(t, func(t *testing.T, w *world) {
		verifier := oauth2.GenerateVerifier()
		for name, c := range map[string]struct{ redirect, verifier string }{
			"another verifier": {redirect, oauth2.GenerateVerifier()},
			"another address":  {redirect + "/x", verifier},
		} {
			_, err := w.app.Exchange(t.Context(), w.client, c.redirect, w.consent("s7", verifier), c.verifier)
			if err == nil {
				t.Errorf("%s: tokens", name)
			}
			w.wantError(err, calendar.Revoked)
		}
	})
}

func TestConsent_ACodeWorksOnce(t *testing.T) {
	eachService(t, func(t *testing.T, w *world) {
		verifier := oauth2.GenerateVerifier()
		code := w.consent("s7", verifier)
		if _, err := w.app.Exchange(t.Context(), w.client, redirect, code, verifier); err != nil {
			t.Fatal(err)
		}
		_, err := w.app.Exchange(t.Context(), w.client, redirect, code, verifier)
		w.wantError(err, calendar.Revoked)
	})
}

func TestConsentURL_IsTheServicesOwn(t *testing.T) {
	for want, app := range map[string]oauth.App{
		"https://accounts.google.com/o/oauth2/v2/auth":                   {Kind: oauth.Google},
		"https://login.microsoftonline.com/common/oauth2/v2.0/authorize": {Kind: oauth.Microsoft},
		"https://login.microsoftonline.com/contoso.onmicrosoft.com/oauth2/v2.0/authorize": {Kind: oauth.Microsoft,
			Tenant: "contoso.onmicrosoft.com"},
	} {
		u, err := url.Parse(app.ConsentURL(redirect, "s", "v"))
		if err != nil {
			t.Fatal(err)
		}
		if got := u.Scheme + "://" + u.Host + u.Path; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
