// Package worker does the jobs. A job that runs looks at the booking anew
// and does nothing if what it was to do is no longer right.
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
	"slotd/internal/mail"
	"slotd/internal/mail/delivery"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Mailer tells people what happened.
type Mailer struct {
	Booking *booking.Service // says what a notice holds
	DB      *store.DB
	Cache   *snapshot.Cache
	Links   *links.Signer
	Now     func() time.Time
	BaseURL string

	Sender   delivery.Sender
	MailFrom netmail.Address
	// ToFiles: the sender writes files, where a second one takes the place of the first; its runner works Batched.
	ToFiles bool
	// Erased is called with bookings whose attendees were erased, for what lies outside the database. It may be nil.
	Erased func([]uuid.UUID)
}

// staleAfter is how old news of a booking may be that has changed since. News that waited longer, or
// failed before, is not sent any more: the mail about the change says it all. Until then newer news
// waits for it, and asks again every so often, so that an old time is not told last.
const (
	staleAfter    = time.Minute
	askOrderEvery = time.Second / 4
)

// Tell sends one mail.
func (m *Mailer) SendNotice(ctx context.Context, j *jobs.Job) (func(context.Context, *store.Tx) error, error) {
	var t booking.MailJob
	if err := json.Unmarshal([]byte(j.Detail), &t); err != nil {
		return nil, jobs.Permanent(fmt.Errorf("read the job's detail: %w", err))
	}
	b, err := booking.Load(ctx, m.DB.Read(), j.WorkspaceID, j.Booking)
	if err != nil || b == nil || !m.stillTrue(&t, b, j) {
		return nil, err
	}
	if err := m.awaitEarlier(ctx, j, &t); err != nil {
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

// isTrue reports whether there is still something to tell.
func (m *Mailer) stillTrue(t *booking.MailJob, b *slotd.Booking, j *jobs.Job) bool {
	if t.To == mail.ToAttendee && b.Attendee.Email == "" { // who it was is erased
		return false
	}
	now := m.Now()
	unchanged := b.Sequence == t.Sequence
	if t.What == mail.Reminder {
		return unchanged && b.State == slotd.Confirmed && now.Before(b.StartsAt)
	}
	return unchanged || (j.Failures == 0 && now.Sub(j.CreatedAt) < staleAfter)
}

// awaitEarlier lets the news before this one go first, which another server may have in its hands.
func (m *Mailer) awaitEarlier(ctx context.Context, j *jobs.Job, t *booking.MailJob) error {
	if t.Sequence == 0 || t.What == mail.Reminder {
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
		return jobs.RetryAt(now.Add(askOrderEvery), "waits for the news before it")
	}
	return nil
}

// send hands the mail over; a reminder only until the start.
func (m *Mailer) send(ctx context.Context, t *booking.MailJob, message mail.Message) error {
	if t.What == mail.Reminder {
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

// takeBack forgets what a mail leaves behind whose guest was erased while it was written: the erasure may not have
// found it.
func (m *Mailer) forgetErased(ctx context.Context, j *jobs.Job, told *slotd.Booking) error {
	if told.Attendee.Email == "" {
		return nil
	}
	now, err := m.DB.Read().Booking(ctx,
		sqlcgen.BookingParams{WorkspaceID: j.WorkspaceID, ID: j.Booking.String()})
	if err != nil && !errors.Is(err, sql.ErrNoRows) || err == nil && now.AttendeeEmail != "" {
		return err
	}
	if m.ToFiles && m.Erased != nil {
		m.Erased([]uuid.UUID{j.Booking})
	}
	return m.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { // the turn that was taken since then
		return tx.ForgetMailAddresses(ctx,
			sqlcgen.ForgetMailAddressesParams{WorkspaceID: j.WorkspaceID, BookingID: j.Booking.String(),
				AddressHash: []byte{}})
	})
}

// notice gathers what the mail says: the booking as it was when it happened.
func (m *Mailer) notice(ctx context.Context, j *jobs.Job, t *booking.MailJob, b *slotd.Booking) (*mail.Notice, error) {
	p, err := m.Cache.WorkspaceByID(ctx, j.WorkspaceID)
	if err != nil {
		return nil, err
	}
	then := *b
	then.Sequence = t.Sequence
	then.StartsAt, then.EndsAt = time.UnixMilli(t.StartsAt).UTC(), time.UnixMilli(t.EndsAt).UTC()
	if b.Sequence != t.Sequence { // it is a later move's
		then.MoveReason = ""
	}
	n := m.Booking.Notice(p, &then, t.What, t.To)
	n.At, n.Minutes = j.CreatedAt, t.Minutes
	if t.Was != 0 {
		n.Was = time.UnixMilli(t.Was).UTC()
	}
	return n, nil
}
