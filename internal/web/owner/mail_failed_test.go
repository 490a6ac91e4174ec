package owner

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"slotd/internal/jobs"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/web/owner/mail"
)

// giveUp creates a job that the server has given up on.
func (w *world) giveUp(slug string, queue jobs.Queue, kind, detail, why string) (job jobs.Job) {
	w.T.Helper()
	booking := uuid.New()
	job = jobs.Job{
		WorkspaceID: w.id(slug), Booking: booking, ID: booking.String() + "." + kind, Queue: queue, Kind: kind,
		Detail: detail, CreatedAt: w.Clock.Now(), DueAt: w.Clock.Now(),
	}
	w.Must(w.DB.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		if err := jobs.Enqueue(ctx, tx, []jobs.Job{job}); err != nil {
			return err
		}
		return tx.GiveUpJob(ctx, sqlcgen.GiveUpJobParams{
			WorkspaceID: job.WorkspaceID, BookingID: booking.String(), ID: job.ID, RunAt: 1 << 60, Failures: 3,
			LastError: why, FailedAt: w.Clock.Now().UnixMilli(),
		})
	}))
	w.Clock.Advance(time.Second)
	return job
}

// failed returns the ids of the jobs that were given up, in all queues.
func (w *world) failed() map[string]bool {
	w.T.Helper()
	list, err := jobs.List(background, w.DB, true, 1000)
	w.Must(err)
	ids := map[string]bool{}
	for _, e := range list {
		ids[e.ID] = true
	}
	return ids
}

func TestFailedMails_AreListedAndTriedAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada := w.ada()
		ada.get("/settings/mail").says(200, "No failed emails. If an email can't be delivered")
		failed := w.giveUp("acme", jobs.Mail, "tell", `{"what":"booked","to":"attendee"}`, "550 <b>no</b> such user")
		w.giveUp("acme", jobs.Mail, "remind", `{"what":"reminder","to":"attendee"}`,
			"mail server secret-mx:25, connect: lookup secret-mx on 10.9.8.7:53: no such host")
		theirs := w.giveUp("other", jobs.Mail, "tell", `{"what":"booked","to":"host"}`, "other's")
		calendar := w.giveUp("acme", jobs.WriteBack, "write_back", `{}`, "a calendar's")
		p := ada.get("/settings/mail").says(200, "Confirmation for the guest Booking "+failed.Booking.String(),
			"550 <b>no</b> such user", "Reminder for the guest", "the mail server can't be reached",
			"Failed Mon 1 Feb 2027, 08:00", "after 3 attempts")
		if strings.Contains(p.Text(), "other's") || strings.Contains(p.Text(), "a calendar's") ||
			strings.Contains(p.Text(), "secret-mx") {
			t.Errorf("%s", p.Text())
		}
		ada.fill(p, "/settings/mail", "job", failed.ID, "booking",
			failed.Booking.String()).leads("/settings/mail?again=1")
		if got := w.failed(); len(got) != 3 || got[failed.ID] {
			t.Fatalf("%v", got)
		}
		ada.get("/settings/mail?again=1").says(200, "Retrying 1 email now.")
		ada.fill(p, "/settings/mail", "job", failed.ID, "booking",
			failed.Booking.String()).leads("/settings/mail?again=0")
		ada.get("/settings/mail?again=0").says(200, "Nothing left to retry")
		ada.submit("/settings/mail", "all", "1").leads("/settings/mail?again=1")
		if got := w.failed(); len(got) != 2 || !got[theirs.ID] || !got[calendar.ID] {
			t.Fatalf("%v", got)
		}
		if got := w.notedAs("acme", "mail.retried"); len(got) != 2 || !strings.HasSuffix(got[0], " 1 mails") &&
			!strings.HasSuffix(got[1], " 1 mails") {
			t.Errorf("%q", got)
		}
	})
}

func TestFailedMails_OfOthersAreNobodysBusiness(t *testing.T) {
	w := lite(t)
	failed := w.giveUp("acme", jobs.Mail, "tell", `{}`, "550")
	calendar := w.giveUp("other", jobs.WriteBack, "write_back", `{}`, "503")
	bo := w.bo()
	for _, c := range [][2]string{{failed.Booking.String(), failed.ID}, {calendar.Booking.String(), calendar.ID},
		{"", ""},
		{"' OR 1=1 --", "%"}} {
		bo.post("/settings/mail/retry", "workspace", "other", "booking", c[0], "job",
			c[1]).leads("/settings/mail?again=0")
	}
	bo.post("/settings/mail/retry", "workspace", "other", "all", "1").leads("/settings/mail?again=0")
	bo.post("/settings/mail/retry", "workspace", "acme", "all", "1").says(409)
	bo.get("/settings/mail/retry").says(405)
	if got := w.failed(); len(got) != 2 {
		t.Errorf("%v", got)
	}
	if got := w.notedAs("other", "mail.retried"); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

func TestFailedMails_AreSaidInWords(t *testing.T) {
	for _, c := range []struct{ kind, detail, want string }{
		{"tell", `{"what":"booked","to":"host"}`, "Confirmation for the host"},
		{"tell", `{"what":"canceled","to":"attendee"}`, "Cancellation for the guest"},
		{"tell", `{"what":"rescheduled","to":"attendee"}`, "New time for the guest"},
		{"tell", `{"what":"unheard-of"}`, "Email about a booking"},
		{"tell", `no JSON`, "Email about a booking"},
		{"tell_owner_of_money", "refund_due", "Payment alert for the host"},
		{"calendar_trouble", "{}", "Calendar alert for the host"},
		{"mail_ticket", "{}", "Invitation for an owner"},
		{"something_new", "{}", "something_new"},
	} {
		if got := mail.MailWords(c.kind, c.detail); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.kind, c.detail, got, c.want)
		}
	}
}

func TestFailedMails_FiftyAreShown(t *testing.T) {
	w := lite(t)
	for i := range mail.MaxFailed + 1 {
		w.giveUp("acme", jobs.Mail, "tell", "{}", fmt.Sprintf("error %02d.", i))
	}
	p := w.ada().get("/settings/mail").says(200, "error 50.", "Older emails aren't shown here")
	if strings.Contains(p.Text(), "error 00.") {
		t.Error("the oldest is shown")
	}
}
