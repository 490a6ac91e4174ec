package worker

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/booking"
	"slotd/internal/booking/records"
	"slotd/internal/calendar"
	"slotd/internal/calendar/calsync"
	"slotd/internal/jobs"
	"slotd/internal/lib/say"
	"slotd/internal/mail"
	"slotd/internal/mail/invite"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/workspace"
)

// WriteBack keeps the bookings in the host's own calendar up to date.
type WriteBack struct {
	Booking *booking.Service
	Sync    *calsync.Service
	DB      *store.DB
	Cache   *snapshot.Cache
	Now     func() time.Time
}

// maxWriteAttempts is how often one run of a job tries to write an entry that keeps changing. After that, the job waits
// for its next run.
const maxWriteAttempts = 5

// Write writes one booking into the calendar that receives bookings, and updates it where it was written before.
func (w *WriteBack) Write(ctx context.Context, j *jobs.Job) (func(context.Context, *store.Tx) error, error) {
	if err := w.awaitOtherWrites(ctx, j); err != nil {
		return nil, err
	}
	snap, err := w.Cache.Latest(ctx, j.WorkspaceID)
	if err != nil {
		return nil, err
	}
	rows, err := w.DB.Read().EntriesOfBooking(ctx,
		sqlcgen.EntriesOfBookingParams{WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String()})
	if err != nil {
		return nil, fmt.Errorf("load where booking %s was written: %w", j.Booking, err)
	}
	entries, hasEntry := map[int64]sqlcgen.EntriesOfBookingRow{}, false
	for _, row := range rows {
		// An entry that was written and then deleted stays deleted, even if the erasure that found it missing
		// runs again.
		entries[row.CalendarID], hasEntry = row, hasEntry || row.PlaceID != "" || isErasure(j) && row.LastError == ""
	}
	var errs []error
	for i := range snap.Calendars {
		cal := &snap.Calendars[i]
		row := entries[cal.ID]
		// A booking stays in the calendar that it was written into.
		if row.PlaceID == "" && (hasEntry || !cal.WriteBack) {
			continue
		}
		if err := w.writeInto(ctx, snap, cal, j, row); err != nil {
			errs = append(errs, fmt.Errorf("calendar %s: %w", cal.Name, err))
		}
	}
	return nil, errors.Join(errs...)
}

// isErasure reports whether the job only has to remove a name from the calendar.
func isErasure(j *jobs.Job) bool { return j.ID == records.ErasureID(j.Booking) }

// writePollInterval is how often an erasure checks whether the writes before it are done. A calendar may be down for
// days.
const writePollInterval = 15 * time.Second

// awaitOtherWrites makes an erasure run last. Another job that is writing the booking may have read the name before it
// was erased.
func (w *WriteBack) awaitOtherWrites(ctx context.Context, j *jobs.Job) error {
	if !isErasure(j) {
		return nil
	}
	rows, err := w.DB.Read().JobsOfBooking(ctx,
		sqlcgen.JobsOfBookingParams{WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String()})
	if err != nil {
		return fmt.Errorf("look for others that write booking %s: %w", j.Booking, err)
	}
	for _, row := range rows {
		if row.Kind == j.Kind && row.ID != j.ID && row.FailedAt == 0 {
			return jobs.RetryAt(w.Now().Add(writePollInterval), say.T("waiting for an earlier change to be written"))
		}
	}
	return nil
}

// writeInto writes the booking into one calendar and saves the outcome.
func (w *WriteBack) writeInto(ctx context.Context, snap *snapshot.Snapshot, cal *slotd.Calendar, j *jobs.Job,
	row sqlcgen.EntriesOfBookingRow) error {
	ref := calendar.EntryRef{ID: row.PlaceID, Tag: row.PlaceTag}
	writer, err := w.Sync.Writer(ctx, j.WorkspaceID, cal.ID)
	if errors.Is(err, calsync.ErrGone) {
		return nil
	}
	sequence := int(row.Sequence)
	if err == nil {
		ref, sequence, err = w.write(ctx, snap, writer, j, ref)
	}
	var calErr *calendar.Error
	if errors.As(err, &calErr) && calErr.Kind == calendar.Revoked {
		// Read also finds the access revoked, mails the owner and stops all further attempts.
		w.Sync.Read(ctx, j.WorkspaceID, cal.ID)
	}
	return errors.Join(err, w.saveEntry(ctx, snap, j, row, sqlcgen.PutCalendarEntryParams{
		WorkspaceID: j.WorkspaceID, CalendarID: cal.ID, BookingID: j.Booking.String(), PlaceID: ref.ID,
		PlaceTag: ref.Tag, Sequence: int64(sequence),
	}, err))
}

