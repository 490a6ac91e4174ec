package jobs

import (
	"math/rand/v2"
	"time"
)

const (
	firstPause = 5 * time.Second
	// longestPause bounds how long a mail waits after its server is back.
	longestPause = 15 * time.Minute
	// triesFor is how long a job is tried at all.
	triesFor = 72 * time.Hour
)

// pause is how long to wait after so many failures: twice as long each time, with up to a quarter
// taken off by chance, so that what failed together does not come back together.
func pause(failures int) time.Duration {
	p := longestPause
	if doublings := failures - 1; doublings < 10 {
		p = min(p, firstPause<<doublings)
	}
	return p - time.Duration(rand.Int64N(int64(p/4)))
}
