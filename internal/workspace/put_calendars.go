package workspace

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/jobs"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// SyncJob is the kind of the job that reads a calendar every few minutes while it is connected.
const SyncJob = "sync_calendar"

// putCalendars connects the calendars in the file and disconnects all others.
func (p *put) putCalendars(ctx context.Context) error {
	for position, cal := range p.desired.Calendars {
		if err := p.putCalendar(ctx, cal, position); err != nil {
			return err
		}
	}
	for _, old := range p.previousCalendars() {
		if slices.ContainsFunc(p.desired.Calendars, func(c slotd.Calendar) bool { return c.Name == old.Name }) {
			continue
		}
		p.changed = true
		if err := DisconnectCalendar(ctx, p.tx, p.id, old.ID); err != nil {
			return fmt.Errorf("disconnect calendar %s: %w", old.Name, err)
		}
	}
	return nil
}

func (p *put) previousCalendars() []slotd.Calendar {
	if p.before == nil {
		return nil
	}
	return p.before.Calendars
}

func (p *put) putCalendar(ctx context.Context, cal slotd.Calendar, position int) error {
	old, sealed, err := p.previousCalendar(ctx, cal.Name)
	if err != nil {
		return err
	}
	cal.ID = newID()
	sameSource, samePosition := false, false
	if old != nil {
		cal.ID, sameSource = old.ID, old.SameSource(&cal)
		samePosition = position < len(p.before.Calendars) && p.before.Calendars[position].Name == cal.Name
	}
	if !sameSource {
		sealed = nil
	}
	credential, err := p.credential(&cal, sealed)
	if err != nil {
		return err
	}
	newPassword := !slices.Equal(credential, sealed)
	reread := !sameSource || p.needsReread()
	if !reread && !newPassword && samePosition && encode(cal) == encode(*old) {
		return nil
	}
	p.changed = true
	if newPassword && old != nil {
		p.newPasswords = append(p.newPasswords, cal.Name)
	}
	if sameSource && !newPassword { // leave the credential alone: a concurrent sync may be writing a new token
		err = p.tx.UpdateCalendar(ctx,
			sqlcgen.UpdateCalendarParams{WorkspaceID: p.id, ID: cal.ID, Position: int64(position),
				Settings: encode(cal)})
	} else {
		err = p.tx.PutCalendar(ctx, sqlcgen.PutCalendarParams{
			WorkspaceID: p.id, ID: cal.ID, HostID: p.hostID, Name: cal.Name, Position: int64(position),
			Settings: encode(cal), Sealed: nonNil(credential),
		})
	}
	if err != nil {
		return fmt.Errorf("keep calendar %s: %w", cal.Name, err)
	}
	switch {
	case reread:
		err = p.startReading(ctx, cal.ID, !sameSource)
	case newPassword:
		err = p.retryRead(ctx, cal.ID)
	}
	if err != nil {
		return fmt.Errorf("read calendar %s: %w", cal.Name, err)
	}
	return nil
}

// nonNil returns an empty slice for nil, for a column that must not be null.
func nonNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

func (p *put) previousCalendar(ctx context.Context, name string) (*slotd.Calendar, []byte, error) {
	for i, old := range p.previousCalendars() {
		if old.Name == name {
			row, err := p.tx.Calendar(ctx, sqlcgen.CalendarParams{WorkspaceID: p.id, ID: old.ID})
			return &p.before.Calendars[i], row.Sealed, err
		}
	}
	return nil, nil, nil
}

// needsReread reports whether the same events now mean other times than before. All-day events are days in the
// workspace's time zone, and declined invitations are found by the host's address.
func (p *put) needsReread() bool {
	return p.before != nil && (p.before.TimeZone != p.desired.TimeZone || p.before.Host.Email != p.desired.Host.Email)
}

// PasswordMissingError is the error for a calendar that needs a password and has none.
type PasswordMissingError struct{ Calendar string }

func (m *PasswordMissingError) Error() string {
	return fmt.Sprintf("calendar %q needs its password: name the environment variable that holds it in password_env. "+
		"A stored one stays only as long as url and username do", m.Calendar)
}

