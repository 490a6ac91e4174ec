// Package records answers the questions of hosts and operators about bookings: lists, a booking's history, its
// payments, a person's data, and why a time is offered or not. It also erases a person's data. It never changes a
// booking's state, its claim or its ledger: only package booking does that.
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
	Cache    *snapshot.Cache   // only for Explain
	Accounts *accounts.Service // only for Reconcile
	Now      func() time.Time
	Wake     func() // called when there are new jobs; may be nil

	// Erased is called with the bookings whose attendees were erased, so that data outside the database can be erased
	// too. It may be nil.
	Erased func([]uuid.UUID)
}
