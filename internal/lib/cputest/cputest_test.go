package cputest

import (
	"runtime"
	"testing"
	"time"
)

func TestLeast_CountsWorkAndNotWaiting(t *testing.T) {
	waiting := Least(t, 1, func() { time.Sleep(10 * time.Millisecond) })
	if working := Least(t, 1, func() { work(20_000_000) }); waiting >= working {
		t.Errorf("%v for waiting, %v for working", waiting, working)
	}
}

// Tests compare work of microseconds.
func TestLeast_CountsALittleWork(t *testing.T) {
	little, more := Least(t, 100, func() { work(2000) }), Least(t, 100, func() { work(20_000) })
	if little <= 0 || more <= 2*little {
		t.Errorf("%v for a little work, %v for ten times as much", little, more)
	}
}

func work(steps uint64) {
	var sum uint64
	for i := range steps {
		sum += i * sum
	}
	runtime.KeepAlive(sum)
}
