package worker

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"slotd/internal/jobs"
	"slotd/internal/mail"
	"slotd/internal/mail/delivery"
	"slotd/test/worlds"
)

var tomorrow = monday.AddDate(0, 0, 1)

func TestLife_MailsEachChangeOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.create("intro", monday.AddDate(0, 0, 3), "grace@guest.example")
		w.run()
		w.wantMails(b, "0.booked.attendee", "0.booked.host")
		w.MustMove(b, monday.AddDate(0, 0, 4))
		w.run()
		w.wantMails(b, "1.rescheduled.attendee", "1.rescheduled.host")
		w.MustMove(b, monday.AddDate(0, 0, 4))
		w.run()
		w.wantMails(b)
		w.MustCancel(b, "Rain.")
		w.run()
		w.wantMails(b, "2.canceled.attendee", "2.canceled.host")
		w.MustCancel(b, "Snow.")
		w.runAt(monday.AddDate(0, 0, 10))
		w.wantMails(b)
		if left := w.pending(); len(left) > 0 {
			t.Errorf("jobs are left: %+v", left)
		}
	})
}

func TestReminders_ComeAtTheirTimes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		start := monday.AddDate(0, 0, 3)
		b := w.create("intro", start, "grace@guest.example")
		w.run()
		w.wantMails(b, "0.booked.attendee", "0.booked.host")
		w.runAt(start.Add(-24*time.Hour - time.Millisecond))
		w.wantMails(b)
		w.runAt(start.Add(-24 * time.Hour))
		w.wantMails(b, "0.reminder.attendee.1440")
		w.runAt(start.Add(-time.Hour))
		w.wantMails(b, "0.reminder.attendee.60")
		w.runAt(start.Add(time.Hour))
		w.wantMails(b)
	})
}

func TestReminders_PastOnesAreNotMade(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		// The second reminder is due right now.
		b := w.create("intro", monday.Add(time.Hour), "grace@guest.example")
		w.run()
		w.wantMails(b, "0.booked.attendee", "0.booked.host", "0.reminder.attendee.60")
		b = w.create("intro", monday.Add(30*time.Minute), "grace@guest.example")
		w.run()
		w.wantMails(b, "0.booked.attendee", "0.booked.host")
		if left := w.pending(); len(left) > 0 {
			t.Errorf("jobs are left: %+v", left)
		}
	})
}

func TestReminders_MoveWithTheBookingAndGoWithIt(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.create("intro", monday.AddDate(0, 0, 3), "grace@guest.example")
		w.MustMove(b, monday.AddDate(0, 0, 5))
		w.run()
		w.box.Empty()
		w.runAt(monday.AddDate(0, 0, 3).Add(-time.Hour)) // both old reminders would have been sent by now
		w.wantMails(b)
		w.runAt(monday.AddDate(0, 0, 4))
		w.wantMails(b, "1.reminder.attendee.1440")
		w.MustCancel(b, "")
		w.run()
		w.wantMails(b, "2.canceled.attendee", "2.canceled.host")
		w.runAt(monday.AddDate(0, 0, 5).Add(-time.Minute))
		w.wantMails(b)
	})
}

// Canceling a booking deletes its waiting reminders. A server that is already sending one has to read the booking
// itself.
func TestReminder_ReadsTheBookingAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		mailer := w.mailer(w.box)
		start := monday.AddDate(0, 0, 3)
		b := w.create("intro", start, "grace@guest.example")
		rows, err := w.DB.ClaimJobs(background, []int64{w.Actor.WorkspaceID}, string(jobs.Mail), start.UnixMilli(),
			start.UnixMilli(), 10)
		w.Must(err)
		remind := func() {
			t.Helper()
			for _, row := range rows {
				if row.Kind == "remind" {
					_, err := mailer.SendNotice(background,
						&jobs.Job{WorkspaceID: row.WorkspaceID, Booking: b.ID, ID: row.ID, Kind: row.Kind,
							Detail: row.Detail, CreatedAt: monday})
					w.Must(err)
				}
			}
		}
		remind()
		w.wantMails(b, "0.reminder.attendee.1440", "0.reminder.attendee.60") // the control: still valid, so sent
		w.Clock.Set(start)
		remind()
		w.wantMails(b)
		w.Clock.Set(monday)
		w.MustMove(b, start.Add(time.Hour))
		remind()
		w.wantMails(b)
		w.MustCancel(b, "")
		remind()
		w.wantMails(b)
	})
}

