package limit

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var noon = time.Date(2030, 1, 8, 12, 0, 0, 0, time.UTC)

// drain calls Take until it is rejected, and returns how many calls were allowed.
func drain[K comparable](l *Limiter[K], key K, now time.Time) (allowed int) {
	for l.Take(key, now) == 0 {
		allowed++
	}
	return allowed
}

func wantWait[K comparable](t *testing.T, l *Limiter[K], key K, now time.Time, want time.Duration) {
	t.Helper()
	if got := l.Take(key, now); got != want {
		t.Errorf("wait at +%v: got %v, want %v", now.Sub(noon), got, want)
	}
}

func TestTake_AllowsTenSecondsWorthAtOnce(t *testing.T) {
	for _, perSecond := range []int{1, 3, 7, 20, 100, 999} {
		if got := drain(New[int](perSecond), 1, noon); got != 10*perSecond {
			t.Errorf("%d per second: burst of %d, want %d", perSecond, got, 10*perSecond)
		}
	}
}

func TestTake_RefillsOneAtATime(t *testing.T) {
	l := New[int](20) // one every 50 ms
	drain(l, 1, noon)
	wantWait(t, l, 1, noon, 50*time.Millisecond)
	wantWait(t, l, 1, noon.Add(49*time.Millisecond), time.Millisecond)
	wantWait(t, l, 1, noon.Add(50*time.Millisecond-1), 1)
	wantWait(t, l, 1, noon.Add(50*time.Millisecond), 0)
	wantWait(t, l, 1, noon.Add(50*time.Millisecond), 50*time.Millisecond)
}

func TestTake_RefusedCostsNothing(t *testing.T) {
	l := New[int](1)
	drain(l, 1, noon)
	for range 1000 {
		l.Take(1, noon)
	}
	wantWait(t, l, 1, noon.Add(time.Second), 0)
}

func TestTake_FullAgainAfterTenSecondsAndNoFuller(t *testing.T) {
	l := New[int](20)
	drain(l, 1, noon)
	if got := drain(l, 1, noon.Add(5*time.Second)); got != 100 {
		t.Errorf("after 5 s: %d, want 100", got)
	}
	if got := drain(l, 1, noon.Add(time.Hour)); got != 200 {
		t.Errorf("after an hour: %d, want 200", got)
	}
}

func TestTake_OneKeyDoesNotSpendAnothers(t *testing.T) {
	l := New[string](20)
	drain(l, "greedy", noon)
	if got := drain(l, "modest", noon); got != 200 {
		t.Errorf("the other key got %d, want 200", got)
	}
}

func TestTake_NilAllowsEverything(t *testing.T) {
	for _, off := range []*Limiter[int]{nil, New[int](0), New[int](-1)} {
		for range 1000 {
			wantWait(t, off, 1, noon, 0)
		}
	}
}

func TestTake_ClockSetBackDoesNotLockOut(t *testing.T) {
	l := New[int](20)
	drain(l, 1, noon)
	wantWait(t, l, 1, noon.Add(-time.Hour), 0)
}

func TestTake_RequestsOutOfOrderGainNothing(t *testing.T) {
	l := New[int](20)
	drain(l, 1, noon)
	for range 1000 {
		wantWait(t, l, 1, noon.Add(-100*time.Millisecond), 150*time.Millisecond)
	}
	wantWait(t, l, 1, noon, 50*time.Millisecond)
}

func TestRace_TogetherNeverMoreThanTheBurst(t *testing.T) {
	l := New[int](20)
	var allowed atomic.Int64
	var wg sync.WaitGroup
	for worker := range 50 {
		wg.Go(func() {
			for i := range 500 {
				if l.Take(1, noon) == 0 {
					allowed.Add(1)
				}
				l.Take(2+worker*500+i, noon)
			}
		})
	}
	wg.Wait()
	if got := allowed.Load(); got != 200 {
		t.Errorf("%d were allowed, want 200", got)
	}
}

// In any period, a key gets at most its burst and what is refilled in the period.
func TestTake_NeverMoreThanBurstAndRefill(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		perSecond := rapid.IntRange(1, 5).Draw(t, "perSecond")
		steps := rapid.SliceOfN(rapid.IntRange(0, 400), 1, 300).Draw(t, "milliseconds")
		l, at := New[int](perSecond), 0
		var taken []int
		for _, step := range steps {
			at += step
			if l.Take(1, noon.Add(time.Duration(at)*time.Millisecond)) == 0 {
				taken = append(taken, at)
			}
		}
		for i, from := range taken {
			for j, until := range taken[i:] {
				if limit := perSecond * (10_000 + until - from); (j+1)*1000 > limit {
					t.Fatalf("%d in %d ms at %d per second", j+1, until-from, perSecond)
				}
			}
		}
	})
}

func (l *Limiter[K]) keyCount() (n int) {
	for i := range l.shards {
		n += len(l.shards[i].fullAt)
	}
	return n
}

func TestTake_ForgetsKeysWithFullBuckets(t *testing.T) {
	l := New[int](20)
	for key := range 50_000 {
		l.Take(key, noon)
	}
	for key := range 10_000 { // enough to reach every shard
		l.Take(-1-key, noon.Add(time.Minute))
	}
	if got := l.keyCount(); got > 10_000 {
		t.Errorf("%d keys are known, want at most the 10,000 new ones", got)
	}
}

func TestTake_CapHoldsAgainstAFloodOfStrangers(t *testing.T) {
	l := New[int](20)
	drain(l, -1, noon)
	for key := range 2 * maxKeys {
		if l.Take(key, noon) != 0 {
			t.Fatalf("stranger %d was refused", key)
		}
	}
	if got := l.keyCount(); got > maxKeys {
		t.Errorf("%d keys are known, the cap is %d", got, maxKeys)
	}
	wantWait(t, l, -1, noon, 50*time.Millisecond) // the flood did not evict the limited key
}

func TestTake_KnownKeyAllocatesNothing(t *testing.T) {
	l := New[string](20)
	key, now := "token", noon
	allocs := testing.AllocsPerRun(1000, func() {
		now = now.Add(50 * time.Millisecond)
		l.Take(key, now)
	})
	if allocs != 0 {
		t.Errorf("%v allocations a call", allocs)
	}
}

func TestTake_MemoryAtTheCap(t *testing.T) {
	if testing.Short() {
		t.Skip("measures the heap")
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	l := New[[24]byte](20)
	for key := range 2 * maxKeys {
		l.Take([24]byte{byte(key), byte(key >> 8), byte(key >> 16)}, noon)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(l)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 30<<20 {
		t.Errorf("%d MiB for a full limiter", grown>>20)
	} else {
		t.Logf("%.1f MiB", float64(grown)/(1<<20))
	}
}
