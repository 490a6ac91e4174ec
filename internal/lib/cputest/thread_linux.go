package cputest

import (
	"syscall"
	"testing"
	"time"
)

const rusageThread = 1 // RUSAGE_THREAD, which package syscall does not name

// threadTime returns the processor time of the calling thread.
func threadTime(t testing.TB) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(rusageThread, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
