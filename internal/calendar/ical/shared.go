package ical

import (
	"crypto/sha256"
	"time"
)

// shared is what the items of one calendar have in common.
type shared struct {
	budget  budget
	named   map[string]*time.Location            // by TZID; nil: nobody knows it
	defined map[[sha256.Size]byte]*time.Location // by what the definition says; nil: it makes no sense
}

func newShared() *shared {
	return &shared{named: map[string]*time.Location{}, defined: map[[sha256.Size]byte]*time.Location{}}
}

// SharingBudget returns a Reader whose calls of Reduce, and those of its copies, may together cost what one may cost
// otherwise: a calendar in ten thousand items is no dearer than one in a file. Once that is spent, every call returns
// the same error. It is for one goroutine at a time.
func (r Reader) SharingBudget() Reader {
	r.shared = newShared()
	return r
}
