package cputest

import (
	"syscall"
	"time"
)

const rusageThread = 1 // RUSAGE_THREAD, which package syscall does not name

// threadTime returns the processor time of the calling thread.
func threadTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(rusageThread, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
