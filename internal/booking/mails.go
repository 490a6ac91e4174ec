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

// The kinds of jobs that a booking makes.
const (
	NoticeJob   = "tell"
	ReminderJob = "remind"
)

// Telling is what a mail is to tell, as it was when it happened. It holds times, never a person's
// data.
type MailJob struct {
	What     mail.Kind      `json:"what"`
	To       mail.Recipient `json:"to"`
	Sequence int            `json:"sequence"`
	StartsAt int64          `json:"starts_at"` // in Unix milliseconds, as all here
	EndsAt   int64          `json:"ends_at"`
	Was      int64          `json:"was,omitempty"`
	Minutes  int            `json:"minutes,omitempty"` // a reminder's, before the start
}

// tell has attendee and host told of a change, in the change's own transaction, and the attendee
// reminded of what is to come instead of what was.
func enqueueMails(ctx context.Context, tx *store.Tx, workspaceID int64, b *slotd.Booking, what mail.Kind, was,
	now time.Time) error {
	if what != mail.Booked {
		if err := jobs.Drop(ctx, tx, workspaceID, b.ID, ReminderJob); err != nil {
			return fmt.Errorf("drop the reminders of booking %s: %w", b.ID, err)
		}
	}
	t := MailJob{What: what, Sequence: b.Sequence, StartsAt: b.StartsAt.UnixMilli(), EndsAt: b.EndsAt.UnixMilli()}
	if !was.IsZero() {
		t.Was = was.UnixMilli()
	}
	list := jobList{workspaceID: workspaceID, booking: b.ID, now: now}
	for _, t.To = range recipients(what) {
		if t.To == mail.ToAttendee && b.Attendee.Email == "" { // who it was is erased
			continue
		}
		list.add(NoticeJob, t, string(what)+"."+string(t.To), now)
	}
	if what == mail.Booked || what == mail.Rescheduled {
		list.addReminders(t, b)
	}
	return jobs.Enqueue(ctx, tx, list.jobs)
}

// recipients leaves the host out where there never was a booking.
func recipients(what mail.Kind) []mail.Recipient {
	if what == mail.PaidTooLate {
		return []mail.Recipient{mail.ToAttendee}
	}
	return []mail.Recipient{mail.ToAttendee, mail.ToHost}
}

// jobList gathers the jobs of one change.
type jobList struct {
	workspaceID int64
	booking     uuid.UUID
	now         time.Time
	jobs        []jobs.Job
}

// addReminders leaves out those whose time is past, and all where nobody is left to be reminded.
func (l *jobList) addReminders(t MailJob, b *slotd.Booking) {
	if b.Attendee.Email == "" {
		return
	}
	t.What, t.To, t.Was = mail.Reminder, mail.ToAttendee, 0
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
