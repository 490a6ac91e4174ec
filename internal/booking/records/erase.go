package records

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"slotd"

	"github.com/google/uuid"

	"slotd/internal/booking"
	"slotd/internal/identity"
	"slotd/internal/jobs"
	"slotd/internal/money/ledger"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Erase erases a person's data from all bookings of a workspace, and returns the number of bookings. The bookings
// themselves stay: a future time stays taken, without an attendee, and no reminder is sent.
func (s *Service) Erase(ctx context.Context, workspaceID int64, email string, by slotd.Actor) (erased int,
	err error) {
	if err := checkEmail(email); err != nil {
		return 0, err
	}
	err = s.inErasureTx(ctx, workspaceID, by, func(ctx context.Context, e *erasure) error {
		rows, err := e.tx.BookingsOfPerson(ctx, sqlcgen.BookingsOfPersonParams{WorkspaceID: workspaceID, Email: email})
		if err != nil {
			return fmt.Errorf("look for a person's bookings: %w", err)
		}
		erased = len(rows)
		for _, row := range rows {
			if err := e.erase(ctx, row.ID, e.now); err != nil {
				return err
			}
		}
		return e.recordActivity(ctx, "person.erased", erased)
	})
	return erased, err
}

// erasure is a transaction that erases personal data, with the host locked: a booking that is moved, canceled or paid
// for meanwhile changes either before or after it.
type erasure struct {
	tx          *store.Tx
	workspaceID int64
	by          slotd.Actor
	now         time.Time
	bookings    []uuid.UUID // erased so far
}

func (s *Service) inErasureTx(ctx context.Context, workspaceID int64, by slotd.Actor,
	erase func(context.Context, *erasure) error) error {
	host, err := s.DB.Read().HostOf(ctx, workspaceID)
	if err != nil {
		return fmt.Errorf("find the host of workspace %d: %w", workspaceID, err)
	}
	var e *erasure
	err = s.DB.InHostTx(ctx, workspaceID, host.ID, func(ctx context.Context, tx *store.Tx) error {
		e = &erasure{tx: tx, workspaceID: workspaceID, by: by, now: s.Now()}
		return erase(ctx, e)
	})
	if err != nil {
		return err
	}
	if s.Erased != nil && len(e.bookings) > 0 {
		s.Erased(e.bookings)
	}
	if s.Wake != nil {
		s.Wake()
	}
	return nil
}

// recordActivity records how many bookings were erased, and never whose.
func (e *erasure) recordActivity(ctx context.Context, kind string, erased int) error {
	if erased == 0 {
		return nil
	}
	return identity.RecordActivity(ctx, e.tx, e.workspaceID, e.by, kind, bookingCount(erased), e.now)
}

// erase erases the attendee of one booking from the database, as store.AttendeeData says. The host's calendar also
// contains the name and the notes, so its entry is rewritten at writeBackAt.
func (e *erasure) erase(ctx context.Context, id string, writeBackAt time.Time) error {
	bookingID, err := uuid.Parse(id)
	if err != nil {
		return fmt.Errorf("booking %q: %w", id, err)
	}
	for _, step := range []func() error{
		func() error { return e.tx.EraseAttendee(ctx, e.workspaceID, id) },
		func() error {
			return e.tx.InsertBookingEvent(ctx, sqlcgen.InsertBookingEventParams{
				WorkspaceID: e.workspaceID, BookingID: id, At: e.now.UnixMilli(), Kind: "erased", Actor: e.by.String(),
				Detail: "{}",
			})
		},
		func() error { return e.enqueueWriteBack(ctx, bookingID, writeBackAt) },
	} {
		if err := step(); err != nil {
			return fmt.Errorf("erase the attendee of booking %s: %w", id, err)
		}
	}
	e.bookings = append(e.bookings, bookingID)
	return nil
}

// ErasureID returns the id of the job that removes a booking's attendee from the host's calendar. The job runs after
// all others that write the booking, and does not restore an entry that the host has deleted.
func ErasureID(id uuid.UUID) string {
	return fmt.Sprintf("%s.erased.%s", id, booking.WriteBackJob)
}

// enqueueWriteBack enqueues a rewrite of the entry in the host's calendar if there is an entry, or may be one soon: a
// pending job may have read the booking already.
func (e *erasure) enqueueWriteBack(ctx context.Context, id uuid.UUID, at time.Time) error {
	entries, err := e.tx.EntriesOfBooking(ctx,
		sqlcgen.EntriesOfBookingParams{WorkspaceID: e.workspaceID, BookingID: id.String()})
	if err != nil {
		return err
	}
	pending, err := e.tx.JobsOfBooking(ctx,
		sqlcgen.JobsOfBookingParams{WorkspaceID: e.workspaceID, BookingID: id.String()})
	if err != nil {
		return err
	}
	sequence, hasEntry := int64(0),
		slices.ContainsFunc(pending, func(j sqlcgen.JobsOfBookingRow) bool { return j.Kind == booking.WriteBackJob })
	for _, entry := range entries {
		sequence, hasEntry = max(sequence, entry.Sequence), hasEntry || entry.PlaceID != ""
	}
	if !hasEntry {
		return nil
	}
	return jobs.Enqueue(ctx, e.tx, []jobs.Job{{
		WorkspaceID: e.workspaceID, Booking: id, ID: ErasureID(id),
		Queue: jobs.WriteBack, Kind: booking.WriteBackJob, Sequence: int(sequence), Detail: "{}", CreatedAt: e.now,
		DueAt: at,
	}})
}

