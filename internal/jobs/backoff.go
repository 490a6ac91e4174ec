package jobs

import (
	"math/rand/v2"
	"time"
)

const (
	firstPause = 5 * time.Second
	// maxPause bounds how long a mail waits once its server is back.
	maxPause = 15 * time.Minute
	// retryFor is how long a job is retried before it is given up.
	retryFor = 72 * time.Hour
)

// pause returns how long to wait after the given number of failures. It doubles each time, minus a random share of up
// to a quarter, so that jobs that failed together do not retry together.
func pause(failures int) time.Duration {
	p := maxPause
	if doublings := failures - 1; doublings < 10 {
		p = min(p, firstPause<<doublings)
	}
	return p - time.Duration(rand.Int64N(int64(p/4)))
}
