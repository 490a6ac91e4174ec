// Package await lets tests wait for what must happen. No test judges how long it took: what works ends the wait at
// once, and only a defect uses the patience up.
package await

import (
	"testing"
	"time"
)

// Patience is how long a test waits before it fails. It is far longer than anything takes, even on a busy machine.
const Patience = 5 * time.Minute

// True polls until the condition holds. Prefer Signal where there is a channel to wait for.
func True(t testing.TB, what string, holds func() bool) {
	t.Helper()
	patience := time.NewTimer(Patience)
	defer patience.Stop()
	for pause := time.Millisecond; !holds(); pause = min(2*pause, 50*time.Millisecond) {
		select {
		case <-patience.C:
			t.Fatalf("not within %v: %s", Patience, what)
		case <-time.After(pause):
		}
	}
}

// Signal receives from the channel, or returns the zero value once it is closed.
func Signal[T any](t testing.TB, what string, signal <-chan T) T {
	t.Helper()
	patience := time.NewTimer(Patience)
	defer patience.Stop()
	select {
	case value := <-signal:
		return value
	case <-patience.C:
		t.Fatalf("not within %v: %s", Patience, what)
		panic("unreachable")
	}
}
