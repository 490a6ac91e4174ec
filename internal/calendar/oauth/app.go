// Package oauth manages an owner's permission to use a calendar at Google or Microsoft: the consent, the tokens that
// result from it, and the requests that use them. It also decides in which order requests write a booking; the
// packages of the services only say what the requests are.
//
// It stores nothing itself, and none of its errors contains a token, a code or a secret.
package oauth

import (
	"cmp"
	"context"

	"golang.org/x/oauth2"

	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
)

// The services.
const (
	Google    = "google"
	Microsoft = "microsoft"
)

// App is the operator's registration with a service.
type App struct {
	Kind         string // Google or Microsoft
	ClientID     string
	ClientSecret string
	Base         string // another address of the service, for tests; empty: the real ones
	Tenant       string // Microsoft: whose accounts may connect; empty: everyone's
}

// ConsentURL returns the address where the owner gives the permission. Only the party that started the flow has the
// state and the verifier: a stolen code is worthless without the verifier (RFC 7636).
func (a App) ConsentURL(redirect, state, verifier string) string {
	// Google issues a refresh token only for offline access, and a second one only after a new consent.
	return a.config(redirect).AuthCodeURL(state, oauth2.S256ChallengeOption(verifier), oauth2.AccessTypeOffline,
		oauth2.SetAuthURLParam("prompt", "consent"))
}

// Exchange exchanges the code that the owner came back with for tokens.
func (a App) Exchange(ctx context.Context, client *safehttp.Client, redirect, code, verifier string) (*oauth2.Token,
	error) {
	token, err := a.config(redirect).Exchange(withClient(ctx, client), code, oauth2.VerifierOption(verifier))
	if err != nil {
		return nil, a.tokenError(err)
	}
	if token.RefreshToken == "" {
		return nil, calendar.Errorf(calendar.Unusable,
			"%s allowed access for an hour only.", a.name()).Advise(calendar.GiveConsent)
	}
	return token, nil
}

// refreshToken requests a new access token. If the service rotates refresh tokens, the result has a new one too.
func (a App) refreshToken(ctx context.Context, client *safehttp.Client, refresh string) (*oauth2.Token, error) {
	token, err := a.config("").TokenSource(withClient(ctx, client), &oauth2.Token{RefreshToken: refresh}).Token()
	if err != nil {
		return nil, a.tokenError(err)
	}
	return token, nil
}

func withClient(ctx context.Context, client *safehttp.Client) context.Context {
	return context.WithValue(ctx, oauth2.HTTPClient, client.HTTP())
}

func (a App) config(redirect string) *oauth2.Config {
	c := &oauth2.Config{ClientID: a.ClientID, ClientSecret: a.ClientSecret, RedirectURL: redirect}
	if a.Kind == Microsoft {
		login := cmp.Or(a.Base, "https://login.microsoftonline.com") + "/" + cmp.Or(a.Tenant, "common") + "/oauth2/v2.0"
		c.Scopes = []string{"offline_access", "https://graph.microsoft.com/Calendars.ReadWrite"}
		c.Endpoint = oauth2.Endpoint{AuthURL: login + "/authorize", TokenURL: login + "/token"}
	} else {
		c.Scopes = []string{"https://www.googleapis.com/auth/calendar.events"}
		c.Endpoint = oauth2.Endpoint{
			AuthURL:  cmp.Or(a.Base, "https://accounts.google.com") + "/o/oauth2/v2/auth",
			TokenURL: cmp.Or(a.Base, "https://oauth2.googleapis.com") + "/token",
		}
	}
	// By default the library tries both styles, but a code works only once.
	c.Endpoint.AuthStyle = oauth2.AuthStyleInParams
	return c
}

// name returns the service's name as people know it.
func (a App) name() string {
	if a.Kind == Microsoft {
		return "Microsoft"
	}
	return "Google"
}
