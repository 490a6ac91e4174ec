package snapshot

import (
	"sync"
	"time"

	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
)

// Responses caches encoded responses, so that a repeated request costs one lookup. The caller must check
// with ValidFor whether a cached response is still valid.
type Responses struct {
	mu    sync.RWMutex
	byKey map[ResponseKey]Response
	bytes int
}

// ResponseKey is everything a response depends on besides the workspace's version and the time.
type ResponseKey struct {
	WorkspaceID int64
	EventType   int64
	Start       zone.Date
	Days        int
	Page        string // the page's way of showing it; empty: the response of the MCP endpoint
}

// Response is an encoded response. It is valid for the version it was made at. A response about open slots is
// also valid for later versions that changed nothing within Reach, but only from ValidFrom until just before
// ValidUntil (zero: forever).
type Response struct {
	Version    int64
	Reach      slots.Span
	ValidFrom  time.Time
	ValidUntil time.Time
	Body       []byte
	Tag        string // identifies the body, for clients that already have it
}

// ValidFor reports whether a fresh response from p would be the same at now.
func (a *Response) ValidFor(p *Snapshot, now time.Time) bool {
	return !now.Before(a.ValidFrom) && (a.ValidUntil.IsZero() || now.Before(a.ValidUntil)) &&
		p.unchangedSince(a.Version, a.Reach)
}

// maxResponseBytes limits the memory. When it is exceeded, all responses are dropped at once.
const maxResponseBytes = 64 << 20

// Get returns the cached response for the key.
func (a *Responses) Get(key ResponseKey) (Response, bool) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	response, ok := a.byKey[key]
	return response, ok
}

// Put caches a response. It replaces an earlier one for the same key.
func (a *Responses) Put(key ResponseKey, response Response) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.bytes += len(response.Body) - len(a.byKey[key].Body)
	if a.byKey == nil || a.bytes > maxResponseBytes {
		a.byKey, a.bytes = map[ResponseKey]Response{}, len(response.Body)
	}
	a.byKey[key] = response
}
