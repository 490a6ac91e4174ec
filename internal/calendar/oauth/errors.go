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
		return calendar.Errorf(calendar.Unreachable, "%s cannot be reached to renew the permission.", a.name())
	}
	switch {
	case slices.Contains(revokedCodes, refused.ErrorCode):
		return calendar.Errorf(calendar.Revoked, "%s says that the permission has ended: connect the calendar again.",
			a.name())
	case slices.Contains(registrationCodes, refused.ErrorCode):
		return calendar.Errorf(calendar.Unreachable,
			"%s does not accept this server's client id and secret: its operator has to correct them.", a.name())
	}
	return calendar.Errorf(calendar.Unreachable, "%s does not renew the permission at the moment.", a.name())
}

// commonError returns an error for responses that are wrong for any request, or nil if the caller has to check the
// response.
func (s *Source) commonError(a *Response) *calendar.Error {
	name := s.app.name()
	switch {
	case a.Status == http.StatusUnauthorized:
		return calendar.Errorf(calendar.Refused, "%s does not accept the permission: connect the calendar again.", name)
	case a.Status == http.StatusTooManyRequests, a.Status == http.StatusForbidden &&
		a.HasErrorCode(throttlingReasons...):
		return s.withRetryAfter(a, calendar.Errorf(calendar.Unreachable, "%s asks to be asked less often.", name))
	case a.Status == http.StatusForbidden:
		return calendar.Errorf(calendar.Refused,
			"%s does not allow this for the calendar: give its account the right to change it, or connect it again.",
			name)
	case a.Status >= 500:
		return s.withRetryAfter(a, calendar.Errorf(calendar.Unreachable, "%s is in trouble (status %d).", name,
			a.Status))
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
