package records

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/when"
	"slotd/internal/booking"
	"slotd/internal/identity"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
)

// historyLines returns a booking's history, one line per entry.
func (w *world) historyLines(b *slotd.Booking) (lines []string) {
	w.T.Helper()
	all, err := w.History(background, w.Actor.WorkspaceID, b.ID, when.InNamed("Europe/Paris", false))
	w.Must(err)
	for _, h := range all {
		line := h.What
		for _, part := range []string{h.Who, h.Trouble} {
			if part != "" {
				line += " | " + part
			}
		}
		if h.Ahead {
			line = "> " + line
		}
		lines = append(lines, line)
	}
	return lines
}

func TestHistory_IsOneStoryInTimeOrder(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		tokens := identity.Tokens{DB: w.DB, Now: w.Clock.Now}
		_, token, err := tokens.Create(background, w.Actor.WorkspaceID, "laptop <b>", slotd.Operator)
		w.Must(err)
		w.inTx(func(tx *store.Tx) error {
			return tx.InsertUser(background, sqlcgen.InsertUserParams{ID: 7, Email: "ada@acme.example", Name: "Ada"})
		})
		w.Actor.Actor = slotd.Actor{Kind: slotd.TokenActor, ID: token.ID}
		b := w.MustCreate("intro", at("+1 09:00"))
		_, err = tokens.Revoke(background, w.Actor.WorkspaceID, token.ID, slotd.Operator) // it keeps its name
		w.Must(err)
		w.addSentMail(b, "0.booked.attendee", time.Minute)
		w.Clock.Advance(time.Hour)
		w.Actor.Actor = slotd.NewUserActor(7, "")
		b = w.MustMove(b, at("+1 10:00"))
		w.failJob(b, "1.rescheduled.host", 0, "550 no such <mailbox>")
		w.failJob(b, "1.rescheduled.attendee", w.Clock.Now().Add(time.Minute).UnixMilli(),
			"mail server secret-mx:25, RCPT: 451 later")
		w.Clock.Advance(time.Hour)
		want := []string{
			"Booked for Tue 2 Feb 2027, 10:00 (Europe/Paris, UTC+01:00) | token laptop <b>",
			"Email to the guest: booked",
			"Rescheduled from Tue 2 Feb 2027, 10:00 (Europe/Paris, UTC+01:00) to Tue 2 Feb 2027, 11:00 (Europe/Paris, " +
				"UTC+01:00) | ada@acme.example",
			"Email to the host: rescheduled: failed | 550 no such <mailbox>",
			"> Email to the host: booked",
			"> Email to the guest: rescheduled: will be retried | the mail server, RCPT: 451 later",
			"> Email to the guest: reminder 1 hour before",
		}
		if got := w.historyLines(b); !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

func TestHistory_SpeaksOfRemindersInDaysAndHours(t *testing.T) {
	for minutes, want := range map[string]string{
		"1": "1 minute before", "45": "45 minutes before", "60": "1 hour before", "90": "1 hour 30 minutes before",
		"1440": "1 day before", "2941": "2 days 1 hour 1 minute before", "x": "x minutes before",
	} {
		h := history{id: "b"}
		if got := h.describeMail("b.0.reminder." + minutes); got != "Email to the guest: reminder "+want {
			t.Errorf("%s: %s", minutes, got)
		}
	}
}

// addSentMail does to the database what the worker does when it sends a mail.
func (w *world) addSentMail(b *slotd.Booking, id string, after time.Duration) {
	w.T.Helper()
	at := w.Clock.Now().Add(after).UnixMilli()
	_, err := w.Raw.Exec(`DELETE FROM jobs WHERE id = $1`, b.ID.String()+"."+id)
	w.Must(err)
	w.inTx(func(tx *store.Tx) error {
		return tx.PutMailQuota(background,
			sqlcgen.PutMailQuotaParams{WorkspaceID: w.Actor.WorkspaceID, BookingID: b.ID.String(),
				ID: b.ID.String() + "." + id, AddressHash: []byte{1}, TurnAt: at, SentAt: at})
	})
}

// failJob records a failed try. If runAt is 0, it was the last one.
func (w *world) failJob(b *slotd.Booking, id string, runAt int64, cause string) {
	w.T.Helper()
	failedAt := int64(0)
	if runAt == 0 {
		failedAt, runAt = w.Clock.Now().UnixMilli(), 1<<62
	}
	_, err := w.Raw.Exec(`UPDATE jobs SET failures = 3, last_error = $1, failed_at = $2, run_at = $3 WHERE id = $4`,
		cause, failedAt, runAt, b.ID.String()+"."+id)
	w.Must(err)
}

func TestHistory_ShowsWhatBecameOfTheHostsCalendar(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	b := w.MustCreate("intro", at("+1 09:00"))
	host := w.Config("acme").HostID
	for id, e := range map[int64][2]string{1: {"/place", ""}, 2: {"", "403 you may not"}, 3: {"", ""}} {
		_, err := w.Raw.Exec(
			`INSERT INTO calendars (workspace_id, id, host_id, name, position, settings, sealed) VALUES ($1, $2, $3, $4, $2, '{}', '')`,
			w.Actor.WorkspaceID, id, host, fmt.Sprint("cal", id))
		w.Must(err)
		w.inTx(func(tx *store.Tx) error {
			return tx.PutCalendarEntry(background, sqlcgen.PutCalendarEntryParams{
				WorkspaceID: w.Actor.WorkspaceID, CalendarID: id, BookingID: b.ID.String(), PlaceID: e[0],
				WrittenAt: monday.Add(time.Duration(id) * time.Minute).UnixMilli(), LastError: e[1],
			})
		})
	}
	want := []string{"Added to the calendar cal1", "Couldn't be added to the calendar cal2 | 403 you may not",
		"Removed from the calendar cal3"}
	if got := w.historyLines(b)[1:4]; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestHistory_OfAPaidBookingAndOfAnUnknownKind(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	w.addLesson()
	b := w.MustPay("lesson", at("+1 09:00"))
	w.inTx(func(tx *store.Tx) error {
		return tx.InsertBookingEvent(background, sqlcgen.InsertBookingEventParams{
			WorkspaceID: w.Actor.WorkspaceID, BookingID: b.ID.String(), At: w.Clock.Now().UnixMilli(),
			Kind: "some_thing", Actor: "user:99", Detail: "null",
		})
	})
	got := strings.Join(w.historyLines(b), "\n")
	for _, want := range []string{"Held for payment: ", "Paid and confirmed | payment service",
		"Some thing | user:99", "> Email to the guest: booked"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "Processing") {
		t.Errorf("what goes well is told:\n%s", got)
	}
	if other, err := w.History(background, w.Actor.WorkspaceID+1, b.ID, when.Local{}); err != nil || len(other) != 0 {
		t.Errorf("another workspace sees %v, %v", other, err)
	}
}

func TestHistory_SaysWhatAHoldWasFor(t *testing.T) {
	h := &history{local: when.InNamed("UTC", false)}
	start := slotd.Instant(monday)
	describe := func(kind slotd.Cause, detail string) string {
		return h.describeEvent(sqlcgen.BookingEventsRow{Kind: string(kind), Detail: detail})
	}
	for _, r := range slotd.HoldReasons {
		detail := `{"starts_at":"` + start + `","` + booking.HoldDetail + `":"` + string(r.Reason) + `"}`
		if got := describe(slotd.ByHold, detail); got != r.Began.With(h.formatTime(start)) {
			t.Errorf("%s: %s", r.Reason, got)
		}
		if got := describe(slotd.ByHoldEnd, detail); got != r.Missed.String() {
			t.Errorf("%s: %s", r.Reason, got)
		}
	}
	// Older events do not say it.
	if got := describe(slotd.ByHoldEnd, `{}`); got != slotd.ForPayment.Info().Missed.String() {
		t.Error(got)
	}
}
