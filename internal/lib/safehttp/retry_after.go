package safehttp

import (
	"errors"
	"net/http"
	"strconv"
	"time"
)

// maxRetryAfter prevents a server from stopping all reads by asking for a pause until next year.
const maxRetryAfter = 24 * time.Hour

// RetryAfter returns the pause that a server asks for, in seconds or until a date by the server's clock. It returns 0
// if there is none.
func RetryAfter(h http.Header) time.Duration {
	value := h.Get("Retry-After")
	seconds, err := strconv.ParseUint(value, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) { // out of range: seconds is the maximum
		return time.Duration(min(seconds, uint64(maxRetryAfter/time.Second))) * time.Second
	}
	until, err1 := http.ParseTime(value)
	now, err2 := http.ParseTime(h.Get("Date"))
	if err1 != nil || err2 != nil {
		return 0
	}
	return min(max(until.Sub(now), 0), maxRetryAfter)
}
