// Package worker runs the jobs: it sends the mails, reads and writes the hosts' calendars, settles payments and erases
// old data. A job reads the booking again when it runs, and does nothing if its work is no longer needed.
package worker

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	netmail "net/mail"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/booking"
	"slotd/internal/identity/links"
	"slotd/internal/jobs"
	"slotd/internal/lib/say"
	"slotd/internal/mail"
	"slotd/internal/mail/delivery"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Mailer sends the mails about bookings, calendars and payments.
type Mailer struct {
	Booking *booking.Service // composes the notices
	DB      *store.DB
	Cache   *snapshot.Cache
	Links   *links.Signer
	Now     func() time.Time
	BaseURL string

	Sender   delivery.Sender
	MailFrom netmail.Address
	// ToFiles means that the sender writes files, where sending a mail again replaces the file. The job runner then
	// saves in batches.
	ToFiles bool
	// Erased is called with bookings whose attendees were erased, to remove what is stored outside the database. It may
	// be nil.
	Erased func([]uuid.UUID)
}

// staleAfter is the age up to which a notice is sent although the booking has changed since. An older notice, or one
// that failed before, is dropped: the mail about the change is enough. Until then, newer notices wait for it and check
// every orderPollInterval, so that the last mail never shows an old time.
const (
	staleAfter        = time.Minute
	orderPollInterval = time.Second / 4
)

// SendNotice sends one notice or reminder.
func (m *Mailer) SendNotice(ctx context.Context, j *jobs.Job) (func(context.Context, *store.Tx) error, error) {
	var t booking.MailJob
	if err := json.Unmarshal([]byte(j.Detail), &t); err != nil {
		return nil, jobs.Permanent(fmt.Errorf("read the job's detail: %w", err))
	}
	b, err := booking.Load(ctx, m.DB.Read(), j.WorkspaceID, j.Booking)
	if err != nil || b == nil || !m.isCurrent(&t, b, j) {
		return nil, err
	}
	if err := m.awaitEarlierNotices(ctx, j, &t); err != nil {
		return nil, err
	}
	notice, err := m.notice(ctx, j, &t, b)
	if err != nil {
		return nil, err
	}
	message, err := mail.Compose(notice, m.Now())
	if err != nil {
		return nil, jobs.Permanent(err)
	}
	address := m.Links.Pseudonym(j.WorkspaceID, message.To)
	if err := m.reserveQuota(ctx, j, address); err != nil {
		return nil, err
	}
	if err := m.send(ctx, &t, message); err != nil {
		return nil, errors.Join(err, m.releaseQuota(ctx, j))
	}
	if err := m.forgetErased(ctx, j, b); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) error {
		now := m.Now()
		return writeQuota(ctx, tx, j, address, now, now.UnixMilli())
	}, nil
}

// isCurrent reports whether the mail should still be sent.
func (m *Mailer) isCurrent(t *booking.MailJob, b *slotd.Booking, j *jobs.Job) bool {
	if t.To == mail.ToAttendee && b.Attendee.Email == "" { // the attendee was erased
		return false
	}
	now := m.Now()
	unchanged := b.Sequence == t.Sequence
	if t.Kind == mail.Reminder {
		return unchanged && b.State == slotd.Confirmed && now.Before(b.StartsAt)
	}
	return unchanged || (j.Failures == 0 && now.Sub(j.CreatedAt) < staleAfter)
}

// awaitEarlierNotices makes the notice wait for earlier ones about the same booking, which another server may be
// sending.
func (m *Mailer) awaitEarlierNotices(ctx context.Context, j *jobs.Job, t *booking.MailJob) error {
	if t.Sequence == 0 || t.Kind == mail.Reminder {
		return nil
	}
	now := m.Now()
	n, err := m.DB.Read().CountEarlierJobs(ctx, sqlcgen.CountEarlierJobsParams{
		WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(), Kind: j.Kind, Sequence: int64(t.Sequence),
		CreatedAt: now.Add(-staleAfter).UnixMilli(),
	})
	if err != nil {
		return fmt.Errorf("look for earlier news of booking %s: %w", j.Booking, err)
	}
	if n > 0 {
		return jobs.RetryAt(now.Add(orderPollInterval), say.T("waiting for an earlier email about this booking"))
	}
	return nil
}

// send delivers the mail. It stops trying to deliver a reminder when the booking starts.
func (m *Mailer) send(ctx context.Context, t *booking.MailJob, message mail.Message) error {
	if t.Kind == mail.Reminder {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.UnixMilli(t.StartsAt).Sub(m.Now()))
		defer cancel()
	}
	return m.deliver(ctx, message)
}

func (m *Mailer) deliver(ctx context.Context, message mail.Message) error {
	_, err := m.Sender.Send(ctx, message)
	var refused *delivery.Refused
	if errors.As(err, &refused) {
		return jobs.Permanent(err)
	}
	return err
}

// forgetErased removes the traces of a mail whose guest was erased while it was sent. The erasure may have run before
// they existed. b is the booking as it was mailed.
func (m *Mailer) forgetErased(ctx context.Context, j *jobs.Job, b *slotd.Booking) error {
	if b.Attendee.Email == "" {
		return nil
	}
	current, err := m.DB.Read().Booking(ctx,
		sqlcgen.BookingParams{WorkspaceID: j.WorkspaceID, ID: j.Booking.String()})
	if err != nil && !errors.Is(err, sql.ErrNoRows) || err == nil && current.AttendeeEmail != "" {
		return err
	}
	if m.ToFiles && m.Erased != nil {
		m.Erased([]uuid.UUID{j.Booking})
	}
	return m.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { // the quota that was reserved since then
		return tx.EraseAttendeeFrom(ctx, "mails", j.WorkspaceID, j.Booking.String())
	})
}

// notice builds the mail's content. It shows the booking as it was at the change that the mail is about.
func (m *Mailer) notice(ctx context.Context, j *jobs.Job, t *booking.MailJob, b *slotd.Booking) (*mail.Notice, error) {
	snap, err := m.Cache.WorkspaceByID(ctx, j.WorkspaceID)
	if err != nil {
		return nil, err
	}
	asMailed := *b
	asMailed.Sequence = t.Sequence
	asMailed.StartsAt, asMailed.EndsAt = time.UnixMilli(t.StartsAt).UTC(), time.UnixMilli(t.EndsAt).UTC()
	if b.Sequence != t.Sequence { // the reason belongs to a later move
		asMailed.MoveReason = ""
	}
	n := m.Booking.Notice(snap, &asMailed, t.Kind, t.To)
	n.At, n.Minutes = j.CreatedAt, t.Minutes
	if t.OldStart != 0 {
		n.OldStart = time.UnixMilli(t.OldStart).UTC()
	}
	return n, nil
}
