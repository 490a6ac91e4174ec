package owner

import (
	"context"
	"strings"
	"testing"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/booking/records"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/web/owner/bookings"
	"slotd/internal/web/owner/page"
	"slotd/internal/web/webtest"
)

func TestBooking_ShowsAllThereIsAboutIt(t *testing.T) {
	w := lite(t)
	guest := grace
	guest.Phone = "+1 <b>555</b>"
	at := w.books("acme", onDay(1, "14:00"), guest, "First line\n<b>second</b>")
	_, token, err := w.Tokens.Create(background, w.id("acme"), "Ada's agent", slotd.Operator)
	w.Must(err)
	_, err = w.Booking.Reschedule(background, booking.Token(w.id("acme"), token.ID, ""),
		at.ID, onDay(1, "15:00"))
	w.Must(err)
	b := w.ada()
	p := b.get(bookings.BookingPath(at)).says(200, "Intro call", "Upcoming", "Tuesday 2 February 2027, 15:00–15:30",
		"UTC+00:00",
		"Tuesday 2 February 2027, 10:00–10:30", "America/New_York, UTC-05:00",
		"Grace Okafor", "grace@guest.example", "Phone+1 <b>555</b>", "First line <b>second</b>", "Video call", "https://meet.example/ada",
		at.ID.String(),
		"Booked for Tue 2 Feb 2027, 14:00 (UTC+00:00), by guest",
		"Rescheduled from Tue 2 Feb 2027, 14:00 (UTC+00:00) to Tue 2 Feb 2027, 15:00 (UTC+00:00), by token Ada's agent",
		"Scheduled", "Email to the guest: rescheduled")
	for _, want := range []string{`href="mailto:grace@guest.example"`, bookings.BookingPath(at) + `/reschedule"`,
		bookings.BookingPath(at) + `/cancel"`, "&lt;b&gt;second"} {
		if !strings.Contains(p.Body, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	w.Clock.Set(onDay(1, "15:30"))
	if p := w.ada().get(bookings.BookingPath(at)).says(200, "Past",
		"can't be changed"); strings.Contains(p.Body,
		"/cancel\"") {
		t.Error("what is over can be canceled")
	}
}

func TestBooking_SaysWhatWentWrongWithMailAndCalendar(t *testing.T) {
	w := lite(t)
	at := w.books("acme", onDay(1, "14:00"), grace, "")
	w.Must(w.DB.InTx(background, func(ctx context.Context, tx *store.Tx) error {
		return tx.GiveUpJob(ctx, sqlcgen.GiveUpJobParams{
			WorkspaceID: w.id("acme"), BookingID: at.ID.String(), ID: at.ID.String() + ".0.booked.attendee",
			RunAt: 1 << 60, Failures: 9, LastError: "550 <no> such mailbox", FailedAt: monday.UnixMilli(),
		})
	}))
	p := w.ada().get(bookings.BookingPath(at)).says(200, "Email to the guest: booked: failed", "550 <no> such mailbox")
	if strings.Contains(p.Body, "<no>") {
		t.Error("a mail server's words are not escaped")
	}
}

func TestBooking_ShowsWhatBecameOfTheMoney(t *testing.T) {
	w := lite(t)
	at := w.pays(onDay(1, "11:00"))
	b := w.ada()
	b.get(bookings.BookingPath(at)).says(200, "Consulting", "50.00 USD paid", "Payments",
		"Paid and confirmed, by payment service")
	b.submit(bookings.BookingPath(at)+"/cancel", "reason", "").leads(bookings.BookingPath(at) + "?saved=canceled")
	b.get(bookings.BookingPath(at)).says(200, "refund due: 50.00 USD", "Refund requested")
}

func TestBooking_AnErasedGuestIsSaidToBeErased(t *testing.T) {
	w := lite(t)
	at := w.books("acme", onDay(1, "14:00"), slotd.Attendee{TimeZone: "UTC"}, "")
	b := w.ada()
	for _, path := range []string{bookings.BookingPath(at), "/settings/bookings",
		"/settings/bookings?view=day&date=2027-02-02",
		bookings.BookingPath(at) + "/cancel"} {
		if p := b.get(path).says(200, "a guest (data erased)"); strings.Contains(p.Body, "mailto:") {
			t.Errorf("%s: a mail to nobody", path)
		}
	}
	for _, file := range []string{"/settings/bookings.csv", "/settings/bookings.ics"} {
		b.get(file).says(200)
	}
}

// The pages show neither bookings of other workspaces nor bookings that are only held.
func TestBooking_ForeignAndHeldOnesAreNotThere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		theirs, before := w.books("acme", onDay(1, "14:00"), grace, "secret words"), w.export("acme")
		held, err := w.Booking.Hold(background, booking.Page(w.id("acme")),
			booking.Request{EventType: "paid", StartsAt: onDay(1, "09:00"), Attendee: grace}, "operator")
		w.Must(err)
		ada, bo := w.ada(), w.bo()
		for _, b := range []*window{ada, bo} {
			for _, id := range []string{held.ID.String(), theirs.ID.String(), "x", "%00",
				"{" + theirs.ID.String() + "}", strings.ToUpper(theirs.ID.String()), "urn:uuid:" +
					theirs.ID.String(), strings.Repeat("a", 3000)} {
				if b == ada && id == theirs.ID.String() {
					continue
				}
				slug := map[*window]string{ada: "acme", bo: "other"}[b]
				for _, end := range []string{"", "/reschedule", "/cancel"} {
					b.get("/settings/bookings/"+id+end).says(404, "Booking not found")
				}
				b.post("/settings/bookings/"+id+"/cancel", "workspace", slug, "seen", "0").says(404)
				b.post("/settings/bookings/"+id+"/reschedule", "workspace", slug, "seen", "0", "slot",
					"2027-02-02T15:00:00Z").says(404)
			}
		}
		bo.post(bookings.BookingPath(theirs)+"/cancel", "workspace", "acme", "seen", "0").says(409, "another workspace")
		for _, path := range []string{"/settings/bookings", "/settings/bookings?q=" + theirs.ID.String(),
			"/settings/bookings?view=day&date=2027-02-02", "/settings/bookings.csv", "/settings/bookings.ics"} {
			if p := bo.get(path).says(200); strings.Contains(p.Body, "grace@") || strings.Contains(p.Body, "Grace") {
				t.Errorf("%s shows another workspace's guest", path)
			}
		}
		if got := w.bookingNow("acme", theirs); got.State != slotd.Confirmed || got.Sequence != 0 ||
			w.export("acme") != before {
			t.Errorf("it was changed: %+v", got)
		}
	})
}

