package owner

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/money/ledger"
	"slotd/internal/web/owner/bookings"
)

// onDay returns an instant in UTC on the Monday of the tests, or on a day after it.
func onDay(day int, clock string) time.Time {
	t, err := time.Parse("15:04", clock)
	if err != nil {
		panic(err)
	}
	return time.Date(2027, 2, 1+day, t.Hour(), t.Minute(), 0, 0, time.UTC)
}

// books makes a guest's booking through the public page.
func (w *world) books(slug string, start time.Time, a slotd.Attendee, notes string) *slotd.Booking {
	w.T.Helper()
	b, err := w.Booking.Create(background, booking.Page(w.id(slug)),
		booking.Request{EventType: "intro", StartsAt: start, Attendee: a, Notes: notes})
	w.Must(err)
	return b
}

var grace = slotd.Attendee{Name: "Grace Okafor", Email: "grace@guest.example", TimeZone: "America/New_York"}

// pays makes a guest's booking and pays for it.
func (w *world) pays(start time.Time) *slotd.Booking {
	w.T.Helper()
	b, err := w.Booking.Hold(background, booking.Page(w.id("acme")),
		booking.Request{EventType: "paid", StartsAt: start, Attendee: grace}, "operator")
	w.Must(err)
	paid := ledger.Entry{Kind: ledger.Paid, Amount: 5000, Currency: "usd", Reference: "pi_1"}
	w.Must(w.Booking.ApplyPayment(background, w.id("acme"), b.ID,
		ledger.Statement{Entries: []ledger.Entry{paid}, Payment: "pi_1"}))
	return b
}

func (w *world) bookingNow(slug string, b *slotd.Booking) *slotd.Booking {
	w.T.Helper()
	found, err := booking.Load(background, w.DB.Read(), w.id(slug), b.ID)
	w.Must(err)
	return found
}

// wantLinks fails unless the page links to exactly these bookings, in this order.
func wantLinks(t *testing.T, p *response, want ...*slotd.Booking) {
	t.Helper()
	var got, ids []string
	for part := range strings.SplitSeq(p.Body, `href="/settings/bookings/`) {
		if id, _, ok := strings.Cut(part, `"`); ok && len(id) == 36 {
			got = append(got, id)
		}
	}
	for _, b := range want {
		ids = append(ids, b.ID.String())
	}
	if !slices.Equal(got, ids) {
		t.Errorf("the page leads to %v, want %v: %s", got, ids, p.Text())
	}
}

func TestBookings_EachListHasItsOwn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.ada()
		b.get("/settings/bookings").says(200, "No upcoming bookings")
		over, gone, next := w.books("acme", onDay(0, "09:00"), grace, ""),
			w.books("acme", onDay(0, "10:00"), grace, ""), w.books("acme", onDay(1, "09:00"), grace, "")
		paid := w.pays(onDay(1, "11:00"))
		_, err := w.Booking.Cancel(background, booking.Attendee(w.id("acme")), gone.ID, "ill")
		w.Must(err)
		w.books("other", onDay(1, "09:00"), grace, "")
		w.Clock.Set(onDay(0, "12:00"))
		wantLinks(t, b.get("/settings/bookings").says(200, "Tuesday 2 February 2027", "09:00–09:30", "Intro call",
			"Grace Okafor", "50.00 USD paid"), next, paid)
		wantLinks(t, b.get("/settings/bookings?state=past").says(200, "Monday 1 February 2027"), over)
		wantLinks(t, b.get("/settings/bookings?state=canceled").says(200, "canceled"), gone)
		for _, nonsense := range []string{"state=all", "state=held", "state=%00", "after=x", "from=2027-02-31",
			"from=%27", "from=99999-01-01"} {
			wantLinks(t, b.get("/settings/bookings?"+nonsense), next, paid)
		}
		wantLinks(t, b.get("/settings/bookings?from=2027-02-03").says(200, "No matching bookings in this list"))
		w.Clock.Set(onDay(1, "09:10"))
		w.ada().get("/settings/bookings").says(200, "now")
	})
}

