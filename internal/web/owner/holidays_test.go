package owner

import (
	"net/url"
	"strings"
	"testing"
)

const holidaysOf = usual + "/holidays"

func TestHolidays_TickedOnesAreClosed(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	ada.get(holidaysOf).says(200, "Country", "Germany: Bayern", "2029")
	ada.submit(usual+"?date=2027-12-25", "kind", "hours", "hours", "10-12")
	at := holidaysOf + "?country=de&year=2027"
	p := ada.get(at).says(200, "Germany, 2027", "Karfreitag Friday 26 March 2027", "already 10:00-12:00")
	// Of the nine holidays, New Year's Day is over, and Christmas already has hours.
	if ticked := strings.Count(p.Body, "checked"); ticked != 7 {
		t.Errorf("%d are ticked: %s", ticked, p.Text())
	}
	form := p.formWith("day")
	form.Values["day"] = []string{"2027-03-26", "2027-12-25"}
	sent := ada.postForm(holidaysOf, form.Values)
	sent.leads(usual + "?month=2027-03&saved=away&closed=2&replaced=1#dates")
	w.holds("acme", `"2027-03-26": []`, `"2027-12-25": []`)
	if strings.Contains(w.export("acme"), "2027-03-29") {
		t.Error("one that was not ticked is closed")
	}
	ada.get(at).says(200, "already closed")
}

func TestHolidays_NonsenseIsNoCountryAndNoDay(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	before := w.export("acme")
	for _, query := range []string{"?country=xx&year=2027", "?country=<script>alert(1)</script>", "?country=de&year=1",
		"?country=de&year=2027x", "?country=%00", "?year=999999999999"} {
		if p := ada.get(holidaysOf + query); p.Status != 200 || strings.Contains(p.Body, "<script>alert") {
			t.Errorf("%s: %d", query, p.Status)
		}
	}
	form := ada.get(holidaysOf + "?country=de&year=2027").formWith("day").Values
	for _, days := range [][]string{nil, {"2027-03-27"}, {"2027-01-01"}, {"x", ""}, {"<b>"}, {"2028-01-01"}} {
		form["day"] = days
		ada.postForm(holidaysOf, form).says(422, "Select at least one")
	}
	form["day"], form["country"] = []string{"2027-03-26"}, []string{"xx"}
	ada.postForm(holidaysOf, form).says(422, "Select at least one")
	if w.export("acme") != before {
		t.Error("something was changed")
	}
}

func TestHolidays_TicksAreKeptWhenSomebodyElseWasThere(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	form := ada.get(holidaysOf + "?country=de&year=2027").formWith("day").Values
	form["day"] = []string{"2027-03-26"}
	ada.submit(usual+"?date=2027-03-26", "kind", "hours", "hours", "10-12")
	p := ada.postForm(holidaysOf, form).says(409, "Friday 26 March 2027: 10:00-12:00")
	again := p.formWith("day").Values
	if got := again["day"]; len(got) != 1 || got[0] != "2027-03-26" {
		t.Errorf("ticked now: %v", got)
	}
	ada.postForm(holidaysOf, again).leads(usual + "?month=2027-03&saved=away&closed=1&replaced=1#dates")
	w.holds("acme", `"2027-03-26": []`)
}

func TestHolidays_TooManyIsSaidAndTicksAreKept(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	for _, year := range []string{"2030", "2031"} {
		ada.submit(usual, "from", year+"-01-01", "until", year+"-12-31")
	}
	ada.submit(usual, "from", "2032-01-01", "until", "2032-09-26")
	form := url.Values{}
	for name, values := range ada.get(holidaysOf + "?country=de&year=2027").formWith("day").Values {
		form[name] = values
	}
	p := ada.postForm(holidaysOf, form).says(422, "at most 1000 dates; it holds 1008")
	if got := p.formWith("day").Values["day"]; len(got) != len(form["day"]) {
		t.Errorf("ticked now: %v", got)
	}
}
