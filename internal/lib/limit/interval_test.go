package limit

import (
	"testing"
	"time"
)

func TestNewWithInterval_ABurstAndThenOneInEachInterval(t *testing.T) {
	l := NewWithInterval[int](20*time.Second, 10*time.Minute)
	if got := drain(l, 1, noon); got != 30 {
		t.Fatalf("a burst of %d, want 30", got)
	}
	wantWait(t, l, 1, noon, 20*time.Second)
	wantWait(t, l, 1, noon.Add(19*time.Second), time.Second)
	wantWait(t, l, 1, noon.Add(20*time.Second), 0)
	wantWait(t, l, 1, noon.Add(20*time.Second), 20*time.Second)
	if got := drain(l, 1, noon.Add(320*time.Second)); got != 15 {
		t.Errorf("%d after five minutes, want 15", got)
	}
	if got := drain(l, 1, noon.Add(24*time.Hour)); got != 30 {
		t.Errorf("%d after a day, want 30", got)
	}
}

func TestNewWithInterval_IsWhatNewIsAtItsPace(t *testing.T) {
	quick, slow := New[int](4), NewWithInterval[int](250*time.Millisecond, 10*time.Second)
	for i := range 400 {
		now := noon.Add(time.Duration(i) * 50 * time.Millisecond)
		if a, b := quick.Take(1, now), slow.Take(1, now); a != b {
			t.Fatalf("at +%v: %v and %v", now.Sub(noon), a, b)
		}
	}
}

// The instant at which a slow bucket is full lies far ahead of the clock. That alone does not mean that the clock was
// set back.
func TestNewWithInterval_AnEmptyBucketStaysEmpty(t *testing.T) {
	l := NewWithInterval[int](20*time.Second, 10*time.Minute)
	drain(l, 1, noon)
	for second := range 20 {
		wantWait(t, l, 1, noon.Add(time.Duration(second)*time.Second), time.Duration(20-second)*time.Second)
	}
	for stranger := range 10_000 { // enough to sweep every shard
		l.Take(-1-stranger, noon.Add(10*time.Second))
	}
	wantWait(t, l, 1, noon.Add(10*time.Second), 10*time.Second)
}
