package ical

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// livePeak returns the largest number of live heap bytes while work ran. It measures at the end of each garbage
// collection; these follow one another closely.
func livePeak(work func()) (bytes uint64) {
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	runtime.GC()
	var peak atomic.Uint64
	var stopped atomic.Bool
	var watch func(*[16]byte)
	watch = func(*[16]byte) {
		peak.Store(max(peak.Load(), liveHeap()))
		if !stopped.Load() {
			runtime.SetFinalizer(new([16]byte), watch)
		}
	}
	watch(nil)
	work()
	stopped.Store(true)
	return peak.Load()
}

func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
