package limit

import "time"

// Seconds is a wait as Retry-After says it: whole seconds, never too few.
func Seconds(wait time.Duration) int {
	return max(1, int((wait+time.Second-1)/time.Second))
}