func TestBooking_StrangersGoToTheLogin(t *testing.T) {
	w := lite(t)
	at := w.books("acme", onDay(1, "14:00"), grace, "")
	for _, path := range []string{"/settings/bookings", "/settings/bookings.csv", "/settings/bookings.ics",
		bookings.BookingPath(at), bookings.BookingPath(at) + "/reschedule", bookings.BookingPath(at) + "/cancel"} {
		w.stranger().get(path).leads("/login?to=" + page.Escape(path))
	}
	w.stranger().post(bookings.BookingPath(at)+"/cancel", "workspace", "acme").says(403)
}

// The activity records what a token does to a booking, and from where.
func TestBooking_WhatATokenDoesIsNoted(t *testing.T) {
	w := lite(t)
	secret, token, err := w.Tokens.Create(background, w.id("acme"), "agent", slotd.Operator)
	w.Must(err)
	created := webtest.Call(t, w.Endpoint, secret, "create_booking",
		webtest.BookingArguments("intro", "2027-02-02T10:00:00Z", "g@guest.example"))
	found, _, err := w.Records.List(background, w.id("acme"), records.Filter{Stage: records.Upcoming}, records.Cursor{},
		10)
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %s", err, created.Text)
	}
	if got, want := w.notedBookings("acme"), "booking.created "+found[0].ID.String()+" token:"+token.ID+
		" 192.0.2.1"; len(got) != 1 || got[0] != want {
		t.Errorf("%q, want %q", got, want)
	}
}
