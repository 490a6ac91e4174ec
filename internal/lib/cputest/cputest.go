// Package cputest measures work in tests by the processor time that it takes. Unlike the time on the clock, that does
// not depend on what else the machine does, so a test can compare the work on a small and on a large input.
package cputest

import (
	"runtime"
	"time"
)

// Least returns the least processor time that f took in several runs. Caches and the garbage collector can only add to
// it. It counts this goroutine's work alone.
func Least(runs int, f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	least := time.Duration(1<<63 - 1)
	for range runs {
		began := threadTime()
		f()
		least = min(least, threadTime()-began)
	}
	return least
}
