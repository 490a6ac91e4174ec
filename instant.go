package slotd

import (
	"time"

	"slotd/internal/lib/say"
)

// ParseInstant parses YYYY-MM-DDTHH:MM, then optional seconds, an optional fraction of one to
// three digits, and an offset: Z, +hh, +hhmm or +hh:mm. If s is invalid, problem says why.
//
// time.Parse is not used because it accepts +24:00 and single-digit hours, and rejects offsets without minutes.
func ParseInstant(s string) (t time.Time, problem string) {
	const shape say.Sentence = "must be a timestamp YYYY-MM-DDTHH:MM:SS with Z or an offset such as +02:00"
	r := reader{s: s}
	year, month, day := r.digits(4), r.after('-', 2), r.after('-', 2)
	hour, minute := r.after('T', 2), r.after(':', 2)
	second, millis := 0, 0
	if r.next(':') {
		second = r.digits(2)
		if r.next('.') {
			millis = r.fraction()
		}
	}
	if !r.failed && r.s == "" {
		return t, say.T("has no offset: the same wall clock is another instant elsewhere; end it with Z or an offset " +
			"such as +02:00")
	}
	offset := r.offset()
	if r.failed || r.s != "" || hour > 23 || minute > 59 || second > 59 {
		return t, shape.String()
	}
	if year < 2000 || year > 2100 {
		return t, say.T("must be in the years 2000 to 2100")
	}
	t = time.Date(year, time.Month(month), day, hour, minute, second, millis*int(time.Millisecond), time.UTC)
	if t.Day() != day || int(t.Month()) != month { // 31 June, month 0
		return t, say.T("must be a day of the calendar")
	}
	return t.Add(-offset), ""
}

// reader consumes a text from the front. After a failure it stays failed.
type reader struct {
	s      string
	failed bool
}

func (r *reader) digits(n int) (value int) {
	if len(r.s) < n {
		r.failed = true
		return 0
	}
	for i := range n {
		d := r.s[i] - '0'
		if d > 9 {
			r.failed = true
			return 0
		}
		value = value*10 + int(d)
	}
	r.s = r.s[n:]
	return value
}

func (r *reader) next(b byte) bool {
	if r.s == "" || r.s[0] != b {
		return false
	}
	r.s = r.s[1:]
	return true
}

// after consumes the byte b and n digits.
func (r *reader) after(b byte, n int) int {
	if !r.next(b) {
		r.failed = true
	}
	return r.digits(n)
}

func (r *reader) fraction() (millis int) {
	n := 0
	for n < len(r.s) && n < 3 && r.s[n]-'0' <= 9 {
		n++
	}
	if n == 0 {
		r.failed = true
	}
	millis = r.digits(n)
	for ; n < 3; n++ {
		millis *= 10
	}
	return millis
}

func (r *reader) offset() time.Duration {
	if r.next('Z') {
		return 0
	}
	sign := time.Duration(1)
	if r.next('-') {
		sign = -1
	} else if !r.next('+') {
		r.failed = true
	}
	hours, minutes := r.digits(2), 0
	if r.next(':') || r.s != "" {
		minutes = r.digits(2)
	}
	if hours > 23 || minutes > 59 {
		r.failed = true
	}
	return sign * (time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute)
}
