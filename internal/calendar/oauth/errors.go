package oauth

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/oauth2"

	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
)

// revoking are the codes of a permission that only the owner can give anew (RFC 6749, 5.2; the others are Microsoft's).
var revoking = []string{"invalid_grant", "interaction_required", "consent_required", "login_required"}

// operators are the codes of a registration that is not, or no longer, right.
var operators = []string{"invalid_client", "unauthorized_client"}

// refusal says why there is no token. What the service wrote stays out: it may repeat what it was sent.
func (a App) refusal(err error) *calendar.Error {
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) {
		return calendar.Errorf(calendar.Unreachable, "%s cannot be reached to renew the permission.", a.name())
	}
	switch {
	case slices.Contains(revoking, refused.ErrorCode):
		return calendar.Errorf(calendar.Revoked, "%s says that the permission has ended: connect the calendar again.",
			a.name())
	case slices.Contains(operators, refused.ErrorCode):
		return calendar.Errorf(calendar.Unreachable,
			"%s does not accept this server's client id and secret: its operator has to correct them.", a.name())
	}
	return calendar.Errorf(calendar.Unreachable, "%s does not renew the permission at the moment.", a.name())
}

// trouble is what is wrong with an answer whatever was asked; nil if the asker has to judge it.
func (s *Source) trouble(a *Answer) *calendar.Error {
	name := s.app.name()
	switch {
	case a.Status == http.StatusUnauthorized:
		return calendar.Errorf(calendar.Refused, "%s does not accept the permission: connect the calendar again.", name)
	case a.Status == http.StatusTooManyRequests, a.Status == http.StatusForbidden && a.Says(throttling...):
		return s.later(a, calendar.Errorf(calendar.Unreachable, "%s asks to be asked less often.", name))
	case a.Status == http.StatusForbidden:
		return calendar.Errorf(calendar.Refused,
			"%s does not allow this for the calendar: give its account the right to change it, or connect it again.",
			name)
	case a.Status >= 500:
		return s.later(a, calendar.Errorf(calendar.Unreachable, "%s is in trouble (status %d).", name, a.Status))
	}
	return nil
}

// throttling are the reasons that Google gives for a 403 that passes.
var throttling = []string{"rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded"}

func (s *Source) later(a *Answer, e *calendar.Error) *calendar.Error {
	e.RetryAfter = safehttp.RetryAfter(a.Header)
	return e
}

// Says reports whether the answer is an error for one of the reasons (Google) or with one of the codes (Microsoft).
func (a *Answer) Says(reasons ...string) bool {
	var body struct {
		Error struct {
			Code   any
			Errors []struct{ Reason string }
		}
	}
	if a.Status < 400 || json.Unmarshal(a.Body, &body) != nil {
		return false
	}
	code, _ := body.Error.Code.(string)
	said := []string{code}
	for _, e := range body.Error.Errors {
		said = append(said, e.Reason)
	}
	return slices.ContainsFunc(reasons, func(reason string) bool {
		return slices.ContainsFunc(said, func(s string) bool { return strings.EqualFold(s, reason) })
	})
}
