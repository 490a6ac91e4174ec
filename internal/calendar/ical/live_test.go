package ical

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// livePeak is how many bytes of the heap were live at most while work ran, seen at the end of each collection; they
// follow one another closely.
func livePeak(work func()) (bytes uint64) {
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	runtime.GC()
	var most atomic.Uint64
	var stopped atomic.Bool
	var watch func(*[16]byte)
	watch = func(*[16]byte) {
		most.Store(max(most.Load(), liveHeap()))
		if !stopped.Load() {
			runtime.SetFinalizer(new([16]byte), watch)
		}
	}
	watch(nil)
	work()
	stopped.Store(true)
	return most.Load()
}

func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
