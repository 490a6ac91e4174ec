package owner

import (
	"context"
	"strings"
	"testing"

	"slotd"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/web/owner/bookings"
)

// mailed does what the worker does after it has mailed the guest.
func (w *world) mailed(b *slotd.Booking) {
	w.T.Helper()
	id := b.ID.String()
	w.Must(w.DB.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		return tx.PutMailQuota(ctx, sqlcgen.PutMailQuotaParams{
			WorkspaceID: w.id("acme"), BookingID: id, ID: id + ".0.booked.attendee", AddressHash: []byte{1},
			TurnAt: monday.UnixMilli(), SentAt: monday.UnixMilli(),
		})
	}))
}

func TestMail_IsCalledSentOnlyWhereItIs(t *testing.T) {
	w := lite(t)
	ada, b := w.ada(), w.books("acme", onDay(1, "14:00"), grace, "")
	w.mailed(b)
	at := bookings.BookingPath(b)
	for _, c := range []struct{ path, sent, written string }{
		{at, "Email to the guest: booked (sent)",
			"Email to the guest: booked (saved to the outbox, not sent)"},
		{at + "?saved=moved", "The guest will get an email.",
			"The booking was rescheduled. This server doesn't send email, so please tell the guest yourself."},
		{at + "?saved=canceled", "The guest will get an email.",
			"The booking was canceled. This server doesn't send email, so please tell the guest yourself."},
		{at + "/cancel", "we include it in the email to the guest", "tell the guest yourself"},
		{at + "/reschedule", "we include it in the email to the guest", "tell the guest yourself"},
		{"/settings/members?done=invited", "The invitation was sent.",
			"The invitation was created. This server doesn't send email: the link is in a file in its outbox"},
		{"/settings/members", "Send invitation", "Create invitation"},
	} {
		w.ToFiles = false
		if p := ada.get(c.path).says(200, c.sent); strings.Contains(p.Text(), c.written) {
			t.Errorf("%s: %s", c.path, p.Text())
		}
		w.ToFiles = true
		if p := ada.get(c.path).says(200, c.written); strings.Contains(p.Text(), c.sent) {
			t.Errorf("%s: %s", c.path, p.Text())
		}
	}
	p := w.stranger().submit("/login", "email", "ada@acme.example", "way", "link").says(200,
		"we've created a sign-in link", "doesn't send email")
	if strings.Contains(p.Text(), "emailed") {
		t.Error(p.Text())
	}
}

func TestMail_SaysNothingAboutMailToAnErasedGuest(t *testing.T) {
	w := lite(t)
	b := w.books("acme", onDay(1, "14:00"), grace, "")
	_, err := w.Records.Erase(background, w.id("acme"), grace.Email, slotd.Operator)
	w.Must(err)
	if p := w.ada().get(bookings.BookingPath(b)+"?saved=canceled").says(200,
		"The booking was canceled."); strings.Contains(p.Text(), "will get an email") {
		t.Error(p.Text())
	}
}
