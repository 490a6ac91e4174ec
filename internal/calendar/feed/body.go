package feed

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"

	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
)

// maxBytes is as much as calendar.Reader takes.
const maxBytes = 10 << 20

// readBody returns the file if all of it arrived. Whether it is a whole calendar, to its last line, is
// for the reader to say.
func (f *Feed) readBody(answer *http.Response) (string, error) {
	if packed := answer.Header.Get("Content-Encoding"); packed != "" && packed != "identity" {
		return "", f.fault(calendar.Unusable,
			"packs its calendar in a way that it was not asked for: ask who runs it to send it plain or as gzip")
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxBytes+1))
	var waited net.Error
	switch {
	case len(body) > maxBytes, errors.Is(err, safehttp.ErrTooLarge):
		return "", f.fault(calendar.Unusable,
			"sends more than 10 MiB: connect a calendar that leaves out old events and attachments")
	case errors.As(err, &waited) && waited.Timeout():
		return "", f.fault(calendar.Unreachable, "did not send the whole calendar in time. %s", triedAgain)
	case err != nil:
		return "", f.fault(calendar.Unreachable, "broke off in the middle of the calendar. %s", triedAgain)
	}
	return string(body), f.checkText(string(body))
}

// checkText finds the common mistakes, so that the owner hears more than that it is no calendar. It
// looks at the content: a calendar is often labelled as something else.
func (f *Feed) checkText(text string) error {
	start := strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	switch {
	case start == "":
		return f.fault(calendar.Unusable,
			"sends an empty file instead of a calendar: check there that the calendar is still published")
	case strings.HasPrefix(text, "\xff\xfe"), strings.HasPrefix(text, "\xfe\xff"), strings.Contains(text, "\x00"):
		return f.fault(calendar.Unusable,
			"sends its calendar as UTF-16 or as something that is not text: iCalendar files are UTF-8")
	case strings.HasPrefix(start, "<"):
		return f.fault(calendar.Unusable,
			"sends a web page instead of a calendar, perhaps one to sign in: use the address that your calendar "+
				"offers as ICS or iCal")
	}
	return nil
}
