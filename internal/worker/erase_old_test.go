package worker

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/mail"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/store/testdb"
)

func (w *world) erase(email string) {
	w.T.Helper()
	n, err := w.records().Erase(background, w.Actor.WorkspaceID, email, slotd.Operator)
	w.Must(err)
	if n == 0 {
		w.T.Fatalf("nothing was erased of %s", email)
	}
}

func TestErased_NobodyIsMailedAndTheHostStillIs(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.create("intro", monday.AddDate(0, 0, 3), "grace@guest.example")
		w.erase("grace@guest.example")
		w.run()
		mails := w.wantMails(b, "0.booked.host")
		if text := string(mails[0].Data); strings.Contains(text, "Grace") || strings.Contains(text, "grace@") ||
			!strings.Contains(text, "a guest") {
			t.Error(text)
		}
		w.MustMove(b, monday.AddDate(0, 0, 4))
		w.run()
		w.wantMails(b, "1.rescheduled.host")
		w.runAt(monday.AddDate(0, 0, 4).Add(-time.Hour))
		w.wantMails(b)
		w.MustCancel(b, "")
		w.run()
		w.wantMails(b, "2.canceled.host")
		failed, err := w.DB.Read().FailedMails(background,
			sqlcgen.FailedMailsParams{WorkspaceID: w.Actor.WorkspaceID, Limit: 10})
		if err != nil || len(failed) != 0 {
			t.Errorf("given up: %v, %v", failed, err)
		}
	})
}

func TestErased_TheHostsCalendarSaysNobodysName(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	b := w.create("intro", monday.AddDate(0, 0, 3), "grace@guest.example")
	w.erase("grace@guest.example")
	b, err := booking.Load(background, w.DB.Read(), w.Actor.WorkspaceID, b.ID)
	w.Must(err)
	p, err := w.Cache.Workspace(background, "acme")
	w.Must(err)
	e := entryOf(w.Notice(p, b, mail.Booked, mail.ToHost))
	if all := e.Summary + e.Description + string(e.ICS); strings.Contains(strings.ToLower(all), "grace") ||
		strings.Contains(all, "second") || e.Summary != "Intro call with a guest" {
		t.Error(all)
	}
}

// eraser returns an Eraser that keeps attendees' data for a week.
func (w *world) eraser(log *bytes.Buffer) *Eraser {
	return &Eraser{Records: w.records(), Days: 7, Log: slog.New(slog.NewTextHandler(log, nil))}
}

// countNamed counts the workspace's bookings that still name their attendee.
func (w *world) countNamed(actor booking.Actor, all ...*slotd.Booking) (n int) {
	w.T.Helper()
	for _, b := range all {
		current, err := booking.Load(background, w.DB.Read(), actor.WorkspaceID, b.ID)
		w.Must(err)
		if current.Attendee.Email != "" {
			n++
		}
	}
	return n
}

func TestEraser_ErasesWhatIsOverForLongerInEveryWorkspace(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		second := office()
		second.Slug = "second"
		w.Put(second)
		here, there := w.Actor, booking.Token(w.WorkspaceID("second"), "tok_2", "")
		tuesday := monday.AddDate(0, 0, 1)
		one, later := w.create("intro", tuesday, "grace@guest.example"),
			w.create("intro", tuesday.AddDate(0, 0, 6), "grace@guest.example")
		w.Actor = there
		other := w.create("intro", tuesday, "ian@guest.example")

		w.Clock.Set(one.EndsAt.AddDate(0, 0, 7))
		var log bytes.Buffer
		w.Must(w.eraser(&log).EraseOld(background))
		if w.countNamed(here, one, later) != 2 || w.countNamed(there, other) != 1 {
			t.Fatal("erased a moment too early")
		}
		w.Clock.Advance(time.Millisecond)
		w.Must(w.eraser(&log).EraseOld(background))
		if w.countNamed(here, one) != 0 || w.countNamed(here, later) != 1 || w.countNamed(there, other) != 0 {
			t.Fatal("not what was to be erased")
		}
		if text := log.String(); strings.Count(text, "erased the attendees") != 2 || strings.Contains(text, "guest") {
			t.Errorf("the log: %s", text)
		}
	})
}

func TestRace_SeveralServersEraseEachBookingOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for day := range 6 {
			w.create("intro", monday.AddDate(0, 0, day+1), "grace@guest.example")
		}
		w.Clock.Set(monday.AddDate(0, 0, 30))
		var logs [4]bytes.Buffer
		var all sync.WaitGroup
		for i := range logs {
			all.Go(func() {
				if err := w.eraser(&logs[i]).EraseOld(background); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		logged := 0
		for i := range logs {
			logged += strings.Count(logs[i].String(), "bookings=6")
		}
		if logged != 1 {
			t.Errorf("%d of four say that they erased them: %v", logged, logs)
		}
	})
}

func TestEraser_StopsWithTheServer(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	b := w.create("intro", monday.AddDate(0, 0, 1), "grace@guest.example")
	w.Clock.Set(monday.AddDate(0, 0, 30))
	ctx, stop := context.WithCancel(background)
	stop()
	var log bytes.Buffer
	w.eraser(&log).Run(ctx) // must return
	if w.countNamed(w.Actor, b) != 1 || log.Len() > 0 {
		t.Errorf("worked on after the end: %s", log.String())
	}
}
