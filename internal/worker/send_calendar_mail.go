package worker

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	netmail "net/mail"

	"slotd/internal/jobs"
	"slotd/internal/mail"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// SendCalendarMail mails the owner that we no longer have access to a calendar. It sends nothing if the problem is
// solved.
func (m *Mailer) SendCalendarMail(ctx context.Context, j *jobs.Job) (func(context.Context, *store.Tx) error, error) {
	id, err := calendarID(j)
	if err != nil {
		return nil, err
	}
	snap, err := m.Cache.Latest(ctx, j.WorkspaceID)
	if err != nil {
		return nil, err
	}
	state, err := m.DB.Read().CalendarRead(ctx,
		sqlcgen.CalendarReadParams{WorkspaceID: j.WorkspaceID, CalendarID: id})
	cal := snap.CalendarByID(id)
	if cal == nil || errors.Is(err, sql.ErrNoRows) || err == nil && state.LastError == "" {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("load the state of calendar %d: %w", id, err)
	}
	message := mail.CalendarMail(mail.CalendarProblem{
		From: m.MailFrom, To: netmail.Address{Name: snap.Host.Name, Address: snap.Host.Email}, Workspace: snap.Name,
		Slug:     snap.Slug,
		Calendar: cal.Name, ByConsent: cal.ByConsent(), Why: state.LastError, ID: j.ID,
	}, m.Now())
	return m.sendToOwner(ctx, j, message)
}

// sendToOwner sends a mail that is not a notice about a booking.
func (m *Mailer) sendToOwner(ctx context.Context, j *jobs.Job,
	message mail.Message) (func(context.Context, *store.Tx) error, error) {
	address := m.Links.Pseudonym(j.WorkspaceID, message.To)
	if err := m.reserveQuota(ctx, j, address); err != nil {
		return nil, err
	}
	if err := m.deliver(ctx, message); err != nil {
		return nil, errors.Join(err, m.releaseQuota(ctx, j))
	}
	return func(ctx context.Context, tx *store.Tx) error {
		now := m.Now()
		return writeQuota(ctx, tx, j, address, now, now.UnixMilli())
	}, nil
}
