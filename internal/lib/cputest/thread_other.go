//go:build !linux

package cputest

import "time"

var start = time.Now()

// threadTime returns the time on the clock: other systems have no common call for a thread's processor time.
func threadTime() time.Duration { return time.Since(start) }
