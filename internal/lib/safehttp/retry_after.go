package safehttp

import (
	"errors"
	"net/http"
	"strconv"
	"time"
)

// maxRetryAfter keeps a server from ending the reading by a wish for next year.
const maxRetryAfter = 24 * time.Hour

// RetryAfter is the pause that a server asks for, in seconds or until a date by its own clock; 0: none.
func RetryAfter(h http.Header) time.Duration {
	wish := h.Get("Retry-After")
	seconds, err := strconv.ParseUint(wish, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) { // then it is the largest
		return time.Duration(min(seconds, uint64(maxRetryAfter/time.Second))) * time.Second
	}
	until, err1 := http.ParseTime(wish)
	now, err2 := http.ParseTime(h.Get("Date"))
	if err1 != nil || err2 != nil {
		return 0
	}
	return min(max(until.Sub(now), 0), maxRetryAfter)
}
