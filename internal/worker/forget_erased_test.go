package worker

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"slotd"

	"github.com/google/uuid"

	"slotd/internal/mail"
	"slotd/internal/mail/delivery"
	"slotd/internal/money/accounts"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/workspace"
)

// hookedOutbox is an outbox that calls beforeFirst before it writes its first file.
type hookedOutbox struct {
	*delivery.Outbox
	beforeFirst func()
}

func (m *hookedOutbox) Send(ctx context.Context, message mail.Message) (string, error) {
	if m.beforeFirst != nil {
		m.beforeFirst()
		m.beforeFirst = nil
	}
	return m.Outbox.Send(ctx, message)
}

// writeFiles makes the world write mails into a new outbox. It returns a func that returns the names and contents of
// all files.
func (w *world) writeFiles(beforeFirst func()) (contents func() string) {
	w.T.Helper()
	dir := filepath.Join(w.T.TempDir(), "outbox")
	outbox, err := delivery.NewOutbox(dir)
	w.Must(err)
	w.erased = func(bookings []uuid.UUID) { w.Must(outbox.RemoveBookings(bookings)) }
	mailer := w.mailer(&hookedOutbox{outbox, beforeFirst})
	mailer.ToFiles = true
	w.runMailer(mailer)
	w.runner.SaveInBatches()
	return func() string {
		files, err := os.ReadDir(dir)
		w.Must(err)
		var all []string
		for _, file := range files {
			data, err := os.ReadFile(filepath.Join(dir, file.Name()))
			w.Must(err)
			all = append(all, file.Name()+"\n"+string(data))
		}
		return strings.Join(all, "\n")
	}
}

func TestErased_WhileAMailIsWrittenItsFileIsTakenBack(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		contents := w.writeFiles(func() { w.erase("grace@guest.example") })
		b := w.create("intro", monday.AddDate(0, 0, 3), "grace@guest.example")
		other := w.create("intro", monday.AddDate(0, 0, 4), "ian@guest.example")
		w.run()
		if all := contents(); strings.Contains(all, "grace@") ||
			!strings.Contains(all, other.ID.String()+".0.booked.attendee.eml") {
			t.Error(all)
		}
		w.MustMove(b, monday.AddDate(0, 0, 5))
		w.run()
		if all := contents(); !strings.Contains(all, b.ID.String()+".1.rescheduled.host.eml") {
			t.Error("the host is not told any more")
		}
	})
}

func TestDeleted_WhileAMailIsWrittenItsFileIsTakenBack(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		contents := w.writeFiles(func() {
			_, err := workspace.Delete(background, w.DB, "acme", true, accounts.AllOpenPayments)
			w.Must(err)
		})
		w.create("intro", monday.AddDate(0, 0, 3), "grace@guest.example")
		_ = w.runner.RunDue(background) // fails because its jobs are gone
		if all := contents(); all != "" {
			t.Error(all)
		}
	})
}

// After two moves in quick succession, each mail shows its own move's reason, or none.
func TestNotice_AMoveDoesNotShowALaterOnesReason(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.create("intro", monday.AddDate(0, 0, 3), "grace@guest.example")
		w.run()
		w.box.Empty()
		moveBecause := func(day int, reason string) {
			_, err := w.RescheduleWithReason(background, w.Actor, b.ID, monday.AddDate(0, 0, day), reason)
			w.Must(err)
		}
		moveBecause(4, "the first reason")
		moveBecause(5, "the second reason")
		w.run()
		mails := w.wantMails(b, "1.rescheduled.attendee", "1.rescheduled.host", "2.rescheduled.attendee",
			"2.rescheduled.host")
		w.wantReason(mails, "", "", "the second reason", "the second reason")
		w.MustMove(b, monday.AddDate(0, 0, 6)) // without a reason
		w.run()
		w.wantReason(w.wantMails(b, "3.rescheduled.attendee", "3.rescheduled.host"), "", "")
	})
}

func (w *world) wantReason(mails []mail.Message, reasons ...string) {
	w.T.Helper()
	for i, m := range mails {
		text := parseMail(w.T, m).texts["text/plain"]
		if got := strings.Contains(text, "Reason:"); got != (reasons[i] != "") || !strings.Contains(text, reasons[i]) {
			w.T.Errorf("%s, want the reason %q:\n%s", m.ID, reasons[i], text)
		}
	}
}

// A reservation holds a hash of the guest's address. If the guest is erased meanwhile, it must not stay.
func TestErased_AQuotaReservedMeanwhileNamesNobody(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var b *slotd.Booking
		hash := w.Links.Pseudonym(w.Actor.WorkspaceID, "grace@guest.example")
		w.writeFiles(func() {
			w.erase("grace@guest.example")
			w.Must(w.DB.InTx(background, func(ctx context.Context, tx *store.Tx) error {
				id := b.ID.String()
				return tx.PutMailQuota(ctx, sqlcgen.PutMailQuotaParams{WorkspaceID: w.Actor.WorkspaceID, BookingID: id,
					ID: id + ".0.booked.attendee", AddressHash: hash, TurnAt: monday.UnixMilli()})
			}))
		})
		b = w.create("intro", monday.AddDate(0, 0, 3), "grace@guest.example")
		w.run()
		used, err := w.DB.Read().MailQuotaUsed(background,
			sqlcgen.MailQuotaUsedParams{WorkspaceID: w.Actor.WorkspaceID, AddressHash: hash,
				TurnAt_2: monday.AddDate(1, 0, 0).UnixMilli()})
		w.Must(err)
		if used.Taken != 0 {
			t.Errorf("%d turns are hers still", used.Taken)
		}
	})
}
