package feed

import (
	"net/http"

	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
	"slotd/internal/lib/say"
)

var errAddress = calendar.Errorf(calendar.Unusable, "The calendar's address isn't valid.").
	Advise(calendar.UseFeedAddress)

// errorf returns an error with a sentence about the server, whose name is its first placeholder.
func (f *Feed) errorf(kind calendar.Kind, advice calendar.Advice, sentence say.Sentence, args ...any) *calendar.Error {
	return calendar.Errorf(kind, sentence, append([]any{safehttp.Host(f.address)}, args...)...).Advise(advice)
}

func (f *Feed) statusError(answer *http.Response) *calendar.Error {
	kind, advice, sentence := f.explain(answer.StatusCode)
	e := f.errorf(kind, advice, sentence, answer.StatusCode)
	e.RetryAfter = safehttp.RetryAfter(answer.Header)
	return e
}

// explain returns a sentence with the host and the status.
func (f *Feed) explain(status int) (calendar.Kind, calendar.Advice, say.Sentence) {
	switch {
	case (status == http.StatusUnauthorized || status == http.StatusForbidden) && f.username != "":
		return calendar.Refused, calendar.CheckPassword, "%s doesn't accept the user name and password (%d)."
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return calendar.Refused, calendar.CheckPassword,
			"%s doesn't show the calendar without a user name and password, or its secret address (%d)."
	case status == http.StatusNotFound || status == http.StatusGone:
		return calendar.Unusable, calendar.UseFeedAddress, "%s has no calendar at this address (%d)."
	case status == http.StatusTooManyRequests:
		return calendar.Unreachable, calendar.Wait, "%s asks to be read less often (%d)."
	case status == http.StatusRequestTimeout || status == http.StatusTooEarly || status >= 500:
		return calendar.Unreachable, calendar.Wait, "%s is having problems (%d)."
	case status == http.StatusNotModified:
		return calendar.Unusable, calendar.AskProvider,
			"%s says that the calendar hasn't changed, although it wasn't asked (%d)."
	}
	return calendar.Unusable, calendar.UseFeedAddress, "%s doesn't send the whole calendar (%d)."
}
