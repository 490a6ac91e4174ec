// Package cputest measures work in tests by the processor time that it takes. Unlike the time on the clock, that does
// not depend on what else the machine does, so a test can compare the work on a small and on a large input.
package cputest

import (
	"runtime"
	"testing"
	"time"
)

// Least returns the least processor time that f took in several runs. Caches and the garbage collector can only add to
// it. It counts this goroutine's work alone. Where the system cannot tell, the test is skipped.
func Least(t testing.TB, runs int, f func()) time.Duration {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	least := time.Duration(1<<63 - 1)
	for range runs {
		began := threadTime(t)
		f()
		least = min(least, threadTime(t)-began)
	}
	return least
}