// write reads the booking again before each attempt and once more after it. The reference says which version of the
// entry we expect, so a server that writes an outdated booking gets ErrChanged. That does not work if there was no
// entry before: without the last look, a booking that another server canceled meanwhile would reappear.
func (w *WriteBack) write(ctx context.Context, snap *snapshot.Snapshot, writer calendar.Writer, j *jobs.Job,
	ref calendar.EntryRef) (calendar.EntryRef, int, error) {
	written := -1 // the sequence that was written last
	for range maxWriteAttempts {
		b, err := booking.Load(ctx, w.DB.Read(), j.WorkspaceID, j.Booking)
		if err != nil || b == nil {
			return ref, 0, err
		}
		if b.Sequence == written {
			return ref, written, nil
		}
		previous := ref
		if !b.State.TakesTime() {
			ref, err = writer.Delete(ctx, invite.UID(b.ID), ref)
		} else {
			ref, err = writer.Put(ctx, w.entry(snap, b, j), ref)
		}
		switch {
		case err == nil:
			written = b.Sequence
		// Keep the reference: the next attempt must not assume that the entry never existed.
		case !errors.Is(err, calendar.ErrChanged):
			return previous, b.Sequence, err
		case isErasure(j) && ref.ID == "": // the host deleted the entry, and the name with it
			return ref, b.Sequence, nil
		}
	}
	if written >= 0 { // the booking has changed since, so another job follows
		return ref, written, nil
	}
	return ref, 0, calendar.ErrChanged
}

func (w *WriteBack) entry(snap *snapshot.Snapshot, b *slotd.Booking, j *jobs.Job) calendar.Entry {
	n := w.Booking.Notice(snap, b, mail.Booked, mail.ToHost)
	n.At = j.CreatedAt
	return entryOf(n)
}

// entryOf returns the event of a notice as it is written into the host's own calendar.
func entryOf(n *mail.Notice) calendar.Entry {
	b, texts := n.Booking, mail.EventTexts(n)
	return calendar.Entry{
		UID: invite.UID(b.ID), Sequence: b.Sequence, Start: b.StartsAt, End: b.EndsAt,
		Summary: texts.Summary, Location: texts.Location, Description: texts.Description,
		ICS: mail.InviteFile(n, invite.Stored),
	}
}

// writeError says why an entry could not be written.
func writeError(cause error) string {
	var calErr *calendar.Error
	if errors.As(cause, &calErr) {
		return calsync.ErrorText(calErr)
	}
	return cause.Error()
}

// saveEntry saves where the entry is, or why it could not be written, which the owner sees. Our copy of the calendar
// still has a moved or deleted entry at its old time, so the calendar is read again soon.
func (w *WriteBack) saveEntry(ctx context.Context, snap *snapshot.Snapshot, j *jobs.Job,
	previous sqlcgen.EntriesOfBookingRow, row sqlcgen.PutCalendarEntryParams, cause error) error {
	now := w.Now()
	row.WrittenAt = now.UnixMilli()
	if cause != nil {
		row.LastError = calsync.Shorten(writeError(cause))
	}
	return w.DB.InHostTx(ctx, snap.WorkspaceID, snap.HostID, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.Calendar(ctx, sqlcgen.CalendarParams{WorkspaceID: j.WorkspaceID, ID: row.CalendarID})
		if errors.Is(err, sql.ErrNoRows) { // the calendar was disconnected meanwhile
			return nil
		} else if err != nil {
			return err
		}
		if err := tx.PutCalendarEntry(ctx, row); err != nil || cause != nil || previous.PlaceID == "" {
			return err
		}
		return workspace.ScheduleRead(ctx, tx, j.WorkspaceID, row.CalendarID, now)
	})
}
