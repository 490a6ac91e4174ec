package worker

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"slotd"

	"github.com/google/uuid"

	"slotd/internal/booking"
	"slotd/internal/jobs"
	"slotd/internal/mail"
	"slotd/internal/mail/delivery"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/workspace"
)

// meanwhile is an outbox before whose first file something happens.
type meanwhile struct {
	*delivery.Outbox
	happens func()
}

func (m *meanwhile) Send(ctx context.Context, message mail.Message) (string, error) {
	if m.happens != nil {
		m.happens()
		m.happens = nil
	}
	return m.Outbox.Send(ctx, message)
}

// writeFiles starts the mails over with an outbox, and returns what lies in it.
func (w *world) writeFiles(happens func()) (left func() string) {
	w.t.Helper()
	dir := filepath.Join(w.t.TempDir(), "outbox")
	outbox, err := delivery.NewOutbox(dir)
	w.must(err)
	w.erased = func(bookings []uuid.UUID) { w.must(outbox.Forget(bookings)) }
	mailer := w.mailer(&meanwhile{outbox, happens})
	mailer.ToFiles = true
	w.runner = jobs.New(w.db, jobs.Mail,
		map[string]jobs.Handler{booking.NoticeJob: mailer.SendNotice, booking.ReminderJob: mailer.SendNotice}, w.now,
		slog.New(slog.DiscardHandler))
	w.runner.Batched()
	return func() string {
		files, err := os.ReadDir(dir)
		w.must(err)
		var all []string
		for _, file := range files {
			data, err := os.ReadFile(filepath.Join(dir, file.Name()))
			w.must(err)
			all = append(all, file.Name()+"\n"+string(data))
		}
		return strings.Join(all, "\n")
	}
}

func TestErased_WhileAMailIsWrittenItsFileIsTakenBack(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		left := w.writeFiles(func() { w.erase("grace@guest.example") })
		b := w.create("intro", monday.AddDate(0, 0, 3), "grace@guest.example")
		other := w.create("intro", monday.AddDate(0, 0, 4), "ian@guest.example")
		w.run()
		if all := left(); strings.Contains(all, "grace@") ||
			!strings.Contains(all, other.ID.String()+".0.booked.attendee.eml") {
			t.Error(all)
		}
		w.move(b, monday.AddDate(0, 0, 5))
		w.run()
		if all := left(); !strings.Contains(all, b.ID.String()+".1.rescheduled.host.eml") {
			t.Error("the host is not told any more")
		}
	})
}

func TestDeleted_WhileAMailIsWrittenItsFileIsTakenBack(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		left := w.writeFiles(func() {
			_, err := workspace.Delete(background, w.db, "acme", true)
			w.must(err)
		})
		w.create("intro", monday.AddDate(0, 0, 3), "grace@guest.example")
		_ = w.runner.RunDue(background) // whose jobs are gone
		if all := left(); all != "" {
			t.Error(all)
		}
	})
}

// Of two moves in quick succession each mail tells its own reason, or none.
func TestTell_AMoveDoesNotTellALaterOnesReason(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.create("intro", monday.AddDate(0, 0, 3), "grace@guest.example")
		w.run()
		w.box.empty()
		because := func(day int, reason string) {
			_, err := w.RescheduleWithReason(background, w.actor, b.ID, monday.AddDate(0, 0, day), reason)
			w.must(err)
		}
		because(4, "the first reason")
		because(5, "the second reason")
		w.run()
		mails := w.wantMails(b, "1.rescheduled.attendee", "1.rescheduled.host", "2.rescheduled.attendee",
			"2.rescheduled.host")
		w.wantReason(mails, "", "", "the second reason", "the second reason")
		w.move(b, monday.AddDate(0, 0, 6)) // by who gives none
		w.run()
		w.wantReason(w.wantMails(b, "3.rescheduled.attendee", "3.rescheduled.host"), "", "")
	})
}

func (w *world) wantReason(mails []mail.Message, reasons ...string) {
	w.t.Helper()
	for i, m := range mails {
		text := read(w.t, m).texts["text/plain"]
		if got := strings.Contains(text, "Reason:"); got != (reasons[i] != "") || !strings.Contains(text, reasons[i]) {
			w.t.Errorf("%s, want the reason %q:\n%s", m.ID, reasons[i], text)
		}
	}
}

// A turn that was taken for a guest who was erased since then says who it was.
func TestErased_ATurnTakenMeanwhileTellsNobody(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var b *slotd.Booking
		hash := w.links.Pseudonym(w.actor.WorkspaceID, "grace@guest.example")
		w.writeFiles(func() {
			w.erase("grace@guest.example")
			w.must(w.db.InTx(background, func(ctx context.Context, tx *store.Tx) error {
				id := b.ID.String()
				return tx.PutMailQuota(ctx, sqlcgen.PutMailQuotaParams{WorkspaceID: w.actor.WorkspaceID, BookingID: id,
					ID: id + ".0.booked.attendee", AddressHash: hash, TurnAt: monday.UnixMilli()})
			}))
		})
		b = w.create("intro", monday.AddDate(0, 0, 3), "grace@guest.example")
		w.run()
		turns, err := w.db.Read().MailQuotaUsed(background,
			sqlcgen.MailQuotaUsedParams{WorkspaceID: w.actor.WorkspaceID, AddressHash: hash,
				TurnAt_2: monday.AddDate(1, 0, 0).UnixMilli()})
		w.must(err)
		if turns.Taken != 0 {
			t.Errorf("%d turns are hers still", turns.Taken)
		}
	})
}
