package limit

import (
	"net/netip"
	"testing"
	"time"
)

func BenchmarkTake_KnownAddress(b *testing.B) {
	l := New[netip.Addr](100)
	key := netip.MustParseAddr("192.0.2.7")
	now := time.Unix(1_900_000_000, 0)
	for b.Loop() {
		now = now.Add(10 * time.Millisecond)
		l.Take(key, now)
	}
}

func BenchmarkTake_Refused(b *testing.B) {
	l := New[netip.Addr](1)
	key := netip.MustParseAddr("192.0.2.7")
	now := time.Unix(1_900_000_000, 0)
	for b.Loop() {
		l.Take(key, now)
	}
}

func BenchmarkTake_FloodOfStrangers(b *testing.B) {
	l := New[uint64](100)
	now := time.Unix(1_900_000_000, 0)
	key := uint64(0)
	for b.Loop() {
		key++
		l.Take(key, now)
	}
}
