package owner

import (
	"strings"
	"testing"
	"time"
)

// arrives follows the redirect of a form.
func (b *window) arrives(p *response) *response {
	b.w.T.Helper()
	path, _, _ := strings.Cut(p.Location(), "#")
	return b.get(path)
}

func (p *response) links(to string) {
	p.T.Helper()
	if !strings.Contains(p.Body, `href="`+strings.ReplaceAll(to, "&", "&amp;")+`"`) {
		p.T.Errorf("no link leads to %s", to)
	}
}

func TestAway_SaysWhichBookingsStand(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	w.books("acme", onDay(2, "14:00"), grace, "")
	p := ada.arrives(ada.submit(usual, "from", "2027-02-02", "until", "2027-02-04")).says(200,
		"You still have 1 booking on these days. Move or cancel it if you need to.", "3 days are now blocked.")
	p.links("/settings/bookings?view=day&date=2027-02-03")
	ada.get("/settings/bookings?view=day&date=2027-02-03").says(200, "Grace")
	if p := ada.arrives(ada.submit(usual, "from", "2027-02-04", "until", "2027-02-05")); strings.Contains(p.Text(),
		"on these days") {
		t.Error(p.Text())
	}
}

func TestAway_ManyBookingsAreListedFromTheFirst(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	for _, day := range []int{1, 2, 3} {
		w.books("acme", onDay(day, "14:00"), grace, "")
	}
	p := ada.arrives(ada.submit(usual, "from", "2027-02-03", "until", "2027-02-10")).says(200,
		"You still have 2 bookings on these days. Move or cancel them if you need to.")
	p.links("/settings/bookings?state=upcoming&from=2027-02-03")
}

func TestDates_AClosedOneSaysWhichBookingsStand(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	w.books("acme", onDay(2, "14:00"), grace, "")
	at := usual + "?date=2027-02-03"
	ada.arrives(ada.submit(at, "kind", "closed")).says(200,
		"You still have 1 booking on this day. Move or cancel it").links("/settings/bookings?view=day&date=2027-02-03")
	if p := ada.arrives(ada.submit(at, "kind", "weekly")); strings.Contains(p.Text(), "You still have") {
		t.Error("it is said where nothing is closed")
	}
	foreign := w.bo()
	if p := foreign.arrives(foreign.submit(at, "kind", "closed")); strings.Contains(p.Text(), "You still have") {
		t.Error("another workspace's bookings are counted")
	}
}

func TestHolidays_ClosedOnesSayWhichBookingsStand(t *testing.T) {
	w := lite(t)
	w.Clock.Advance(50 * 24 * time.Hour)    // to the week before Easter
	for _, day := range []int{53, 56, 57} { // Good Friday, Easter Monday, and the day after
		w.books("acme", onDay(day, "09:00"), grace, "")
	}
	ada := w.ada()
	form := ada.get(holidaysOf + "?country=de&year=2027").formWith("day")
	form.Values["day"] = []string{"2027-03-26", "2027-03-29"}
	ada.arrives(ada.postForm(holidaysOf, form.Values)).says(200,
		"You still have 2 bookings").links("/settings/bookings?state=upcoming&from=2027-03-26")
}

// The schedule's date can differ from the workspace's: at 14:00 UTC on 3 February it is 4 February in Kiritimati.
func TestAway_DaysAreTheSchedules(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	w.books("acme", onDay(2, "14:00"), grace, "")
	ada.submit(usual, "zone", "Pacific/Kiritimati")
	if p := ada.arrives(ada.submit(usual, "from", "2027-02-03", "until", "2027-02-03")); strings.Contains(p.Text(),
		"You still have") {
		t.Error(p.Text())
	}
	ada.arrives(ada.submit(usual, "from", "2027-02-04", "until", "2027-02-04")).says(200,
		"You still have 1 booking").links("/settings/bookings?view=day&date=2027-02-03")
}

func TestAway_WhatIsOverIsRefusedAndKept(t *testing.T) {
	w := lite(t)
	ada, before := w.ada(), w.export("acme")
	p := ada.submit(usual, "from", "2027-01-28", "until", "2027-01-31").says(422, "These days are in the past.")
	if !p.keeps("from", "2027-01-28") || !p.keeps("until", "2027-01-31") || w.export("acme") != before {
		t.Error("what was typed is lost, or the days are closed")
	}
}

func TestAway_AMadeUpAddressSaysNothingOfItsOwn(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	for _, query := range []string{
		"booked=1", "booked=0&first=2027-02-03&last=2027-02-03", "booked=-1&first=2027-02-03&last=2027-02-03",
		"booked=9999999999999999999&first=2027-02-03&last=2027-02-03",
		"booked=1&first=javascript:x&last=2027-02-03", "booked=1&first=2027-02-03&last=<b>",
		"booked=x&first=2027-02-03&last=2027-02-03",
	} {
		if p := ada.get(usual + "?saved=dates&" + strings.ReplaceAll(query, "<",
			"%3C")).says(200); strings.Contains(p.Text(), "You still have") {
			t.Errorf("%s: %s", query, p.Text())
		}
	}
}
