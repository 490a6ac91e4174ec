package oauth_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"slotd/internal/calendar"
	"slotd/internal/calendar/oauth"
)

func TestToken_IsRenewedAMinuteBeforeItsEnd(t *testing.T) {
	eachService(t, func(t *testing.T, w *world) {
		s := w.source(w.Grant())
		for _, step := range []struct {
			pass     time.Duration
			renewals int
		}{{0, 0}, {58 * time.Minute, 0}, {time.Minute, 1}, {58 * time.Minute, 1}, {time.Minute, 2}} {
			w.clock.Advance(step.pass)
			if _, err := s.Token(t.Context()); err != nil {
				t.Fatal(err)
			}
			if w.TokenRequests() != step.renewals || len(w.saved) != step.renewals {
				t.Fatalf("at %s: %d renewals, %d saved, want %d", w.clock.Now(), w.TokenRequests(), len(w.saved),
					step.renewals)
			}
		}
	})
}

// The fake of Microsoft invalidates a refresh token when it issues the next one; Google's stays valid.
func TestToken_TheRotatedOneIsSaved(t *testing.T) {
	eachService(t, func(t *testing.T, w *world) {
		grant := w.Grant()
		s := w.source(grant)
		s.Expire()
		if _, err := s.Token(t.Context()); err != nil {
			t.Fatal(err)
		}
		rotated := w.saved[0].RefreshToken != grant.RefreshToken
		if rotated != (w.app.Kind == oauth.Microsoft) {
			t.Errorf("rotated: %v", rotated)
		}
		later := w.source(&w.saved[0])
		later.Expire()
		if _, err := later.Token(t.Context()); err != nil {
			t.Errorf("with what was saved: %v", err)
		}
	})
}

func TestToken_IsNotUsedBeforeItIsSaved(t *testing.T) {
	eachService(t, func(t *testing.T, w *world) {
		s := w.source(w.Grant())
		s.Expire()
		w.saveErr = errors.New("the disk is full")
		token, err := s.Token(t.Context())
		e := w.wantError(err, calendar.Unreachable)
		if token != nil {
			t.Error("a token beside the error")
		}
		if strings.Contains(e.Message, "disk") || !errors.Is(err, w.saveErr) || !strings.Contains(err.Error(), "disk") {
			t.Errorf("the owner hears %q, the log %q", e.Message, err)
		}
		w.saveErr = nil
		if _, err := s.Token(t.Context()); err != nil || len(w.saved) != 1 || w.TokenRequests() != 1 {
			t.Errorf("got %v, %d saved, %d renewals: the rotated token was lost", err, len(w.saved), w.TokenRequests())
		}
	})
}

func TestToken_FailuresSayWhatCanBeDone(t *testing.T) {
	eachService(t, func(t *testing.T, w *world) {
		for name, c := range map[string]struct {
			arrange func()
			kind    calendar.Kind
			advice  calendar.Advice
		}{
			"revoked": {w.RevokeGrant, calendar.Revoked, calendar.GiveConsent},
			"a new login wanted": {func() { w.RefuseTokens("interaction_required") }, calendar.Revoked,
				calendar.GiveConsent},
			"wrong secret": {func() { w.RefuseTokens("invalid_client") }, calendar.Unreachable, calendar.ChangeSettings},
			"odd":          {func() { w.RefuseTokens("invalid_scope") }, calendar.Unreachable, calendar.Wait},
			"down": {func() { w.FailTokens(http.StatusServiceUnavailable) }, calendar.Unreachable,
				calendar.Wait},
		} {
			w.RefuseTokens("")
			s := w.source(w.Grant())
			c.arrange()
			s.Expire()
			_, err := s.Token(t.Context())
			if e := w.wantError(err, c.kind); e.Advice != c.advice {
				t.Errorf("%s: %q, advice %d", name, e.Message, e.Advice)
			}
		}
	})
}

func TestRace_ManyWhoNeedATokenRenewItOnce(t *testing.T) {
	eachService(t, func(t *testing.T, w *world) {
		s := w.source(w.Grant())
		s.Expire()
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if _, err := s.Token(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if w.TokenRequests() != 1 {
			t.Errorf("%d renewals", w.TokenRequests())
		}
	})
}

func TestToken_WaitsNoLongerThanItsDeadline(t *testing.T) {
	eachService(t, func(t *testing.T, w *world) {
		saving, finish := make(chan struct{}), make(chan struct{})
		s := w.app.Source(w.client, w.Grant(), w.clock.Now, func(context.Context, *oauth2.Token) error {
			close(saving)
			<-finish
			return nil
		})
		s.Expire()
		var first sync.WaitGroup
		first.Go(func() { s.Token(t.Context()) })
		<-saving
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := s.Token(ended)
		w.wantError(err, calendar.Unreachable)
		close(finish)
		first.Wait()
	})
}
