// Package oauth holds an owner's permission to use a calendar at Google or Microsoft: the consent, the tokens that
// follow from it, and the requests made with them.
//
// It stores nothing by itself, and none of its errors holds a token, a code or a secret.
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

// ConsentURL is where the owner gives the permission. The state and the verifier come back only to who asked: a code
// that somebody else got hold of is worth nothing without the verifier (RFC 7636).
func (a App) ConsentURL(redirect, state, verifier string) string {
	// Google gives a refresh token only for offline access, and a second time only after a new consent.
	return a.config(redirect).AuthCodeURL(state, oauth2.S256ChallengeOption(verifier), oauth2.AccessTypeOffline,
		oauth2.SetAuthURLParam("prompt", "consent"))
}

// Exchange turns the code that the owner came back with into tokens.
func (a App) Exchange(ctx context.Context, client *safehttp.Client, redirect, code, verifier string) (*oauth2.Token,
	error) {
	token, err := a.config(redirect).Exchange(through(ctx, client), code, oauth2.VerifierOption(verifier))
	if err != nil {
		return nil, a.refusal(err)
	}
	if token.RefreshToken == "" {
		return nil, calendar.Errorf(calendar.Unusable,
			"%s gave a permission that ends within the hour: connect the calendar again.", a.name())
	}
	return token, nil
}

// refreshed asks for a new access token, and gets a new refresh token with it where the service rotates them.
func (a App) refreshed(ctx context.Context, client *safehttp.Client, refresh string) (*oauth2.Token, error) {
	token, err := a.config("").TokenSource(through(ctx, client), &oauth2.Token{RefreshToken: refresh}).Token()
	if err != nil {
		return nil, a.refusal(err)
	}
	return token, nil
}

func through(ctx context.Context, client *safehttp.Client) context.Context {
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
	// Left to itself the library tries both styles, and a code works only once.
	c.Endpoint.AuthStyle = oauth2.AuthStyleInParams
	return c
}

// name is what people call the service.
func (a App) name() string {
	if a.Kind == Microsoft {
		return "Microsoft"
	}
	return "Google"
}
