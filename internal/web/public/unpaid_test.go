package public

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"slotd/internal/booking"
	"slotd/internal/identity/links"
)

func TestUnpaid_ReleasesTheTimeAndKeepsWhatWasTyped(t *testing.T) {
	for name, typed := range map[string][]string{
		"all of it":       {"phone", "+1 555 0100", "notes", "two\nlines", "tz", "Asia/Kathmandu"},
		"no notes":        {"phone", "+1 555 0100", "tz", "UTC"},
		"notes like that": {"phone", "1", "notes", "Phone: 2\nPhone: 3"},
		"awkward": {"phone", awkward["rtl"], "notes", awkward["markup"] + "\n" + awkward["address"], "name",
			awkward["emoji"]},
	} {
		t.Run(name, func(t *testing.T) {
			w := newSQLiteWorld(t).takesPayments()
			w.Apply(strings.Replace(acme, "location: {type: phone, ask: true}",
				"location: {type: phone, ask: true}, price: {amount_cents: 5000, currency: usd}", 1))
			w.Clock.Advance(time.Second)
			action, fields := w.filled("/acme/ask", at("02-02 10:00"))
			fields.Del("notes")
			for i := 0; i < len(typed); i += 2 {
				fields.Set(typed[i], typed[i+1])
			}
			w.post(action, fields).Is(http.StatusSeeOther)
			b := object{"booking_id": w.stripe.Sessions()[0].Reference}
			page := w.unpaid(b).OK()
			again := wantKept(t, page, fields)
			if text := page.First(".alert").Words(); text != "You haven't paid, so nothing is booked, and we're no longer "+
				"holding this time for you. What you typed is still here." {
				t.Error(text)
			}
			if back := page.First(".picked").First("a").Attr("href"); queryOf(t, back).Get("tz") != fields.Get("tz") {
				t.Errorf("the way back to the calendar forgets the zone: %s", back)
			}
			if !w.isOpen("/acme/ask", at("02-02 10:00")) {
				t.Error("the time is still held")
			}
			w.post(page.First("#book").Attr("action"), again).Is(http.StatusSeeOther)
			if n := len(w.stripe.Sessions()); n != 2 {
				t.Errorf("%d checkouts", n)
			}
		})
	}
}

// A day later the guest's data is erased; the page still works.
func TestUnpaid_AgainIsAFreshForm(t *testing.T) {
	w := newSQLiteWorld(t).takesPayments()
	b := w.hold("/acme/paid", at("02-02 10:00"), "tz", "Asia/Kathmandu")
	w.unpaid(b).Is(http.StatusOK)
	w.settle(b)
	if s := w.checkout(b); s.Status != "expired" {
		t.Errorf("the checkout is %s", s.Status)
	}
	if kept := w.unpaid(b).OK().First("#book").Fields(); kept.Get("name") == "" {
		t.Error("forgotten at once")
	}
	w.Clock.Advance(25 * time.Hour)
	w.settle(b)
	if got := w.wantTitle(w.link(b, links.Unpaid), "You haven't paid"); facts(got)["Who"] != "" ||
		linkTo(got, "Continue to payment") != "" {
		t.Error(got.First("main").Words())
	}
	page := w.unpaid(b).OK()
	if kept := page.First("#book").Fields(); kept.Get("name") != "" || kept.Get("tz") != "Asia/Kathmandu" ||
		strings.Contains(page.First(".alert").Words(), "typed") {
		t.Errorf("%v %s", kept, page.First(".alert").Words())
	}
}

func TestUnpaid_WhenTheTimeIsAnothersOffersOthers(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		w.takesPayments()
		b := w.hold("/acme/paid", at("02-02 10:00"))
		w.Clock.Advance(booking.DefaultHold)
		w.create("intro", at("02-02 10:30"))
		page := w.unpaid(b).OK()
		if text := page.First("main").Words(); !strings.Contains(text, "This time is no longer available") ||
			len(radios(page)) != 3 {
			t.Fatal(text)
		}
		again := page.First("#book").Fields()
		again.Set("slot", radios(page)[0])
		w.post(page.First("#book").Attr("action"), again).Is(http.StatusSeeOther)
		if s := w.stripe.Sessions(); len(s) != 2 || s[1].Email != "grace@example.com" {
			t.Errorf("%+v", s)
		}
	})
}

func TestUnpaid_OfWhatIsNoLongerOfferedSaysThatItIsNotHeld(t *testing.T) {
	w := newSQLiteWorld(t).takesPayments()
	b := w.hold("/acme/paid", at("02-02 10:00"))
	w.Apply(strings.Replace(acme, "{slug: paid,", "{slug: paid, hidden: true,", 1))
	w.Clock.Advance(time.Second)
	if to := w.unpaid(b).Is(http.StatusSeeOther).Header.Get("Location"); to != w.link(b, links.Booking) {
		t.Errorf("it leads to %s", to)
	}
	if page := w.wantTitle(w.link(b, links.Booking), "We're no longer holding this time for you"); linkTo(page,
		"Choose a time again") != "" {
		t.Error("it leads to what is not offered")
	}
}
