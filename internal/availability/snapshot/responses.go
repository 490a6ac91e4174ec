package snapshot

import (
	"sync"
	"time"

	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
)

// Answers keeps encoded answers, so that what was asked before costs a look-up. Whether a kept
// answer is still true is for the one who asks to find out.
type Responses struct {
	mu    sync.RWMutex
	kept  map[ResponseKey]Response
	bytes int
}

// Question is what an answer depends on, besides the workspace's version and the time.
type ResponseKey struct {
	WorkspaceID int64
	EventType   int64
	Start       zone.Date
	Days        int
	Page        string // how a page shows it; empty: the endpoint's answer
}

// Answer is true for the version it was made at. One about open slots is also true for later
// ones that changed nothing within Reach, and only from HoldsFrom until before HoldsUntil (zero:
// for ever).
type Response struct {
	Version    int64
	Reach      slots.Span
	ValidFrom  time.Time
	ValidUntil time.Time
	Body       []byte
	Tag        string // names the body, for those who have it already
}

// TrueFor reports whether the answer is what would be answered from the picture now.
func (a *Response) ValidFor(p *Snapshot, now time.Time) bool {
	return !now.Before(a.ValidFrom) && (a.ValidUntil.IsZero() || now.Before(a.ValidUntil)) &&
		p.unchangedSince(a.Version, a.Reach)
}

// maxAnswerBytes bounds the memory; when it is used up, everything is forgotten at once.
const maxResponseBytes = 64 << 20

func (a *Responses) Find(q ResponseKey) (Response, bool) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	answer, ok := a.kept[q]
	return answer, ok
}

// Keep replaces the answer to the same question.
func (a *Responses) Keep(q ResponseKey, answer Response) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.bytes += len(answer.Body) - len(a.kept[q].Body)
	if a.kept == nil || a.bytes > maxResponseBytes {
		a.kept, a.bytes = map[ResponseKey]Response{}, len(answer.Body)
	}
	a.kept[q] = answer
}
