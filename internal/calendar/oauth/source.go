package oauth

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/oauth2"

	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
)

// early is how long before its end a token is no longer used: it must outlive the request and a difference of the
// clocks.
const early = time.Minute

// Source has a valid access token at all times, as long as the permission stands. It may be used by several goroutines
// at once.
type Source struct {
	app    App
	client *safehttp.Client
	now    func() time.Time
	save   func(context.Context, *oauth2.Token) error

	refused atomic.Bool   // the service did not accept the token
	turn    chan struct{} // a mutex that a deadline can leave; holds what follows
	token   oauth2.Token
	unsaved bool
}

// Source makes one of the stored token. Every new token goes to save before it is used: where the service rotates
// refresh tokens, the stored one is worth nothing from then on.
func (a App) Source(client *safehttp.Client, stored *oauth2.Token, now func() time.Time,
	save func(context.Context, *oauth2.Token) error) *Source {
	return &Source{app: a, client: client, now: now, save: save, turn: make(chan struct{}, 1), token: *stored}
}

// Token returns a token for the next request.
func (s *Source) Token(ctx context.Context) (*oauth2.Token, error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, calendar.Errorf(calendar.Unreachable, "%s does not answer in time.", s.app.name())
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
		kept := s.token
		if err := s.save(ctx, &kept); err != nil {
			return nil, &unsaved{calendar.Errorf(calendar.Unreachable,
				"The renewed permission of %s cannot be stored here at the moment.", s.app.name()), err}
		}
		s.unsaved = false
	}
	fresh := s.token
	return &fresh, nil
}

// Expire makes the next Token a new one: the service refused the last.
func (s *Source) Expire() { s.refused.Store(true) }

func (s *Source) valid() bool {
	return s.token.AccessToken != "" && s.now().Before(s.token.Expiry.Add(-early))
}

func (s *Source) refresh(ctx context.Context) error {
	fresh, err := s.app.refreshed(ctx, s.client, s.token.RefreshToken)
	if err != nil {
		return err
	}
	// The library reckons with the machine's clock, which need not be ours.
	fresh.Expiry = s.now().Add(time.Duration(fresh.ExpiresIn) * time.Second)
	s.token, s.unsaved = *fresh, true
	return nil
}

// unsaved is about the store, of which the owner hears no more than the sentence. The cause is for a log.
type unsaved struct {
	sentence *calendar.Error
	cause    error
}

func (u *unsaved) Error() string   { return u.sentence.Message + " (" + u.cause.Error() + ")" }
func (u *unsaved) Unwrap() []error { return []error{u.sentence, u.cause} }