func TestReminder_IsNeverSentAfterTheStart(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		start := monday.AddDate(0, 0, 3)
		b := w.create("intro", start, "grace@guest.example")
		w.run()
		w.box.Empty()
		w.box.Fail(errors.New("down"))
		w.runAt(start.Add(-time.Hour))
		w.box.Fail(nil)
		w.runAt(start)
		w.wantMails(b)
		if left := w.pending(); len(left) > 0 {
			t.Errorf("jobs are left: %+v", left)
		}
	})
}

// A notice that could not be sent for a while is dropped when the booking has changed again.
func TestNotice_OldOneGivesWayToTheNewOne(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.create("intro", monday.AddDate(0, 0, 3), "grace@guest.example")
		w.box.Fail(errors.New("down"))
		w.run()
		w.box.Fail(nil)
		w.MustMove(b, monday.AddDate(0, 0, 4))
		w.runAt(monday.Add(20 * time.Minute))
		w.wantMails(b, "1.rescheduled.attendee", "1.rescheduled.host")

		late := w.create("intro", monday.AddDate(0, 0, 5), "grace@guest.example")
		w.Clock.Set(w.now().Add(staleAfter)) // the server was stopped
		w.MustCancel(late, "")
		w.run()
		w.wantMails(late, "1.canceled.attendee", "1.canceled.host")
	})
}

// Changes in quick succession are mailed one by one, in order, each with its own time.
func TestNotice_QuickChangesAreMailedOneByOne(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.create("intro", monday.AddDate(0, 0, 3), "grace@guest.example")
		w.MustMove(b, monday.AddDate(0, 0, 4))
		w.MustCancel(b, "")
		w.run()
		mails := w.wantMails(b, "0.booked.attendee", "0.booked.host", "1.rescheduled.attendee", "1.rescheduled.host",
			"2.canceled.attendee", "2.canceled.host")
		first, second := parseMail(t, mails[0]), parseMail(t, mails[2])
		if first.dtstart != "20270204T080000Z" || second.dtstart != "20270205T080000Z" {
			t.Errorf("the invites start at %s and %s", first.dtstart, second.dtstart)
		}
	})
}

func TestRefusedMail_IsGivenUpAndShown(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.create("intro", tomorrow.AddDate(0, 0, 1), "grace@guest.example")
		w.box.Fail(&delivery.Refused{Reason: "550 no such person here"})
		w.run()
		w.box.Fail(nil)
		w.runAt(monday.Add(time.Hour))
		w.wantMails(b)
		failed, err := jobs.List(background, w.DB, true, 10)
		w.Must(err)
		if len(failed) != 2 || failed[0].State != jobs.Failed ||
			failed[0].LastError != "mail refused: 550 no such person here" {
			t.Fatalf("got %+v", failed)
		}
		_, err = jobs.RetryAll(background, w.DB, w.now())
		w.Must(err)
		w.run()
		w.wantMails(b, "0.booked.attendee", "0.booked.host")
	})
}

