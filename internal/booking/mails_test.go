package booking

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/mail"
	"slotd/internal/store"
)

// mailJobs returns what the booking's mails are made from, by the names of their jobs.
func (w *world) mailJobs(b *slotd.Booking) map[string]MailJob {
	w.T.Helper()
	rows, err := w.Raw.Query("SELECT id, detail FROM jobs WHERE queue = 'mail'")
	w.Must(err)
	defer rows.Close()
	all := map[string]MailJob{}
	for rows.Next() {
		var id, detail string
		w.Must(rows.Scan(&id, &detail))
		name, ok := strings.CutPrefix(id, b.ID.String()+".")
		if !ok {
			continue
		}
		var j MailJob
		w.Must(json.Unmarshal([]byte(detail), &j))
		all[name] = j
	}
	w.Must(rows.Err())
	return all
}

// The mail about a move says what time it was. All others know only one time.
func TestMails_OnlyAMoveHasAnOldTime(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.mustMove(w.mustCreate("intro", at("10:00")), at("11:00"))
		starts, ends, was := at("11:00").UnixMilli(), at("11:30").UnixMilli(), at("10:00").UnixMilli()
		want := map[string]MailJob{
			"0.booked.attendee": {mail.Booked, mail.ToAttendee, 0, was, was + (ends - starts), 0, 0},
			"0.booked.host":     {mail.Booked, mail.ToHost, 0, was, was + (ends - starts), 0, 0},
			"1." + string(mail.Rescheduled) + ".attendee": {mail.Rescheduled, mail.ToAttendee, 1, starts, ends, was, 0},
			"1." + string(mail.Rescheduled) + ".host":     {mail.Rescheduled, mail.ToHost, 1, starts, ends, was, 0},
			"1.reminder.60": {mail.Reminder, mail.ToAttendee, 1, starts, ends, 0, 60},
		}
		got := w.mailJobs(b)
		for name, j := range want {
			if got[name] != j {
				t.Errorf("%s: %+v, want %+v", name, got[name], j)
			}
		}
		if len(got) != len(want) {
			t.Errorf("got %+v", got)
		}
	})
}

// A reminder that would be due this moment is sent; an earlier one is left out.
func TestMails_RemindersAreThoseStillToCome(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Clock.Set(at("09:00"))
		b := w.mustCreate("intro", at("10:00"))
		if _, ok := w.mailJobs(b)["0.reminder.60"]; !ok {
			t.Error("none an hour before")
		}
		w.Clock.Advance(time.Millisecond)
		late := w.mustMove(b, at("09:30"))
		if _, ok := w.mailJobs(late)["1.reminder.60"]; ok {
			t.Error("one for a time that is over")
		}
	})
}

// A transaction may be repeated, and the second try may find nothing to do.
func TestCommit_ATryThatWritesNothingPublishesNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		wakes := 0
		w.wake = func() { wakes++ }
		c := w.newCommit(w.actor.WorkspaceID)
		rolledBack := errors.New("deadlock")
		err := w.db.InTx(background, func(ctx context.Context, tx *store.Tx) error {
			c.begin()
			w.Must(c.bump(ctx, tx))
			return rolledBack
		})
		if !errors.Is(err, rolledBack) {
			t.Fatal(err)
		}
		c.begin()
		if c.publish(nil, nil); wakes != 0 {
			t.Error("it was published")
		}
		w.mustCreate("intro", at("10:00"))
		if wakes != 1 {
			t.Errorf("%d wakes by a booking", wakes)
		}
	})
}

// The problem may be over by the time the mail is asked for. While it lasts, the owner is mailed about it once.
func TestOwnerMail_OnlyAboutAProblemThatIsThereAndNew(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *world) {
		id := w.actor.WorkspaceID
		mailed := func(b *slotd.Booking) (n int) {
			w.Must(w.Raw.QueryRow("SELECT COUNT(*) FROM jobs WHERE kind = $1 AND booking_id = $2", OwnerMailJob,
				b.ID.String()).Scan(&n))
			return n
		}
		paid := w.mustPay("lesson", at("10:00"))
		w.Must(w.MailRefundDue(background, id, paid.ID))      // none is due
		w.Must(w.MailPaymentUnknown(background, id, paid.ID)) // it has arrived
		if n := mailed(paid); n != 0 {
			t.Errorf("%d mails about a payment that is in order", n)
		}
		held := w.mustHold("lesson", at("11:00"))
		for _, want := range []int{1, 0} {
			w.Must(w.MailPaymentUnknown(background, id, held.ID))
			if n := mailed(held); n != want {
				t.Errorf("%d mails, want %d", n, want)
			}
			_, err := w.Raw.Exec("DELETE FROM jobs") // sent
			w.Must(err)
		}
		w.Must(w.ResetOwnerMail(background, id, held.ID))
		w.Must(w.MailPaymentUnknown(background, id, held.ID))
		if n := mailed(held); n != 1 {
			t.Errorf("%d mails about the next problem", n)
		}
	})
}
