package public

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// awkward has texts that break URLs and forms without proper escaping.
var awkward = map[string]string{
	"quotes":  `O'Neil "Bo" \ back`,
	"markup":  `<b>&amp;</b> &lt; <!-- </textarea></script>`,
	"address": "a&b=c?d#e%20+f/g;h",
	"rtl":     "עדה \u202eכהן\u200f أهلا",
	"emoji":   "Zoë 👩‍👩‍👧 🦉",
	"braces":  "{{.}} ${x} %s",
}

// Every link of the page keeps the prefilled values, up to the form.
func TestPrefill_StaysThroughAllLinks(t *testing.T) {
	w := newSQLiteWorld(t)
	for about, text := range awkward {
		brought := url.Values{"name": {text}, "email": {"g+1@example.com"}, "phone": {"+1 555"},
			"notes": {text + "\nsecond line"}, "tz": {"Asia/Tokyo"}}
		wantStay := func(where string, got url.Values) {
			t.Helper()
			for name := range brought {
				if got.Get(name) != brought.Get(name) {
					t.Errorf("%s: in %s %s became %q", about, where, name, got.Get(name))
				}
			}
		}
		page := w.get("/acme/ask?month=2027-03&" + brought.Encode()).OK()
		for _, link := range append(page.First(".calendar").Find("a"), page.First(".times").Find("a")...) {
			wantStay(link.Attr("aria-label"), queryOf(t, link.Attr("href")))
		}
		zone := page.First(".zone").Fields()
		zone.Set("tz", "Asia/Tokyo")
		wantStay("the zone's form", zone)
		if zone.Get("month") != "2027-03" {
			t.Errorf("another zone shows another month: %v", zone)
		}
		form := w.get(page.First(".times").First("a").Attr("href")).OK()
		wantStay("the form", form.First("#book").Fields())
		back := form.First(".picked").First("a").Attr("href")
		wantStay("the way back", queryOf(t, back))
		if got := shownOn(w.get(back).OK()); got.day != "Monday 1 March" {
			t.Errorf("back leads to %v", got)
		}
	}
}

func TestPrefill_DateAndSlotOpenWhatTheyName(t *testing.T) {
	w := newSQLiteWorld(t)
	if got := shownOn(w.get("/acme/intro?name=Grace&date=2027-02-10").OK()); got.day != "Wednesday 10 February" {
		t.Error(got)
	}
	form := w.get("/acme/intro?name=Grace&email=g@example.com&date=2027-02-10&slot=" +
		at("02-11 10:00")).OK().First("#book")
	if f := form.Fields(); f.Get("slot") != at("02-11 10:00") || f.Get("name") != "Grace" ||
		f.Get("email") != "g@example.com" {
		t.Error(f)
	}
	gone := w.get("/acme/intro?name=Grace&slot=" + at("02-13 10:00")).OK() // a Saturday
	for _, link := range append(gone.First(".alert").Find("a"), gone.Find("a.day")...) {
		if queryOf(t, link.Attr("href")).Get("name") != "Grace" {
			t.Errorf("%s forgets who asks", link.Attr("href"))
		}
	}
}

func TestForm_WhatWasTypedSurvivesARefusal(t *testing.T) {
	w := newSQLiteWorld(t)
	for about, text := range awkward {
		typed := []string{"name", text, "email", "no address " + text, "phone", text, "notes",
			"\t" + text + "\n\n  three\nlines\t<end>"}
		page := w.send("/acme/ask", at("02-02 09:30"), typed...).Is(http.StatusUnprocessableEntity).Page()
		kept := page.First("#book").Fields()
		for i := 0; i < len(typed); i += 2 {
			if got := kept.Get(typed[i]); got != strings.TrimSpace(typed[i+1]) {
				t.Errorf("%s: %s became %q, was %q", about, typed[i], got, typed[i+1])
			}
		}
		if kept.Get("slot") != at("02-02 09:30") || kept.Get("form") == "" || kept.Get("tz") != "America/New_York" {
			t.Errorf("%s: %v", about, kept)
		}
		if page.First("#email").Attr("aria-invalid") != "true" || page.First("#name").Attr("aria-invalid") != "" ||
			page.First("#problems").First("a").Attr("href") != "#email" {
			t.Errorf("%s: %s", about, page.First("#problems").Words())
		}
	}
}

// Browsers send two characters for each new line.
func TestForm_NewLinesStayOne(t *testing.T) {
	w := newSQLiteWorld(t)
	page := w.send("/acme/intro", at("02-02 09:30"), "email", "x", "notes",
		"one\r\ntwo\r\n\r\nfour").Is(http.StatusUnprocessableEntity).Page()
	if got := page.First("#notes").Content(); got != "one\ntwo\n\nfour" {
		t.Errorf("%q", got)
	}
}

// A guest who has to choose another time keeps what they typed.
func TestForm_WhatWasTypedSurvivesALostRace(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		action, fields := w.form("/acme/ask", at("02-02 09:30"))
		w.create("intro", at("02-02 09:30"))
		fields.Set("name", awkward["markup"])
		fields.Set("email", "g@example.com")
		fields.Set("phone", awkward["rtl"])
		fields.Set("notes", awkward["emoji"]+"\n"+awkward["quotes"])
		page := w.post(action, fields).Is(http.StatusConflict).Page()
		again := page.First("#book").Fields()
		for _, name := range []string{"name", "email", "phone", "notes", "tz", "form"} {
			if again.Get(name) != fields.Get(name) {
				t.Errorf("%s became %q, was %q", name, again.Get(name), fields.Get(name))
			}
		}
		again.Set("slot", radios(page)[0])
		w.post(action, again).Is(http.StatusSeeOther)
	})
}

// Every link of a page repeats the prefilled values.
func TestPrefill_LongValuesDoNotSwellThePage(t *testing.T) {
	w := newSQLiteWorld(t)
	plain := len(w.get("/acme/intro").Body)
	for _, field := range []string{"name", "email", "phone", "notes"} {
		long := w.get("/acme/intro?" + field + "=" + strings.Repeat("%F0%9F%98%80", 5000)).OK()
		if links := len(long.Find("a")); links < 10 {
			t.Errorf("%s: only %d links", field, links)
		}
		if grown := len(w.get("/acme/intro?"+field+"="+strings.Repeat("%F0%9F%98%80",
			5000)).Body) - plain; grown > 4096 {
			t.Errorf("%s: the page grew by %d bytes", field, grown)
		}
	}
}

// What a person typed must not get into URLs, which histories and logs keep.
func TestLostRace_LinksHoldNothingThatWasTyped(t *testing.T) {
	w := newSQLiteWorld(t)
	w.create("intro", at("02-02 10:00"))
	action, fields := w.filled("/acme/intro", at("02-02 11:00"))
	fields.Set("slot", at("02-02 10:00"))
	for _, link := range w.post(action, fields).Is(http.StatusConflict).Page().Find("a") {
		if href := link.Attr("href"); strings.Contains(href, "email") || strings.Contains(href, "Grace") {
			t.Errorf("%s", href)
		}
	}
}
