package cputest

import (
	"runtime"
	"testing"
	"time"
)

func TestLeast_CountsWorkAndNotWaiting(t *testing.T) {
	waiting := Least(t, 1, func() { time.Sleep(10 * time.Millisecond) })
	working := Least(t, 1, func() {
		var sum uint64
		for i := range uint64(20_000_000) {
			sum += i * sum
		}
		runtime.KeepAlive(sum)
	})
	if waiting >= working {
		t.Errorf("%v for waiting, %v for working", waiting, working)
	}
}