// RetentionActor is the actor that erases bookings older than the server keeps them.
var RetentionActor = slotd.Actor{Kind: slotd.RetentionActor}

const (
	eraseBatch = 500
	// rewriteInterval spaces the rewrites of calendar entries. An operator who enables the erasure late has years of
	// entries to rewrite, and new bookings must get in between.
	rewriteInterval = time.Second
	// refundReturnWindow is how long after a refund a bank may return it.
	refundReturnWindow = 30 * 24 * time.Hour
)

// EraseBefore erases the attendees of the bookings that ended before a time, and returns the number of bookings.
// Bookings with an open payment are left for later. Several servers may run it at once: each booking is erased by one
// of them.
func (s *Service) EraseBefore(ctx context.Context, workspaceID int64, before time.Time) (erased int, err error) {
	from := sqlcgen.OldBookingsParams{WorkspaceID: workspaceID, EndsAt_2: before.UnixMilli(), Limit: eraseBatch}
	for ctx.Err() == nil {
		rows, due, err := s.findOld(ctx, from)
		n := 0
		if err == nil && due {
			err = s.inErasureTx(ctx, workspaceID, RetentionActor, func(ctx context.Context, e *erasure) (err error) {
				n, err = e.eraseOld(ctx, from, erased)
				return err
			})
		}
		if errors.Is(err, sql.ErrNoRows) { // the workspace was deleted
			return erased, nil
		} else if err != nil {
			return erased, err
		}
		erased += n
		if len(rows) < eraseBatch {
			return erased, nil
		}
		last := rows[len(rows)-1]
		from.EndsAt, from.ID = last.EndsAt, last.ID
	}
	return erased, ctx.Err()
}

// findOld reads a batch of old bookings, and reports whether any of them can be erased. It locks nothing, because
// most runs find nothing.
func (s *Service) findOld(ctx context.Context, from sqlcgen.OldBookingsParams) (rows []sqlcgen.OldBookingsRow,
	due bool, err error) {
	rows, err = s.DB.Read().OldBookings(ctx, from)
	if err != nil {
		return nil, false, fmt.Errorf("look for old bookings: %w", err)
	}
	for _, row := range rows {
		paymentOpen, err := isPaymentOpen(ctx, s.DB.Read(), from.WorkspaceID, row.ID, s.Now())
		if err != nil || !paymentOpen {
			return rows, err == nil, err
		}
	}
	return rows, false, nil
}

// eraseOld erases one batch, so that nobody waits long for the host's lock.
func (e *erasure) eraseOld(ctx context.Context, from sqlcgen.OldBookingsParams,
	erasedBefore int) (erased int, err error) {
	rows, err := e.tx.OldBookings(ctx, from)
	if err != nil {
		return 0, fmt.Errorf("look for old bookings: %w", err)
	}
	for _, row := range rows {
		paymentOpen, err := isPaymentOpen(ctx, e.tx.Queries, e.workspaceID, row.ID, e.now)
		if err != nil {
			return 0, err
		} else if paymentOpen {
			continue
		}
		if err := e.erase(ctx, row.ID, e.now.Add(time.Duration(erasedBefore+erased)*rewriteInterval)); err != nil {
			return 0, err
		}
		erased++
	}
	return erased, e.recordActivity(ctx, "bookings.forgotten", erased)
}

// isPaymentOpen reports whether the payment service may still have to be asked about the booking.
func isPaymentOpen(ctx context.Context, q *sqlcgen.Queries, workspaceID int64, id string, now time.Time) (bool, error) {
	bookingID, err := uuid.Parse(id)
	if err != nil {
		return false, fmt.Errorf("booking %q: %w", id, err)
	}
	m, err := booking.LoadPaymentState(ctx, q, workspaceID, bookingID)
	if err != nil || m == nil {
		return false, err
	}
	switch m.LedgerAccount().NextStep(m.HoldEnded(now), m.SessionID != "") {
	case ledger.Done, ledger.Forget:
		return false, nil
	case ledger.WatchRefund:
		return now.Before(m.Ledger.RefundedAt().Add(refundReturnWindow)), nil
	}
	return true, nil
}
