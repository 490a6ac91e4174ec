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

// SyncJob reads a calendar every few minutes, for as long as it is connected.
const SyncJob = "sync_calendar"

// putCalendars connects those of the file and disconnects the others.
func (p *put) putCalendars(ctx context.Context) error {
	for position, cal := range p.desired.Calendars {
		if err := p.putCalendar(ctx, cal, position); err != nil {
			return err
		}
	}
	for _, was := range p.calendarsBefore() {
		if slices.ContainsFunc(p.desired.Calendars, func(c slotd.Calendar) bool { return c.Name == was.Name }) {
			continue
		}
		p.changed = true
		if err := DisconnectCalendar(ctx, p.tx, p.id, was.ID); err != nil {
			return fmt.Errorf("disconnect calendar %s: %w", was.Name, err)
		}
	}
	return nil
}

func (p *put) calendarsBefore() []slotd.Calendar {
	if p.before == nil {
		return nil
	}
	return p.before.Calendars
}

func (p *put) putCalendar(ctx context.Context, cal slotd.Calendar, position int) error {
	was, sealed, err := p.calendarBefore(ctx, cal.Name)
	if err != nil {
		return err
	}
	cal.ID = newID()
	same, stays := false, false
	if was != nil {
		cal.ID, same = was.ID, was.SameSource(&cal)
		stays = position < len(p.before.Calendars) && p.before.Calendars[position].Name == cal.Name
	}
	if !same {
		sealed = nil
	}
	credential, err := p.credential(&cal, sealed)
	if err != nil {
		return err
	}
	newPassword := !slices.Equal(credential, sealed)
	anew := !same || p.readDifferently()
	if !anew && !newPassword && stays && encode(cal) == encode(*was) {
		return nil
	}
	p.changed = true
	if newPassword && was != nil {
		p.newPasswords = append(p.newPasswords, cal.Name)
	}
	if same && !newPassword { // the credential is left alone: a fresh token may be written at this moment
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
	case anew:
		err = p.startReading(ctx, cal.ID, !same)
	case newPassword:
		err = p.readAgain(ctx, cal.ID)
	}
	if err != nil {
		return fmt.Errorf("read calendar %s: %w", cal.Name, err)
	}
	return nil
}

// nonNil is for a column that may not be null.
func nonNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

func (p *put) calendarBefore(ctx context.Context, name string) (*slotd.Calendar, []byte, error) {
	for i, was := range p.calendarsBefore() {
		if was.Name == name {
			row, err := p.tx.Calendar(ctx, sqlcgen.CalendarParams{WorkspaceID: p.id, ID: was.ID})
			return &p.before.Calendars[i], row.Sealed, err
		}
	}
	return nil, nil, nil
}

// readDifferently reports whether the same events mean other times than before: whole days are days of
// the workspace's zone, and what the host declined is found by the host's address.
func (p *put) readDifferently() bool {
	return p.before != nil && (p.before.TimeZone != p.desired.TimeZone || p.before.Host.Email != p.desired.Host.Email)
}

// PasswordMissing is a calendar that nobody could sign in to.
type PasswordMissing struct{ Calendar string }

func (m *PasswordMissing) Error() string {
	return fmt.Sprintf("calendar %q needs its password: name the environment variable that holds it in password_env. "+
		"A stored one stays only as long as url and username do", m.Calendar)
}

// credential seals a password that is new, and keeps the stored one otherwise.
func (p *put) credential(cal *slotd.Calendar, sealed []byte) ([]byte, error) {
	password, given := p.Passwords[cal.Name]
	switch {
	case cal.Username != "" && !given && len(sealed) == 0:
		return nil, &PasswordMissing{cal.Name}
	case !given:
		return sealed, nil
	}
	if stored, err := OpenCredential(p.Keys, p.id, cal, sealed); err == nil && len(sealed) > 0 &&
		stored.Password == password {
		return sealed, nil
	}
	return Credential{Password: password}.Seal(p.Keys, p.id, cal)
}

// startReading forgets the copy: until the calendar is read, nobody knows.
func (p *put) startReading(ctx context.Context, id int64, elsewhere bool) error {
	if err := forget(ctx, p.tx, p.id, id); err != nil {
		return err
	}
	if elsewhere {
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

func (p *put) readAgain(ctx context.Context, id int64) error {
	if err := p.tx.RetryCalendarRead(ctx,
		sqlcgen.RetryCalendarReadParams{WorkspaceID: p.id, CalendarID: id}); err != nil {
		return err
	}
	return ScheduleRead(ctx, p.tx, p.id, id, p.now)
}

// ReadSoon has the calendar read now, and makes the job for that if there is none.
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
	// In this order: a job that ends at this moment is gone for Hurry, and Enqueue makes another.
	if err := jobs.BringForward(ctx, tx, job); err != nil {
		return err
	}
	return jobs.Enqueue(ctx, tx, []jobs.Job{job})
}

// Disconnect forgets a calendar. What was written into it stays there.
func DisconnectCalendar(ctx context.Context, tx *store.Tx, workspaceID, id int64) error {
	if err := forget(ctx, tx, workspaceID, id); err != nil {
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

// forget drops the copy of a calendar.
func forget(ctx context.Context, tx *store.Tx, workspaceID, id int64) error {
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
