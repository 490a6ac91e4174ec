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
	"slotd/internal/mail"
	"slotd/internal/mail/invite"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/workspace"
)

// WriteBack makes the host's own calendar show bookings as they are.
type WriteBack struct {
	Booking *booking.Service
	Sync    *calsync.Service
	DB      *store.DB
	Cache   *snapshot.Cache
	Now     func() time.Time
}

// changesAtMost is how often an entry may change under our hands before the job waits for its next try.
const changesAtMost = 5

// Write brings one booking into the calendar that receives bookings, and up to date where it was
// written before.
func (w *WriteBack) Write(ctx context.Context, j *jobs.Job) (func(context.Context, *store.Tx) error, error) {
	if err := w.awaitOthers(ctx, j); err != nil {
		return nil, err
	}
	p, err := w.Cache.Latest(ctx, j.WorkspaceID)
	if err != nil {
		return nil, err
	}
	rows, err := w.DB.Read().EntriesOfBooking(ctx,
		sqlcgen.EntriesOfBookingParams{WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String()})
	if err != nil {
		return nil, fmt.Errorf("load where booking %s was written: %w", j.Booking, err)
	}
	entries, written := map[int64]sqlcgen.EntriesOfBookingRow{}, false
	for _, row := range rows {
		// An entry that was written and is gone stays gone, also when the erasure that found it so runs again.
		entries[row.CalendarID], written = row, written || row.PlaceID != "" || erases(j) && row.LastError == ""
	}
	var all []error
	for i := range p.Calendars {
		cal := &p.Calendars[i]
		row := entries[cal.ID]
		// a booking stays in the calendar that it was written into
		if row.PlaceID == "" && (written || !cal.WriteBack) {
			continue
		}
		if err := w.writeInto(ctx, p, cal, j, row); err != nil {
			all = append(all, fmt.Errorf("calendar %s: %w", cal.Name, err))
		}
	}
	return nil, errors.Join(all...)
}

// erases reports whether the job has no more to do than to take a name out of the calendar.
func erases(j *jobs.Job) bool { return j.ID == records.ErasureID(j.Booking) }

// awaitEvery is how often an erasure asks whether the writes before it are over. A calendar may be down for days.
const awaitEvery = 15 * time.Second

// awaitOthers lets an erasure go last: who has the booking in hand may have read a name that is no longer in it.
func (w *WriteBack) awaitOthers(ctx context.Context, j *jobs.Job) error {
	if !erases(j) {
		return nil
	}
	rows, err := w.DB.Read().JobsOfBooking(ctx,
		sqlcgen.JobsOfBookingParams{WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String()})
	if err != nil {
		return fmt.Errorf("look for others that write booking %s: %w", j.Booking, err)
	}
	for _, row := range rows {
		if row.Kind == j.Kind && row.ID != j.ID && row.FailedAt == 0 {
			return jobs.RetryAt(w.Now().Add(awaitEvery), "waits for the writes before it")
		}
	}
	return nil
}

func (w *WriteBack) writeInto(ctx context.Context, p *snapshot.Snapshot, cal *slotd.Calendar, j *jobs.Job,
	row sqlcgen.EntriesOfBookingRow) error {
	place := calendar.Place{ID: row.PlaceID, Tag: row.PlaceTag}
	writer, err := w.Sync.Writer(ctx, j.WorkspaceID, cal.ID)
	if errors.Is(err, calsync.ErrGone) {
		return nil
	}
	sequence := int(row.Sequence)
	if err == nil {
		place, sequence, err = w.write(ctx, p, writer, j, place)
	}
	var unreadable *calendar.Error
	if errors.As(err, &unreadable) && unreadable.Kind == calendar.Revoked {
		w.Sync.Read(ctx, j.WorkspaceID, cal.ID) // which finds the same, says so to the owner, and stops all tries
	}
	return errors.Join(err, w.remember(ctx, p, j, row, sqlcgen.PutCalendarEntryParams{
		WorkspaceID: j.WorkspaceID, CalendarID: cal.ID, BookingID: j.Booking.String(), PlaceID: place.ID,
		PlaceTag: place.Tag, Sequence: int64(sequence),
	}, err))
}

// write looks at the booking anew before each try, and once more after it: the place says what was there,
// so whoever writes what is old finds it changed, save where nothing was there. A booking that another
// server canceled meanwhile would come back.
func (w *WriteBack) write(ctx context.Context, p *snapshot.Snapshot, writer calendar.Writer, j *jobs.Job,
	place calendar.Place) (calendar.Place, int, error) {
	written := -1 // the sequence
	for range changesAtMost {
		b, err := booking.Load(ctx, w.DB.Read(), j.WorkspaceID, j.Booking)
		if err != nil || b == nil {
			return place, 0, err
		}
		if b.Sequence == written {
			return place, written, nil
		}
		was := place
		if b.State == slotd.Canceled {
			place, err = writer.Delete(ctx, invite.UID(b.ID), place)
		} else {
			place, err = writer.Put(ctx, w.entry(p, b, j), place)
		}
		switch {
		case err == nil:
			written = b.Sequence
		// where it lies is still known: the next try must not take it for one that never was there
		case !errors.Is(err, calendar.ErrChanged):
			return was, b.Sequence, err
		case erases(j) && place.ID == "": // the host has deleted it, and the name with it
			return place, b.Sequence, nil
		}
	}
	if written >= 0 { // the booking has changed since, so another job follows
		return place, written, nil
	}
	return place, 0, calendar.ErrChanged
}

func (w *WriteBack) entry(p *snapshot.Snapshot, b *slotd.Booking, j *jobs.Job) calendar.Entry {
	n := w.Booking.Notice(p, b, mail.Booked, mail.ToHost)
	n.At = j.CreatedAt
	return entryOf(n)
}

// entryOf returns the event of a notice as it is written into the host's own calendar.
func entryOf(n *mail.Notice) calendar.Entry {
	b, texts := n.Booking, mail.EventTexts(n)
	return calendar.Entry{
		UID: invite.UID(b.ID), Sequence: b.Sequence, Start: b.StartsAt, End: b.EndsAt,
		Summary: texts.Summary, Location: texts.Location, Description: texts.Description,
		ICS: mail.Calendar(n, invite.Stored),
	}
}

// remember notes where the entry lies, or why it is not there: the owner sees it. Where an entry was moved or
// taken out, the calendar's copy still has it at its old place, so the calendar is read soon.
func (w *WriteBack) remember(ctx context.Context, p *snapshot.Snapshot, j *jobs.Job, was sqlcgen.EntriesOfBookingRow,
	row sqlcgen.PutCalendarEntryParams, cause error) error {
	now := w.Now()
	row.WrittenAt = now.UnixMilli()
	if cause != nil {
		row.LastError = calsync.ShortURL(cause.Error())
	}
	return w.DB.InHostTx(ctx, p.WorkspaceID, p.HostID, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.Calendar(ctx, sqlcgen.CalendarParams{WorkspaceID: j.WorkspaceID, ID: row.CalendarID})
		if errors.Is(err, sql.ErrNoRows) { // it was disconnected meanwhile
			return nil
		} else if err != nil {
			return err
		}
		if err := tx.PutCalendarEntry(ctx, row); err != nil || cause != nil || was.PlaceID == "" {
			return err
		}
		return workspace.ScheduleRead(ctx, tx, j.WorkspaceID, row.CalendarID, now)
	})
}
