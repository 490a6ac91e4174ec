// Package records answers what hosts and operators ask about bookings: lists, a booking's history, its payments, a person's
// data, and why a time is offered or not. It erases a person's data, too. It never changes a booking's state, its claim or
// its ledger: the verbs in booking do that.
package records

import (
	"time"

	"github.com/google/uuid"

	"slotd/internal/availability/snapshot"
	"slotd/internal/money/accounts"
	"slotd/internal/store"
)

// Service reads what is stored about bookings.
type Service struct {
	DB       *store.DB
	Cache    *snapshot.Cache   // for Explain alone
	Accounts *accounts.Service // for Reconcile alone
	Now      func() time.Time
	Wake     func() // called when there are new jobs; may be nil

	// Erased is called with the bookings whose attendees were erased, for what lies outside the database. It may be nil.
	Erased func([]uuid.UUID)
}
