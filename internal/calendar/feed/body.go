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
		return "", f.errorf(calendar.Unusable, calendar.AskProvider,
			"%s compresses the calendar in a way that can't be read; plain text or gzip can.")
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxBytes+1))
	var netErr net.Error
	switch {
	case len(body) > maxBytes, errors.Is(err, safehttp.ErrTooLarge):
		return "", f.errorf(calendar.Unusable, calendar.ReduceEvents, "%s sends more than 10 MiB.")
	case errors.As(err, &netErr) && netErr.Timeout():
		return "", f.errorf(calendar.Unreachable, calendar.Wait, "%s didn't send the whole calendar in time.")
	case err != nil:
		return "", f.errorf(calendar.Unreachable, calendar.Wait, "%s stopped in the middle of the calendar.")
	}
	return string(body), f.checkText(string(body))
}

// checkText detects common mistakes, so that the owner gets a better explanation than "not a calendar". It looks at
// the content, because servers often label calendars as something else.
func (f *Feed) checkText(text string) error {
	start := strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	switch {
	case start == "":
		return f.errorf(calendar.Unusable, calendar.UseFeedAddress,
			"%s sends an empty file instead of a calendar. Perhaps it is no longer published.")
	case strings.HasPrefix(text, "\xff\xfe"), strings.HasPrefix(text, "\xfe\xff"), strings.Contains(text, "\x00"):
		return f.errorf(calendar.Unusable, calendar.AskProvider,
			"%s sends the calendar as UTF-16 or as something that isn't text, but iCalendar files are UTF-8.")
	case strings.HasPrefix(start, "<"):
		return f.errorf(calendar.Unusable, calendar.UseFeedAddress,
			"%s sends a web page instead of a calendar, perhaps a sign-in page.")
	}
	return nil
}
