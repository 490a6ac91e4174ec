package mail

import (
	"encoding/json"
	"fmt"
	"time"

	"slotd/internal/booking"
	"slotd/internal/calendar/calsync"
	"slotd/internal/identity"
	"slotd/internal/lib/say"
	"slotd/internal/mail"
	"slotd/internal/mail/delivery"
	"slotd/internal/web/owner/page"
)

// failedMail is a mail that the server gave up on.
type failedMail struct {
	Job, What, When, Why string
	BookingID            string // the job's booking id, even if the mail is not about a booking
	Booking              string // the booking that the mail is about; empty: none
	Tries                int
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
			Tries: int(row.Failures)}
		if row.IsAboutBooking() {
			m.Booking = row.BookingID
		}
		list = append(list, m)
	}
	return list, more, nil
}

// mailNames names the mails about a booking.
var mailNames = map[mail.Kind]struct{ toGuest, toHost say.Sentence }{
	mail.Booked:      {"Confirmation for the guest", "Confirmation for the host"},
	mail.Rescheduled: {"New time for the guest", "New time for the host"},
	mail.Canceled:    {"Cancellation for the guest", "Cancellation for the host"},
	mail.Reminder:    {"Reminder for the guest", "Reminder for the host"},
	mail.PaidTooLate: {"Late payment notice for the guest", "Late payment notice for the host"},
}

// MailWords describes the mail of a job. It returns an unknown kind as it is.
func MailWords(kind, detail string) string {
	switch kind {
	case booking.NoticeJob, booking.ReminderJob:
		var t booking.MailJob
		err := json.Unmarshal([]byte(detail), &t)
		name, known := mailNames[t.Kind]
		switch {
		case err != nil || !known:
			return say.T("Email about a booking")
		case t.To == mail.ToHost:
			return name.toHost.String()
		}
		return name.toGuest.String()
	case booking.OwnerMailJob:
		return say.T("Payment alert for the host")
	case calsync.OwnerMailJob:
		return say.T("Calendar alert for the host")
	case identity.LinkMailJob:
		return say.T("Invitation for an owner")
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
		return say.T("Nothing left to retry: it was sent, retried or dropped in the meantime.")
	default:
		return say.N(page.ParseNumber(again), "Retrying %d email now.", "Retrying %d emails now.")
	}
}
