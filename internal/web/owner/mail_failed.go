package owner

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"slotd/internal/booking"
	"slotd/internal/calendar/calsync"
	"slotd/internal/identity"
	"slotd/internal/mail"
	"slotd/internal/mail/delivery"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// failedMail is one that was given up.
type failedMail struct {
	Job, What, When, Why string
	BookingID            string // as the job names it
	Booking              string // empty: it is about none
	Tries                int64
}

const mostFailed = 50

func (v *visit) failedMails() (list []failedMail, more bool, err error) {
	rows, err := v.DB.Read().FailedMails(v.r.Context(),
		sqlcgen.FailedMailsParams{WorkspaceID: v.snapshot.WorkspaceID, Limit: mostFailed + 1})
	if err != nil {
		return nil, false, fmt.Errorf("list the mails that were given up: %w", err)
	}
	if more = len(rows) > mostFailed; more {
		rows = rows[:mostFailed]
	}
	local := v.local()
	for _, row := range rows {
		m := failedMail{Job: row.ID, BookingID: row.BookingID, What: mailWords(row.Kind, row.Detail),
			When: local.ShortInstant(time.UnixMilli(row.FailedAt)), Why: delivery.StoredAnswer(row.LastError), Tries: row.Failures}
		if id, err := uuid.Parse(row.BookingID); err == nil && id != uuid.Nil {
			m.Booking = row.BookingID
		}
		list = append(list, m)
	}
	return list, more, nil
}

// told is what a mail about a booking tells.
var told = map[mail.Kind]string{
	mail.Booked: "Confirmation", mail.Rescheduled: "News of another time", mail.Canceled: "Cancellation",
	mail.Reminder: "Reminder", mail.PaidTooLate: "News that it was paid too late",
}

// mailWords says which mail a job is. A kind that this page does not know yet is shown by its name.
func mailWords(kind, detail string) string {
	switch kind {
	case booking.NoticeJob, booking.ReminderJob:
		var t booking.MailJob
		if json.Unmarshal([]byte(detail), &t) != nil || told[t.What] == "" {
			return "A mail about a booking"
		}
		if t.To == mail.ToHost {
			return told[t.What] + " for the host"
		}
		return told[t.What] + " for the guest"
	case booking.OwnerMailJob:
		return "News of a payment, for the host"
	case calsync.OwnerMailJob:
		return "News of a calendar, for the host"
	case identity.LinkMailJob:
		return "Invitation of an owner"
	}
	return kind
}

// retryMail gives one of the workspace's own mails, or all of them, their whole time again.
func (v *visit) retryMail() error {
	n := int64(0)
	job := v.value("job")
	err := v.DB.InTx(v.r.Context(), func(ctx context.Context, tx *store.Tx) (err error) {
		detail := job
		if v.value("all") != "" {
			n, err = tx.RetryFailedMails(ctx,
				sqlcgen.RetryFailedMailsParams{WorkspaceID: v.snapshot.WorkspaceID, DueAt: v.now.UnixMilli()})
			detail = fmt.Sprintf("%d mails", n)
		} else {
			n, err = tx.RetryFailedMail(ctx,
				sqlcgen.RetryFailedMailParams{WorkspaceID: v.snapshot.WorkspaceID, BookingID: v.value("booking"),
					ID: job, DueAt: v.now.UnixMilli()})
		}
		if err != nil || n == 0 {
			return err
		}
		return identity.RecordActivity(ctx, tx, v.snapshot.WorkspaceID, v.actor(), "mail.retried", detail, v.now)
	})
	if err != nil {
		return fmt.Errorf("try mails again: %w", err)
	}
	v.wakeJobs()
	return v.leave(fmt.Sprintf("/settings/mail?again=%d", n))
}

// triedAgain says what has just happened.
func (v *visit) triedAgain() string {
	switch again := v.value("again"); {
	case again == "":
		return ""
	case whole(again) < 1:
		return "Nothing was left to try again: it has been sent, tried or dropped meanwhile."
	case whole(again) == 1:
		return "One mail is tried again now."
	default:
		return fmt.Sprintf("%d mails are tried again now.", whole(again))
	}
}
