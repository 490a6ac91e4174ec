package records

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"slotd/internal/booking"
	"slotd/internal/identity"
	"slotd/internal/jobs"
	"slotd/internal/money/ledger"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Erase forgets who booked, everywhere in a workspace's bookings, and returns in how many. The bookings themselves stay
// as they are: a time that is to come stays taken, for nobody in particular, and nobody is reminded of it.
func (s *Service) Erase(ctx context.Context, workspaceID int64, email string, by identity.Actor) (erased int,
	err error) {
	if err := checkPerson(email); err != nil {
		return 0, err
	}
	err = s.erasing(ctx, workspaceID, by, func(ctx context.Context, e *erasure) error {
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
		return e.note(ctx, "person.erased", erased)
	})
	return erased, err
}

// erasure is a transaction in which people are forgotten, with the host locked: a booking that is moved, canceled or
// paid for meanwhile is so before or after it.
type erasure struct {
	tx          *store.Tx
	workspaceID int64
	by          identity.Actor
	now         time.Time
	bookings    []uuid.UUID // that are erased by now
}

func (s *Service) erasing(ctx context.Context, workspaceID int64, by identity.Actor,
	do func(context.Context, *erasure) error) error {
	host, err := s.DB.Read().HostOf(ctx, workspaceID)
	if err != nil {
		return fmt.Errorf("find the host of workspace %d: %w", workspaceID, err)
	}
	var e *erasure
	err = s.DB.InHostTx(ctx, workspaceID, host.ID, func(ctx context.Context, tx *store.Tx) error {
		e = &erasure{tx: tx, workspaceID: workspaceID, by: by, now: s.Now()}
		return do(ctx, e)
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

// note tells how many bookings it was, and never whose.
func (e *erasure) note(ctx context.Context, kind string, erased int) error {
	if erased == 0 {
		return nil
	}
	return identity.RecordActivity(ctx, e.tx, e.workspaceID, e.by, kind, bookingCount(erased), e.now)
}

// erase takes out of one booking, and of what waits to be done about it, who made it. The host's calendar is written
// anew at a time: it holds a name and notes too.
func (e *erasure) erase(ctx context.Context, id string, writeBackAt time.Time) error {
	bookingID, err := uuid.Parse(id)
	if err != nil {
		return fmt.Errorf("booking %q: %w", id, err)
	}
	for _, step := range []func() error{
		func() error {
			return e.tx.EraseAttendee(ctx, sqlcgen.EraseAttendeeParams{WorkspaceID: e.workspaceID, ID: id})
		},
		func() error { return jobs.Drop(ctx, e.tx, e.workspaceID, bookingID, booking.ReminderJob) },
		func() error { // what was given up has the address in its error
			return e.tx.DropJobsOfAttendee(ctx,
				sqlcgen.DropJobsOfAttendeeParams{WorkspaceID: e.workspaceID, BookingID: id, Kind: booking.NoticeJob})
		},
		func() error { // whoever has the database can compute an address's hash, and find its person again
			return e.tx.ForgetMailAddresses(ctx,
				sqlcgen.ForgetMailAddressesParams{WorkspaceID: e.workspaceID, BookingID: id, AddressHash: []byte{}})
		},
		func() error { // they hold a hash of what was typed
			return e.tx.DropRepeatsOfBooking(ctx,
				sqlcgen.DropRepeatsOfBookingParams{WorkspaceID: e.workspaceID, BookingID: id})
		},
		func() error {
			return e.tx.InsertBookingEvent(ctx, sqlcgen.InsertBookingEventParams{
				WorkspaceID: e.workspaceID, BookingID: id, At: e.now.UnixMilli(), Kind: "erased", Actor: e.by.Name,
				Detail: "{}",
			})
		},
		func() error { return e.writeBack(ctx, bookingID, writeBackAt) },
	} {
		if err := step(); err != nil {
			return fmt.Errorf("erase the attendee of booking %s: %w", id, err)
		}
	}
	e.bookings = append(e.bookings, bookingID)
	return nil
}

// ErasureID names the job that takes a booking's attendee out of the host's calendar. It runs after all others that
// write the booking, and brings back no entry that the host has deleted.
func ErasureID(id uuid.UUID) string {
	return fmt.Sprintf("%s.erased.%s", id, booking.WriteBackJob)
}

// writeBack has the entry in the host's calendar written anew, if there is one or may be one soon: who is about to
// write it has perhaps read the booking already.
func (e *erasure) writeBack(ctx context.Context, id uuid.UUID, at time.Time) error {
	entries, err := e.tx.EntriesOfBooking(ctx,
		sqlcgen.EntriesOfBookingParams{WorkspaceID: e.workspaceID, BookingID: id.String()})
	if err != nil {
		return err
	}
	open, err := e.tx.JobsOfBooking(ctx,
		sqlcgen.JobsOfBookingParams{WorkspaceID: e.workspaceID, BookingID: id.String()})
	if err != nil {
		return err
	}
	sequence, written := int64(0),
		slices.ContainsFunc(open, func(j sqlcgen.JobsOfBookingRow) bool { return j.Kind == booking.WriteBackJob })
	for _, entry := range entries {
		sequence, written = max(sequence, entry.Sequence), written || entry.PlaceID != ""
	}
	if !written {
		return nil
	}
	return jobs.Enqueue(ctx, e.tx, []jobs.Job{{
		WorkspaceID: e.workspaceID, Booking: id, ID: ErasureID(id),
		Queue: jobs.WriteBack, Kind: booking.WriteBackJob, Sequence: int(sequence), Detail: "{}", CreatedAt: e.now, DueAt: at,
	}})
}

// KeepDays is who erases what is older than a server keeps.
var KeepDays = identity.Actor{Name: "keep-days"}

const (
	eraseAtOnce = 500
	// One who turns it on late has years to write anew: what is booked meanwhile comes in between.
	rewriteEvery = time.Second
	// refundsReturn is how long after a refund a bank may send it back.
	refundsReturn = 30 * 24 * time.Hour
)

// EraseBefore forgets who made the bookings that ended before a time, and returns of how many. Those whose money is
// still open are left for later. Several servers may do it at once: each booking is erased by one of them.
func (s *Service) EraseBefore(ctx context.Context, workspaceID int64, before time.Time) (erased int, err error) {
	from := sqlcgen.OldBookingsParams{WorkspaceID: workspaceID, EndsAt_2: before.UnixMilli(), Limit: eraseAtOnce}
	for ctx.Err() == nil {
		rows, due, err := s.lookForOld(ctx, from)
		n := 0
		if err == nil && due {
			err = s.erasing(ctx, workspaceID, KeepDays, func(ctx context.Context, e *erasure) (err error) {
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
		if len(rows) < eraseAtOnce {
			return erased, nil
		}
		last := rows[len(rows)-1]
		from.EndsAt, from.ID = last.EndsAt, last.ID
	}
	return erased, ctx.Err()
}

// lookForOld reads some of them, and reports whether any of them is to be erased. It locks nobody: most rounds find
// nothing.
func (s *Service) lookForOld(ctx context.Context, from sqlcgen.OldBookingsParams) (rows []sqlcgen.OldBookingsRow,
	due bool, err error) {
	rows, err = s.DB.Read().OldBookings(ctx, from)
	if err != nil {
		return nil, false, fmt.Errorf("look for old bookings: %w", err)
	}
	for _, row := range rows {
		open, err := moneyOpen(ctx, s.DB.Read(), from.WorkspaceID, row.ID, s.Now())
		if err != nil || !open {
			return rows, err == nil, err
		}
	}
	return rows, false, nil
}

// eraseOld erases some of them, so that nobody waits for the host for long.
func (e *erasure) eraseOld(ctx context.Context, from sqlcgen.OldBookingsParams, before int) (erased int, err error) {
	rows, err := e.tx.OldBookings(ctx, from)
	if err != nil {
		return 0, fmt.Errorf("look for old bookings: %w", err)
	}
	for _, row := range rows {
		open, err := moneyOpen(ctx, e.tx.Queries, e.workspaceID, row.ID, e.now)
		if err != nil {
			return 0, err
		} else if open {
			continue
		}
		if err := e.erase(ctx, row.ID, e.now.Add(time.Duration(before+erased)*rewriteEvery)); err != nil {
			return 0, err
		}
		erased++
	}
	return erased, e.note(ctx, "bookings.forgotten", erased)
}

// moneyOpen reports whether somebody may still have to be asked about the booking's payment.
func moneyOpen(ctx context.Context, q *sqlcgen.Queries, workspaceID int64, id string, now time.Time) (bool, error) {
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
		return now.Before(m.Ledger.RefundedAt().Add(refundsReturn)), nil
	}
	return true, nil
}
