// Package bookingtest provides the tests of packages above booking with a world in which guests book and pay. The tests
// of package booking itself cannot import it, and have their own.
package bookingtest

import (
	"context"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/money/accounts"
	"slotd/internal/money/ledger"
	"slotd/test/worlds"
)

var background = context.Background()

// New returns a booking service of the world's server. The changes may set what else it needs.
func New(w *worlds.World, changes ...func(*booking.Config)) *booking.Service {
	c := booking.Config{
		DB: w.DB, Cache: w.Cache, Links: w.Links, Calendars: w.Calendars(w.DB, w.Cache), Now: w.Clock.Now,
		BaseURL: worlds.BaseURL, VideoURL: worlds.VideoURL, HoldFor: booking.DefaultHold,
	}
	for _, change := range changes {
		change(&c)
	}
	return booking.New(c)
}

// World is a world with one workspace, in which guests book.
type World struct {
	*worlds.World
	*booking.Service
	Actor booking.Actor    // acts for the host
	File  *slotd.Workspace // what PutFile writes
}

// Start writes the workspace and returns a world in which it can be booked.
func Start(w *worlds.World, file *slotd.Workspace) *World {
	w.T.Helper()
	b := &World{World: w, Service: New(w), File: file}
	b.PutFile()
	b.Actor = booking.Token(b.WorkspaceID(file.Slug), "tok_1", "")
	return b
}

// PutFile writes the workspace as the test has changed it.
func (w *World) PutFile() {
	w.T.Helper()
	w.Put(w.File)
}

// EventType returns an event type of File, to be changed.
func (w *World) EventType(slug string) *slotd.EventType { return worlds.EventType(w.File, slug) }

func request(slug string, start time.Time) booking.Request {
	return booking.Request{EventType: slug, StartsAt: start, Attendee: worlds.Guest, Notes: "private words"}
}

// TryCreate books for the guest.
func (w *World) TryCreate(slug string, start time.Time) (*slotd.Booking, error) {
	return w.Create(background, w.Actor, request(slug, start))
}

// MustCreate books for the guest.
func (w *World) MustCreate(slug string, start time.Time) *slotd.Booking {
	w.T.Helper()
	b, err := w.TryCreate(slug, start)
	w.Must(err)
	return b
}

// MustMove moves a booking for the host.
func (w *World) MustMove(b *slotd.Booking, start time.Time) *slotd.Booking {
	w.T.Helper()
	moved, err := w.Reschedule(background, w.Actor, b.ID, start)
	w.Must(err)
	return moved
}

// MustCancel cancels a booking for the host.
func (w *World) MustCancel(b *slotd.Booking, reason string) *slotd.Booking {
	w.T.Helper()
	canceled, err := w.Cancel(background, w.Actor, b.ID, reason)
	w.Must(err)
	return canceled
}

// MustHold holds a slot for the guest, who has not paid yet.
func (w *World) MustHold(slug string, start time.Time) *slotd.Booking {
	w.T.Helper()
	page := booking.Page(w.Actor.WorkspaceID)
	b, err := w.Hold(background, page, request(slug, start), accounts.Operator)
	w.Must(err)
	return b
}

// MustApply applies what the payment service reports.
func (w *World) MustApply(b *slotd.Booking, statement ledger.Statement) {
	w.T.Helper()
	w.Must(w.ApplyPayment(background, w.Actor.WorkspaceID, b.ID, statement))
}

// MustPay returns a booking that was held and paid for in time.
func (w *World) MustPay(slug string, start time.Time) *slotd.Booking {
	w.T.Helper()
	b := w.MustHold(slug, start)
	w.MustApply(b, worlds.PaidStatement(b))
	w.WantState(b, slotd.Confirmed)
	return w.Stored(b)
}

// Stored returns the booking as the database has it.
func (w *World) Stored(b *slotd.Booking) *slotd.Booking {
	w.T.Helper()
	found, err := booking.FromRow(w.Row(w.Actor.WorkspaceID, b))
	w.Must(err)
	return found
}

// Money returns the booking's payment, as the database has it.
func (w *World) Money(b *slotd.Booking) *booking.PaymentState {
	w.T.Helper()
	m, err := w.PaymentState(background, w.Actor.WorkspaceID, b.ID)
	w.Must(err)
	return m
}
