package limit

import "time"

// Seconds returns a wait as a value for Retry-After: whole seconds, rounded up, at least 1.
func Seconds(wait time.Duration) int {
	return max(1, int((wait+time.Second-1)/time.Second))
}
