// Package limit decides whether a client may go on, and who the client is.
//
// It holds no clock and knows no routes: the caller brings the time and the key, and turns a wait into an answer.
// Limits are per process; they are never shared between servers and never stored.
package limit

import (
	"hash/maphash"
	"sync"
	"time"
)

const (
	// A client that was quiet may send ten seconds' worth at once.
	burstWindow = 10 * time.Second

	shardCount = 64
	shardCap   = maxKeys / shardCount

	// maxKeys bounds the memory: about 19 MiB when the keys are addresses.
	maxKeys = 200_000

	// Requests read the clock before they reach a shard, so that a loaded server brings them slightly out of order.
	// Only a bucket that lies further ahead than this says that the clock was set back.
	clockSkew = time.Second
)

// Limiter is the generic cell rate algorithm: for each key it keeps one instant, the time at which that key's bucket is
// full again. A key that is not known has a full bucket, which is why forgetting a full one changes nothing.
//
// At the cap a new key drives out the key, of a few looked at, that has the least left to wait. That one gets its burst
// anew, which costs less than refusing strangers because others are many, and less than not counting them.
type Limiter[K comparable] struct {
	interval time.Duration
	burst    time.Duration // how much may be taken at once, as the time it takes to come back
	seed     maphash.Seed
	shards   [shardCount]shard[K]
}

// shard is as long as a cache line, so that two processors on two shards don't wait for each other.
type shard[K comparable] struct {
	mu      sync.Mutex
	fullAt  map[K]int64 // nanoseconds since 1970: half of a time.Time
	sweptAt int64
	_       [40]byte
}

// New returns a limiter of perSecond for each key. Below one it is nil, which limits nothing.
func New[K comparable](perSecond int) *Limiter[K] {
	if perSecond < 1 {
		return nil
	}
	return NewSlow[K](max(time.Second/time.Duration(perSecond), 1), burstWindow)
}

// NewSlow returns a limiter of one in each interval for each key, and of a burst's worth at once.
func NewSlow[K comparable](interval, burst time.Duration) *Limiter[K] {
	l := &Limiter[K]{interval: interval, burst: burst, seed: maphash.MakeSeed()}
	for i := range l.shards {
		l.shards[i].fullAt = make(map[K]int64)
	}
	return l
}

// Take takes one from the key's bucket. It returns 0 if there was one, else the time until there is; a refused Take
// costs nothing.
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

// nextFull is the instant the next interval is added to.
func (l *Limiter[K]) nextFull(fullAt, at int64) int64 {
	// The clock was set back. Waiting until it has caught up could take hours; a fresh burst is the lesser harm.
	if fullAt-at > int64(l.burst+clockSkew) {
		return at
	}
	return max(fullAt, at)
}

// makeRoom keeps the shard below its cap before a new key enters.
func (l *Limiter[K]) makeRoom(s *shard[K], at int64) {
	// Every bucket fills within one burst's time, so that sweeping more often would find little. Abs: a clock set back
	// sweeps too.
	if time.Duration(at-s.sweptAt).Abs() >= l.burst {
		l.sweep(s, at)
	}
	if len(s.fullAt) >= shardCap {
		s.evict()
	}
}

func (l *Limiter[K]) sweep(s *shard[K], at int64) {
	s.sweptAt = at
	for key, fullAt := range s.fullAt {
		if l.nextFull(fullAt, at) == at {
			delete(s.fullAt, key)
		}
	}
}

// evict looks at eight keys only: a flood of strangers meets it at every request. Those who sent one request go before
// those who sent many, so that a flood does not wash away the one who is being held back.
func (s *shard[K]) evict() {
	var victim K
	looked, least := 0, int64(0)
	for key, fullAt := range s.fullAt {
		if looked == 0 || fullAt < least {
			victim, least = key, fullAt
		}
		if looked++; looked == 8 {
			break
		}
	}
	delete(s.fullAt, victim)
}
