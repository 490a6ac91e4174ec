package booking

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/jobs"
	"slotd/internal/mail"
	"slotd/internal/store"
)

// These are the kinds of mail jobs of a booking.
const (
	NoticeJob   = "tell"
	ReminderJob = "remind"
)

// MailJob is the detail of a job that sends a mail. It describes the booking at the time of the change. It contains
// times, never personal data.
type MailJob struct {
	Kind     mail.Kind      `json:"what"`
	To       mail.Recipient `json:"to"`
	Sequence int            `json:"sequence"`
	StartsAt int64          `json:"starts_at"` // in Unix milliseconds, like all times here
	EndsAt   int64          `json:"ends_at"`
	OldStart int64          `json:"was,omitempty"`
	Minutes  int            `json:"minutes,omitempty"` // of a reminder: before the start
}

// enqueueMails enqueues the mails to attendee and host about a change, in the transaction of the change. It replaces
// the reminders of the old time with those of the new one.
func enqueueMails(ctx context.Context, tx *store.Tx, workspaceID int64, b *slotd.Booking, what mail.Kind, previousStart,
	now time.Time) error {
	if what != mail.Booked {
		if err := jobs.Drop(ctx, tx, workspaceID, b.ID, ReminderJob); err != nil {
			return fmt.Errorf("drop the reminders of booking %s: %w", b.ID, err)
		}
	}
	t := MailJob{Kind: what, Sequence: b.Sequence, StartsAt: b.StartsAt.UnixMilli(), EndsAt: b.EndsAt.UnixMilli()}
	if !previousStart.IsZero() {
		t.OldStart = previousStart.UnixMilli()
	}
	list := jobList{workspaceID: workspaceID, booking: b.ID, now: now}
	for _, t.To = range recipients(what) {
		if t.To == mail.ToAttendee && b.Attendee.Email == "" { // the attendee's data was erased
			continue
		}
		list.add(NoticeJob, t, string(what)+"."+string(t.To), now)
	}
	if what == mail.Booked || what == mail.Rescheduled {
		list.addReminders(t, b)
	}
	return jobs.Enqueue(ctx, tx, list.jobs)
}

// recipients returns who gets the mail. The host gets none about a booking that was never confirmed.
func recipients(what mail.Kind) []mail.Recipient {
	if what == mail.PaidTooLate {
		return []mail.Recipient{mail.ToAttendee}
	}
	return []mail.Recipient{mail.ToAttendee, mail.ToHost}
}

// jobList collects the jobs of one change.
type jobList struct {
	workspaceID int64
	booking     uuid.UUID
	now         time.Time
	jobs        []jobs.Job
}

// addReminders adds the reminders that are still to come. It adds none if the attendee's data was erased.
func (l *jobList) addReminders(t MailJob, b *slotd.Booking) {
	if b.Attendee.Email == "" {
		return
	}
	t.Kind, t.To, t.OldStart = mail.Reminder, mail.ToAttendee, 0
	for _, t.Minutes = range b.Reminders {
		if at := b.StartsAt.Add(-time.Duration(t.Minutes) * time.Minute); !at.Before(l.now) {
			l.add(ReminderJob, t, fmt.Sprintf("reminder.%d", t.Minutes), at)
		}
	}
}

func (l *jobList) add(kind string, t MailJob, name string, due time.Time) {
	detail, err := json.Marshal(t)
	if err != nil {
		panic(err) // numbers and constants always encode
	}
	l.jobs = append(l.jobs, jobs.Job{
		WorkspaceID: l.workspaceID, Booking: l.booking, ID: fmt.Sprintf("%s.%d.%s", l.booking, t.Sequence, name),
		Queue: jobs.Mail, Kind: kind, Sequence: t.Sequence, Detail: string(detail), CreatedAt: l.now, DueAt: due,
	})
}
