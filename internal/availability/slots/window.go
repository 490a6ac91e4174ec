package slots

import (
	"fmt"
	"strconv"
	"strings"
)

// Window is a part of one date by the wall clock, in minutes from 00:00 to 24:00 (1440).
type Window struct{ From, Until int }

const minutesPerDay = 24 * 60

// ParseWindow parses "09:00-12:00". The end may be 24:00 and must be after the start.
func ParseWindow(s string) (Window, error) {
	from, until, ok := strings.Cut(s, "-")
	f, okFrom := parseClock(from)
	u, okUntil := parseClock(until)
	if !ok || !okFrom || !okUntil || f >= u {
		return Window{}, fmt.Errorf(`%.40q is no window; a right one is "09:00-12:00", from 00:00 to 24:00, start before end`, s)
	}
	return Window{f, u}, nil
}

func parseClock(s string) (minute int, ok bool) {
	if len(s) != 5 || s[2] != ':' {
		return 0, false
	}
	h, errH := strconv.ParseUint(s[:2], 10, 8)
	m, errM := strconv.ParseUint(s[3:], 10, 8)
	minute = int(h*60 + m)
	return minute, errH == nil && errM == nil && m < 60 && minute <= minutesPerDay
}

func (w Window) String() string {
	return fmt.Sprintf("%02d:%02d-%02d:%02d", w.From/60, w.From%60, w.Until/60, w.Until%60)
}

func (w Window) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

func (w *Window) UnmarshalText(text []byte) (err error) {
	*w, err = ParseWindow(string(text))
	return err
}
