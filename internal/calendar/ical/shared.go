package ical

import (
	"crypto/sha256"
	"time"
)

// shared is the state that the items of one calendar have in common.
type shared struct {
	budget            budget
	zonesByName       map[string]*time.Location            // by TZID; nil: unknown
	zonesByDefinition map[[sha256.Size]byte]*time.Location // by the definition's content; nil: it is invalid
}

func newShared() *shared {
	return &shared{zonesByName: map[string]*time.Location{}, zonesByDefinition: map[[sha256.Size]byte]*time.Location{}}
}

// SharingBudget returns a Reader whose calls of Reduce, and those of its copies, share the limits of one call. So a
// calendar in ten thousand items costs no more than one in a single file. When the budget is exhausted, every call
// returns the same error. Only one goroutine may use it at a time.
func (r Reader) SharingBudget() Reader {
	r.shared = newShared()
	return r
}
