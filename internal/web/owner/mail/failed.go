package mail

import (
	"encoding/json"
	"fmt"
	"time"

	"slotd/internal/booking"
	"slotd/internal/calendar/calsync"
	"slotd/internal/identity"
	"slotd/internal/mail"
	"slotd/internal/mail/delivery"
	"slotd/internal/web/owner/page"
)

// failedMail is a mail that the server gave up on.
type failedMail struct {
	Job, What, When, Why string
	BookingID            string // the job's booking id, even if the mail is not about a booking
	Booking              string // the booking that the mail is about; empty: none
	Tries                int64
}

// MaxFailed is how many failed mails the page lists.
const MaxFailed = 50

func (v *visit) failedMails() (list []failedMail, more bool, err error) {
	rows, err := v.Records.FailedMails(v.R.Context(), v.Snapshot.WorkspaceID, MaxFailed+1)
	if err != nil {
		return nil, false, err
	}
	if more = len(rows) > MaxFailed; more {
		rows = rows[:MaxFailed]
	}
	local := v.Local()
	for _, row := range rows {
		m := failedMail{Job: row.ID, BookingID: row.BookingID, What: MailWords(row.Kind, row.Detail),
			When: local.ShortInstant(time.UnixMilli(row.FailedAt)), Why: delivery.StoredAnswer(row.LastError),
			Tries: row.Failures}
		if row.IsAboutBooking() {
			m.Booking = row.BookingID
		}
		list = append(list, m)
	}
	return list, more, nil
}

// mailNames names the mails about a booking.
var mailNames = map[mail.Kind]string{
	mail.Booked: "Confirmation", mail.Rescheduled: "News of another time", mail.Canceled: "Cancellation",
	mail.Reminder: "Reminder", mail.PaidTooLate: "News that it was paid too late",
}

// MailWords describes the mail of a job. It returns an unknown kind as it is.
func MailWords(kind, detail string) string {
	switch kind {
	case booking.NoticeJob, booking.ReminderJob:
		var t booking.MailJob
		if json.Unmarshal([]byte(detail), &t) != nil || mailNames[t.Kind] == "" {
			return "A mail about a booking"
		}
		if t.To == mail.ToHost {
			return mailNames[t.Kind] + " for the host"
		}
		return mailNames[t.Kind] + " for the guest"
	case booking.OwnerMailJob:
		return "News of a payment, for the host"
	case calsync.OwnerMailJob:
		return "News of a calendar, for the host"
	case identity.LinkMailJob:
		return "Invitation of an owner"
	}
	return kind
}

// retryMail retries one of the workspace's own mails, or all of them, with the full time for retries again.
func (v *visit) retryMail() error {
	var n int64
	var err error
	if v.Value("all") != "" {
		n, err = v.Records.RetryMails(v.R.Context(), v.Snapshot.WorkspaceID, v.Actor(), v.Now)
	} else {
		n, err = v.Records.RetryMail(v.R.Context(), v.Snapshot.WorkspaceID, v.Value("booking"), v.Value("job"),
			v.Actor(), v.Now)
	}
	if err != nil {
		return err
	}
	return v.Redirect(fmt.Sprintf("/settings/mail?again=%d", n))
}

// retryNotice says how many mails are being retried.
func (v *visit) retryNotice() string {
	switch again := v.Value("again"); {
	case again == "":
		return ""
	case page.ParseNumber(again) < 1:
		return "Nothing was left to try again: it has been sent, tried or dropped meanwhile."
	case page.ParseNumber(again) == 1:
		return "One mail is tried again now."
	default:
		return fmt.Sprintf("%d mails are tried again now.", page.ParseNumber(again))
	}
}
