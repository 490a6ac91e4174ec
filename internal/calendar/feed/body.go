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

// maxBytes is the most that ical.Reader accepts.
const maxBytes = 10 << 20

// readBody returns the file if all of it arrived. The reader checks whether it is a complete calendar, down to its
// last line.
func (f *Feed) readBody(answer *http.Response) (string, error) {
	if encoding := answer.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return "", f.errorf(calendar.Unusable,
			"packs its calendar in a way that it was not asked for: ask who runs it to send it plain or as gzip")
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxBytes+1))
	var netErr net.Error
	switch {
	case len(body) > maxBytes, errors.Is(err, safehttp.ErrTooLarge):
		return "", f.errorf(calendar.Unusable,
			"sends more than 10 MiB: connect a calendar that leaves out old events and attachments")
	case errors.As(err, &netErr) && netErr.Timeout():
		return "", f.errorf(calendar.Unreachable, "did not send the whole calendar in time. %s", retryNote)
	case err != nil:
		return "", f.errorf(calendar.Unreachable, "broke off in the middle of the calendar. %s", retryNote)
	}
	return string(body), f.checkText(string(body))
}

// checkText detects common mistakes, so that the owner gets a better explanation than "not a calendar". It looks at
// the content, because servers often label calendars as something else.
func (f *Feed) checkText(text string) error {
	start := strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	switch {
	case start == "":
		return f.errorf(calendar.Unusable,
			"sends an empty file instead of a calendar: check there that the calendar is still published")
	case strings.HasPrefix(text, "\xff\xfe"), strings.HasPrefix(text, "\xfe\xff"), strings.Contains(text, "\x00"):
		return f.errorf(calendar.Unusable,
			"sends its calendar as UTF-16 or as something that is not text: iCalendar files are UTF-8")
	case strings.HasPrefix(start, "<"):
		return f.errorf(calendar.Unusable,
			"sends a web page instead of a calendar, perhaps one to sign in: use the address that your calendar "+
				"offers as ICS or iCal")
	}
	return nil
}