func TestBookings_SearchStandsWhatIsTyped(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.ada()
		found := w.books("acme", onDay(0, "09:00"),
			slotd.Attendee{Name: `<script>alert(1)</script> 50%_\`, Email: "x@guest.example", TimeZone: "UTC"}, "")
		w.books("acme", onDay(0, "10:00"), grace, "")
		for _, q := range []string{"%3Cscript", "50%25_", "%5C", "X@GUEST", found.ID.String(), "script%00",
			"%ff%3Cscript"} {
			p := b.get("/settings/bookings?q=" + q).says(200)
			if strings.Contains(q, "ff") {
				continue // invalid text is replaced, and finds nothing
			}
			wantLinks(t, p, found)
			if strings.Contains(p.Body, "<script>alert") {
				t.Error("a name is not escaped")
			}
		}
		for _, q := range []string{"nobody", strings.Repeat("x", 5000), "%27%20OR%201=1--", "%25%25%25",
			"%22%3E%3Csvg%20onload=x%3E"} {
			p := b.get("/settings/bookings?q="+q).says(200, "No matching bookings in this list")
			if strings.Contains(p.Body, "<svg") {
				t.Error("what was typed is not escaped")
			}
		}
	})
}

func TestBookings_PagesGoOnWhereTheLastOneEnded(t *testing.T) {
	w := lite(t)
	var all []*slotd.Booking
	for i := range bookings.BookingsPerPage + 3 {
		all = append(all, w.books("acme", onDay(i/16, "09:00").Add(time.Duration(i%16)*30*time.Minute),
			slotd.Attendee{Name: fmt.Sprint("Guest ", i), Email: "g@guest.example", TimeZone: "UTC"}, ""))
		if i/16 == 4 {
			break
		}
	}
	b := w.ada()
	first := b.get("/settings/bookings?q=guest.example").says(200, "Later bookings")
	wantLinks(t, first, all[:bookings.BookingsPerPage]...)
	_, rest, _ := strings.Cut(first.Body, `aria-label="Pages"`)
	_, rest, _ = strings.Cut(rest, `href="`)
	next, _, _ := strings.Cut(rest, `"`)
	second := b.get(strings.ReplaceAll(next, "&amp;", "&")).says(200, "First page")
	wantLinks(t, second, all[bookings.BookingsPerPage:]...)
	if strings.Contains(second.Text(), "Later bookings") {
		t.Error("there is a page after the last")
	}
}

func TestBookings_ADayShowsItsTimesAndTheGapsBetween(t *testing.T) {
	w := lite(t)
	first, second, third := w.books("acme", onDay(0, "09:00"), grace, ""),
		w.books("acme", onDay(0, "09:30"), grace, ""), w.books("acme", onDay(0, "11:30"), grace, "")
	fourth := w.books("acme", onDay(1, "09:00"), grace, "")
	b := w.ada()
	p := b.get("/settings/bookings?view=day").says(200, "Monday 1 February 2027", "09:00–09:30",
		"Free for 1 h 30 min", "Grace Okafor")
	wantLinks(t, p, first, second, third)
	if n := strings.Count(p.Text(), "Free for"); n != 1 {
		t.Errorf("%d gaps", n)
	}
	for _, nonsense := range []string{"", "x", "2027-02-30", "0000-01-01", "9999-12-31", "%00"} {
		wantLinks(t, b.get("/settings/bookings?view=day&date="+nonsense).says(200), first, second, third)
	}
	b.get("/settings/bookings?view=day&date=2027-02-03").says(200, "No bookings on this day", "Today")
	// 09:00 UTC is on the same day there, 11:30 UTC on the next.
	w.Apply(strings.Replace(acme, "time_zone: UTC", "time_zone: Pacific/Auckland", 1))
	wantLinks(t, b.get("/settings/bookings?view=day&date=2027-02-01").says(200, "Pacific/Auckland"), first, second)
	wantLinks(t, b.get("/settings/bookings?view=day&date=2027-02-02"), third, fourth)
}
