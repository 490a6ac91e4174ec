// Package limit limits the rate of requests per client, and finds out who the client is.
//
// It reads no clock and knows no routes: the caller passes the time and the key, and turns a wait into a response.
// Limits are per process; they are never shared between servers and never stored.
package limit

import (
	"hash/maphash"
	"sync"
	"time"
)

const (
	// burstWindow: a client that was idle may send ten seconds' worth of requests at once.
	burstWindow = 10 * time.Second

	shardCount = 64
	shardCap   = maxKeys / shardCount

	// maxKeys limits the memory: about 19 MiB if the keys are addresses.
	maxKeys = 200_000

	// clockSkew: requests read the clock before they reach a shard, so on a loaded server they arrive slightly out of
	// order. Only a bucket that is further ahead than this means that the clock was set back.
	clockSkew = time.Second
)

// Limiter implements the generic cell rate algorithm. For each key it stores one instant, at which the key's bucket is
// full again. An unknown key has a full bucket, so removing a key with a full bucket changes nothing.
//
// When the limiter is full, a new key evicts, out of a few keys, the one whose bucket is full soonest. The evicted key
// gets a new burst. That does less harm than rejecting new clients because there are many others, or than not counting
// them.
type Limiter[K comparable] struct {
	interval time.Duration
	burst    time.Duration // how much may be taken at once, as the time it takes to refill
	seed     maphash.Seed
	shards   [shardCount]shard[K]
}

// shard is as long as a cache line, so that two processors on two shards do not wait for each other.
type shard[K comparable] struct {
	mu      sync.Mutex
	fullAt  map[K]int64 // Unix nanoseconds: half the size of a time.Time
	sweptAt int64
	_       [40]byte
}

// New returns a limiter that allows perSecond requests per second for each key. If perSecond is below one, it returns
// nil, which limits nothing.
func New[K comparable](perSecond int) *Limiter[K] {
	if perSecond < 1 {
		return nil
	}
	return NewWithInterval[K](max(time.Second/time.Duration(perSecond), 1), burstWindow)
}

// NewWithInterval returns a limiter that allows one request per interval for each key. burst is how much may be taken
// at once, as the time it takes to refill.
func NewWithInterval[K comparable](interval, burst time.Duration) *Limiter[K] {
	l := &Limiter[K]{interval: interval, burst: burst, seed: maphash.MakeSeed()}
	for i := range l.shards {
		l.shards[i].fullAt = make(map[K]int64)
	}
	return l
}

// Take takes one request from the key's bucket. It returns 0 if the request is allowed, and otherwise the time until
// one will be. A rejected Take takes nothing from the bucket.
func (l *Limiter[K]) Take(key K, now time.Time) (wait time.Duration) {
	if l == nil {
		return 0
	}
	s := &l.shards[maphash.Comparable(l.seed, key)%shardCount]
	at := now.UnixNano()

	s.mu.Lock()
	defer s.mu.Unlock()
	fullAt, known := s.fullAt[key]
	if !known {
		fullAt = at
	}
	next := l.nextFull(fullAt, at) + int64(l.interval)
	if over := next - at - int64(l.burst); over > 0 {
		return time.Duration(over)
	}
	if !known {
		l.makeRoom(s, at)
	}
	s.fullAt[key] = next
	return 0
}

// nextFull returns the instant to which the next interval is added.
func (l *Limiter[K]) nextFull(fullAt, at int64) int64 {
	// The clock was set back. Waiting until it has caught up could take hours; a new burst does less harm.
	if fullAt-at > int64(l.burst+clockSkew) {
		return at
	}
	return max(fullAt, at)
}

// makeRoom makes sure that the shard has space for a new key.
func (l *Limiter[K]) makeRoom(s *shard[K], at int64) {
	// All buckets fill within the burst's duration, so sweeping more often would find little. Abs makes it sweep after
	// the clock was set back, too.
	if time.Duration(at-s.sweptAt).Abs() >= l.burst {
		l.sweep(s, at)
	}
	if len(s.fullAt) >= shardCap {
		s.evict()
	}
}

// sweep removes the keys whose buckets are full.
func (l *Limiter[K]) sweep(s *shard[K], at int64) {
	s.sweptAt = at
	for key, fullAt := range s.fullAt {
		if l.nextFull(fullAt, at) == at {
			delete(s.fullAt, key)
		}
	}
}

// evict removes one of eight keys. It checks only eight because a flood of new clients calls it on every request.
// Clients that sent one request are removed before those that sent many, so that a flood does not remove the client
// that is being limited.
func (s *shard[K]) evict() {
	var victim K
	checked, earliest := 0, int64(0)
	for key, fullAt := range s.fullAt {
		if checked == 0 || fullAt < earliest {
			victim, earliest = key, fullAt
		}
		if checked++; checked == 8 {
			break
		}
	}
	delete(s.fullAt, victim)
}
