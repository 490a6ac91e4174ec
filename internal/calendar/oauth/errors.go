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

// revokedCodes are the error codes of a permission that only the owner can renew (RFC 6749, 5.2; the others are
// Microsoft's).
var revokedCodes = []string{"invalid_grant", "interaction_required", "consent_required", "login_required"}

// registrationCodes are the error codes of a registration that is not, or no longer, valid.
var registrationCodes = []string{"invalid_client", "unauthorized_client"}

// tokenError explains why there is no token. It omits the service's own text, which may repeat what was sent to it.
func (a App) tokenError(err error) *calendar.Error {
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) {
		return calendar.Errorf(calendar.Unreachable, "%s can't be reached to renew the access.", a.name()).
			Advise(calendar.Wait)
	}
	switch {
	case slices.Contains(revokedCodes, refused.ErrorCode):
		return calendar.Errorf(calendar.Revoked, "%s no longer allows access to the calendar.", a.name()).
			Advise(calendar.GiveConsent)
	case slices.Contains(registrationCodes, refused.ErrorCode):
		return calendar.Errorf(calendar.Unreachable,
			"%s doesn't accept this server's client ID and secret.", a.name()).Advise(calendar.ChangeSettings)
	}
	return calendar.Errorf(calendar.Unreachable, "%s doesn't renew the access right now.", a.name()).
		Advise(calendar.Wait)
}

// commonError returns an error for responses that are wrong for any request, or nil if the caller has to check the
// response.
func (s *Source) commonError(a *Response) *calendar.Error {
	name := s.app.name()
	switch {
	case a.Status == http.StatusUnauthorized:
		return calendar.Errorf(calendar.Refused, "%s doesn't allow access to the calendar.", name).
			Advise(calendar.GiveConsent)
	case a.Status == http.StatusTooManyRequests, a.Status == http.StatusForbidden &&
		a.HasErrorCode(throttlingReasons...):
		return s.withRetryAfter(a, calendar.Errorf(calendar.Unreachable, "%s asks for fewer requests.", name).
			Advise(calendar.Wait))
	case a.Status == http.StatusForbidden:
		return calendar.Errorf(calendar.Refused,
			"%s doesn't allow this account to do that with the calendar.", name).Advise(calendar.CheckAccess)
	case a.Status >= 500:
		return s.withRetryAfter(a, calendar.Errorf(calendar.Unreachable, "%s is having problems (status %d).", name,
			a.Status).Advise(calendar.Wait))
	}
	return nil
}

// throttlingReasons are Google's reasons for a temporary 403.
var throttlingReasons = []string{"rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded"}

func (s *Source) withRetryAfter(a *Response, e *calendar.Error) *calendar.Error {
	e.RetryAfter = safehttp.RetryAfter(a.Header)
	return e
}

// HasErrorCode reports whether the response is an error with one of the reasons (Google) or codes (Microsoft).
func (a *Response) HasErrorCode(reasons ...string) bool {
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
	codes := []string{code}
	for _, e := range body.Error.Errors {
		codes = append(codes, e.Reason)
	}
	return slices.ContainsFunc(reasons, func(reason string) bool {
		return slices.ContainsFunc(codes, func(s string) bool { return strings.EqualFold(s, reason) })
	})
}