func TestMails_HoldTheLinksOfTheirReader(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.create("intro", monday.AddDate(0, 0, 3), "grace@guest.example")
		w.run()
		mails := w.wantMails(b, "0.booked.attendee", "0.booked.host")
		attendee, host := parseMail(t, mails[0]), parseMail(t, mails[1])
		own := []string{w.CancelURL(w.Actor.WorkspaceID, b.ID), w.RescheduleURL(w.Actor.WorkspaceID, b.ID)}
		for _, url := range own {
			if !attendee.says(url) {
				t.Errorf("the attendee's mail lacks %s", url)
			}
			if host.says(url) {
				t.Errorf("the host's mail has the attendee's own link %s", url)
			}
		}
		if !host.says(b.ID.String()) || !host.says("the second") || attendee.says("the second") {
			t.Error("booking id and notes are for the host")
		}
		if mails[0].To != "grace@guest.example" || mails[1].To != "ada@acme.example" {
			t.Errorf("mails to %s and %s", mails[0].To, mails[1].To)
		}
	})
}

// blockedMailbox is a mailbox whose first mail waits until the test closes open.
type blockedMailbox struct {
	worlds.Mailbox
	first         sync.Once
	reached, open chan struct{}
}

func (g *blockedMailbox) Send(ctx context.Context, m mail.Message) (string, error) {
	g.first.Do(func() {
		g.reached <- struct{}{}
		<-g.open
	})
	return g.Mailbox.Send(ctx, m)
}

// One server is sending a mail while the booking is moved, and another server runs the job about the move. The last
// mail to anybody must not show the old time.
func TestRace_ANewerNoticeDoesNotOvertake(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		slow := &blockedMailbox{reached: make(chan struct{}), open: make(chan struct{})}
		w.deliverTo(slow)
		first := w.runner
		b := w.create("intro", monday.AddDate(0, 0, 3), "grace@guest.example")
		done := make(chan error)
		go func() { done <- first.RunDue(background) }()
		<-slow.reached
		w.MustMove(b, monday.AddDate(0, 0, 4))
		w.deliverTo(&slow.Mailbox)
		w.run() // the second server
		if early := slow.Empty(); len(early) > 0 {
			t.Errorf("%s overtook the news before it", early[0].ID)
		}
		close(slow.open)
		w.Must(<-done)
		w.runAt(w.now().Add(orderPollInterval))
		w.box = &slow.Mailbox
		w.wantMails(b, "0.booked.attendee", "0.booked.host", "1.rescheduled.attendee", "1.rescheduled.host")
	})
}

// hangingSender is a sender that always runs into its deadline. It says how much time it had.
type hangingSender struct{ remaining chan time.Duration }

func (n hangingSender) Send(ctx context.Context, _ mail.Message) (string, error) {
	deadline, _ := ctx.Deadline()
	n.remaining <- time.Until(deadline)
	<-ctx.Done()
	return "", ctx.Err()
}

func (n hangingSender) Close() error { return nil }

func TestReminder_IsNotOnItsWayWhenTheMeetingStarts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		start := monday.AddDate(0, 0, 3)
		b := w.create("intro", start, "grace@guest.example")
		w.run()
		w.runAt(start.Add(-25 * time.Hour))
		w.box.Empty()
		slow := hangingSender{make(chan time.Duration, 10)}
		w.deliverTo(slow)
		w.Clock.Set(start.Add(-50 * time.Millisecond))
		w.run()
		if remaining := <-slow.remaining; remaining > 50*time.Millisecond {
			t.Errorf("a mail that starts 50 ms before the meeting may take %v", remaining)
		}
		w.deliverTo(w.box)
		w.runAt(start.Add(time.Hour))
		w.wantMails(b)
	})
}

// A second attempt sends the same mail: its invite has the time of the change, not of the attempt.
func TestNotice_TriedAgainItIsTheSameMail(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.create("intro", monday.AddDate(0, 0, 3), "grace@guest.example")
		w.box.Fail(errors.New("down"))
		w.run()
		w.box.Fail(nil)
		w.runAt(monday.Add(time.Hour))
		m := parseMail(t, w.wantMails(b, "0.booked.attendee", "0.booked.host")[0])
		if !strings.Contains(m.texts["text/calendar"], "DTSTAMP:20270201T080000Z\r\n") {
			t.Error(m.texts["text/calendar"])
		}
	})
}
