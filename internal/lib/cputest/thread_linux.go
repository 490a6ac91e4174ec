package cputest

import (
	"syscall"
	"testing"
	"time"
	"unsafe"
)

const clockThreadCPUTime = 3 // CLOCK_THREAD_CPUTIME_ID, which package syscall does not name

// threadTime returns the processor time of the calling thread. Getrusage would count whole ticks of the scheduler, which
// are milliseconds.
func threadTime(t testing.TB) time.Duration {
	var spent syscall.Timespec
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockThreadCPUTime,
		uintptr(unsafe.Pointer(&spent)), 0); errno != 0 {
		t.Fatal(errno)
	}
	return time.Duration(spent.Nano())
}