// credential seals a new password and returns the stored credential otherwise.
func (p *put) credential(cal *slotd.Calendar, sealed []byte) ([]byte, error) {
	password, given := p.Passwords[cal.Name]
	switch {
	case cal.Username != "" && !given && len(sealed) == 0:
		return nil, &PasswordMissingError{cal.Name}
	case !given:
		return sealed, nil
	}
	if stored, err := OpenCredential(p.Keys, p.id, cal, sealed); err == nil && len(sealed) > 0 &&
		stored.Password == password {
		return sealed, nil
	}
	return Credential{Password: password}.Seal(p.Keys, p.id, cal)
}

// startReading deletes the copy. Until the calendar is read again, its busy times are unknown.
func (p *put) startReading(ctx context.Context, id int64, newSource bool) error {
	if err := deleteCopy(ctx, p.tx, p.id, id); err != nil {
		return err
	}
	if newSource {
		if err := p.tx.DeleteCalendarEntries(ctx,
			sqlcgen.DeleteCalendarEntriesParams{WorkspaceID: p.id, CalendarID: id}); err != nil {
			return err
		}
	}
	if err := p.tx.StartCalendarRead(ctx,
		sqlcgen.StartCalendarReadParams{WorkspaceID: p.id, CalendarID: id}); err != nil {
		return err
	}
	return ScheduleRead(ctx, p.tx, p.id, id, p.now)
}

func (p *put) retryRead(ctx context.Context, id int64) error {
	if err := p.tx.RetryCalendarRead(ctx,
		sqlcgen.RetryCalendarReadParams{WorkspaceID: p.id, CalendarID: id}); err != nil {
		return err
	}
	return ScheduleRead(ctx, p.tx, p.id, id, p.now)
}

// ScheduleRead makes the calendar's sync job due now and creates the job if there is none.
func ScheduleRead(ctx context.Context, tx *store.Tx, workspaceID, calendarID int64, now time.Time) error {
	if err := tx.HurryCalendarRead(ctx,
		sqlcgen.HurryCalendarReadParams{WorkspaceID: workspaceID, CalendarID: calendarID}); err != nil {
		return err
	}
	job := jobs.Job{
		WorkspaceID: workspaceID, Booking: uuid.Nil, ID: fmt.Sprintf("calendar.%d", calendarID),
		Queue: jobs.Calendar, Kind: SyncJob, Detail: fmt.Sprintf(`{"calendar":%d}`, calendarID), CreatedAt: now,
		DueAt: now,
	}
	// The order matters: a job that ends right now is gone for BringForward, and Enqueue then creates a new one.
	if err := jobs.BringForward(ctx, tx, job); err != nil {
		return err
	}
	return jobs.Enqueue(ctx, tx, []jobs.Job{job})
}

// DisconnectCalendar deletes a calendar and its copy. Entries that were written to the calendar stay there.
func DisconnectCalendar(ctx context.Context, tx *store.Tx, workspaceID, id int64) error {
	if err := deleteCopy(ctx, tx, workspaceID, id); err != nil {
		return err
	}
	if err := tx.DeleteCalendarEntries(ctx,
		sqlcgen.DeleteCalendarEntriesParams{WorkspaceID: workspaceID, CalendarID: id}); err != nil {
		return err
	}
	if err := tx.DeleteCalendarRead(ctx,
		sqlcgen.DeleteCalendarReadParams{WorkspaceID: workspaceID, CalendarID: id}); err != nil {
		return err
	}
	return tx.DeleteCalendar(ctx, sqlcgen.DeleteCalendarParams{WorkspaceID: workspaceID, ID: id})
}

// deleteCopy deletes the copy of a calendar.
func deleteCopy(ctx context.Context, tx *store.Tx, workspaceID, id int64) error {
	if err := tx.DeleteCalendarItems(ctx,
		sqlcgen.DeleteCalendarItemsParams{WorkspaceID: workspaceID, CalendarID: id}); err != nil {
		return err
	}
	if err := tx.DeleteCalendarBusy(ctx,
		sqlcgen.DeleteCalendarBusyParams{WorkspaceID: workspaceID, CalendarID: id}); err != nil {
		return err
	}
	return tx.BumpBusyVersion(ctx, workspaceID)
}
