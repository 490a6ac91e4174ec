package oauth

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/oauth2"

	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
)

// expiryMargin is how long before its expiry a token is no longer used: it must outlive the request and a difference
// between the clocks.
const expiryMargin = time.Minute

// Source provides a valid access token as long as the permission lasts. It is safe for concurrent use.
type Source struct {
	app    App
	client *safehttp.Client
	now    func() time.Time
	save   func(context.Context, *oauth2.Token) error

	refused atomic.Bool   // the service did not accept the token
	lock    chan struct{} // a mutex that a waiter can abandon at its deadline; protects the fields below
	token   oauth2.Token
	unsaved bool
}

// Source returns a Source that starts with the stored token. It saves every new token before using it: if the service
// rotates refresh tokens, the stored one is worthless from then on.
func (a App) Source(client *safehttp.Client, stored *oauth2.Token, now func() time.Time,
	save func(context.Context, *oauth2.Token) error) *Source {
	return &Source{app: a, client: client, now: now, save: save, lock: make(chan struct{}, 1), token: *stored}
}

// Token returns a token for the next request.
func (s *Source) Token(ctx context.Context) (*oauth2.Token, error) {
	select {
	case s.lock <- struct{}{}:
		defer func() { <-s.lock }()
	case <-ctx.Done():
		return nil, calendar.Errorf(calendar.Unreachable, "%s didn't respond in time.", s.app.name()).
			Advise(calendar.Wait)
	}
	if s.refused.Swap(false) {
		s.token.AccessToken = ""
	}
	if !s.valid() {
		if err := s.refresh(ctx); err != nil {
			return nil, err
		}
	}
	if s.unsaved {
		token := s.token
		if err := s.save(ctx, &token); err != nil {
			return nil, &unsavedError{calendar.Errorf(calendar.Unreachable,
				"The renewed access to %s can't be saved right now.", s.app.name()).Advise(calendar.Wait), err}
		}
		s.unsaved = false
	}
	token := s.token
	return &token, nil
}

// Expire makes the next call of Token return a new token: the service did not accept the last one.
func (s *Source) Expire() { s.refused.Store(true) }

func (s *Source) valid() bool {
	return s.token.AccessToken != "" && s.now().Before(s.token.Expiry.Add(-expiryMargin))
}

func (s *Source) refresh(ctx context.Context) error {
	fresh, err := s.app.refreshToken(ctx, s.client, s.token.RefreshToken)
	if err != nil {
		return err
	}
	// The library uses the machine's clock, which may differ from ours.
	fresh.Expiry = s.now().Add(time.Duration(fresh.ExpiresIn) * time.Second)
	s.token, s.unsaved = *fresh, true
	return nil
}

// unsavedError reports that the store failed. The owner sees only the public error; the cause is for a log.
type unsavedError struct {
	public *calendar.Error
	cause  error
}

func (u *unsavedError) Error() string   { return u.public.Message + " (" + u.cause.Error() + ")" }
func (u *unsavedError) Unwrap() []error { return []error{u.public, u.cause} }
