package snapshot

import (
	"sync"
	"time"

	"slotd/internal/zone"
)

// Answers keeps encoded answers for as long as they are true: until the workspace changes, or
// until the instant from which the engine would answer differently.
type Answers struct {
	mu    sync.RWMutex
	kept  map[Question]Answer
	bytes int
}

// Question is what an answer about availability depends on, besides the workspace's version and
// the time.
type Question struct {
	WorkspaceID int64
	EventType   int64
	Start       zone.Date
	Days        int
}

type Answer struct {
	Version    int64
	Body       []byte
	HoldsFrom  time.Time
	HoldsUntil time.Time // zero: for ever
}

// maxAnswerBytes bounds the memory; when it is used up, everything is forgotten at once.
const maxAnswerBytes = 64 << 20

// Find returns the answer's bytes if they are still true.
func (a *Answers) Find(q Question, version int64, now time.Time) ([]byte, bool) {
	a.mu.RLock()
	answer, ok := a.kept[q]
	a.mu.RUnlock()
	if !ok || answer.Version != version || now.Before(answer.HoldsFrom) {
		return nil, false
	}
	if !answer.HoldsUntil.IsZero() && !now.Before(answer.HoldsUntil) {
		return nil, false
	}
	return answer.Body, true
}

// Keep replaces the answer to the same question.
func (a *Answers) Keep(q Question, answer Answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.bytes += len(answer.Body) - len(a.kept[q].Body)
	if a.kept == nil || a.bytes > maxAnswerBytes {
		a.kept, a.bytes = map[Question]Answer{}, len(answer.Body)
	}
	a.kept[q] = answer
}
