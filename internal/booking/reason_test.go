package booking

import (
	"testing"

	"slotd"
	"slotd/internal/mail"
)

func TestMoveReason_IsTheLastMoves(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.mustCreate("intro", at("09:00"))
		for _, move := range []struct{ to, reason, want string }{
			{"10:00", "my own reasons", "my own reasons"},
			{"10:00", "others", "my own reasons"}, // it is already there
			{"10:00", "", "my own reasons"},
			{"11:00", "the train is\nlate", "the train is\nlate"},
			{"12:00", "", ""},
			{"13:00", "ill", "ill"},
		} {
			moved, err := w.RescheduleWithReason(background, w.actor, b.ID, at(move.to), move.reason)
			w.Must(err)
			if moved.MoveReason != move.want || w.stored(b).MoveReason != move.want {
				t.Errorf("to %s because of %q: answers %q and keeps %q", move.to, move.reason, moved.MoveReason,
					w.stored(b).MoveReason)
			}
		}
		if _, err := w.RescheduleWithReason(background, w.actor, b.ID, at("07:00"), "refused"); !slotd.Is(err,
			slotd.SlotUnavailable) {
			t.Fatal(err)
		}
		if got := w.stored(b); got.MoveReason != "ill" || got.Sequence != 4 {
			t.Errorf("%q after a refused move, sequence %d", got.MoveReason, got.Sequence)
		}
	})
}

func TestNotice_HasTheReasonOfItsKind(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.mustCreate("intro", at("09:00"))
		_, err := w.RescheduleWithReason(background, w.actor, b.ID, at("10:00"), "moved")
		w.Must(err)
		b, err = w.Cancel(background, w.actor, b.ID, "canceled")
		w.Must(err)
		p, err := w.cache.Latest(background, w.actor.WorkspaceID)
		w.Must(err)
		for what, want := range map[mail.Kind]string{mail.Booked: "", mail.Reminder: "", mail.PaidTooLate: "",
			mail.Rescheduled: "moved", mail.Canceled: "canceled"} {
			if got := w.Notice(p, b, what, mail.ToAttendee).Reason; got != want {
				t.Errorf("%s says %q", what, got)
			}
		}
	})
}

// The host gets none of the attendee's links, and nobody a link to a page that is hidden or gone.
func TestNotice_LinksOnlyToWhatItsReaderMayOpen(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.mustCreate("intro", at("09:00"))
		for _, c := range []struct {
			about  string
			change func()
			to     mail.Recipient
			page   string
		}{
			{"to the attendee", func() {}, mail.ToAttendee, "https://book.example/acme/intro"},
			{"to the host", func() {}, mail.ToHost, ""},
			{"hidden", func() { w.eventType("intro").Hidden = true }, mail.ToAttendee, ""},
			{"retired", func() { w.file.EventTypes = w.file.EventTypes[1:] }, mail.ToAttendee, ""},
		} {
			c.change()
			w.apply()
			p, err := w.cache.Latest(background, w.actor.WorkspaceID)
			w.Must(err)
			n := w.Notice(p, b, mail.Booked, c.to)
			if hasOwn := n.CancelURL != "" && n.RescheduleURL != ""; n.BookingURL != c.page ||
				hasOwn != (c.to == mail.ToAttendee) || n.CalendarURL == "" {
				t.Errorf("%s: %+v", c.about, n)
			}
		}
	})
}
