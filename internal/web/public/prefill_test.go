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
		page := w.get("/acme/ask?month=2027-03&" + brought.Encode()).ok()
		for _, link := range append(page.first(".calendar").find("a"), page.first(".times").find("a")...) {
			wantStay(link.attr("aria-label"), queryOf(t, link.attr("href")))
		}
		zone := page.first(".zone").fields()
		zone.Set("tz", "Asia/Tokyo")
		wantStay("the zone's form", zone)
		if zone.Get("month") != "2027-03" {
			t.Errorf("another zone shows another month: %v", zone)
		}
		form := w.get(page.first(".times").first("a").attr("href")).ok()
		wantStay("the form", form.first("#book").fields())
		back := form.first(".picked").first("a").attr("href")
		wantStay("the way back", queryOf(t, back))
		if got := shownOn(w.get(back).ok()); got.day != "Monday 1 March" {
			t.Errorf("back leads to %v", got)
		}
	}
}

func TestPrefill_DateAndSlotOpenWhatTheyName(t *testing.T) {
	w := newSQLiteWorld(t)
	if got := shownOn(w.get("/acme/intro?name=Grace&date=2027-02-10").ok()); got.day != "Wednesday 10 February" {
		t.Error(got)
	}
	form := w.get("/acme/intro?name=Grace&email=g@example.com&date=2027-02-10&slot=" +
		at("02-11 10:00")).ok().first("#book")
	if f := form.fields(); f.Get("slot") != at("02-11 10:00") || f.Get("name") != "Grace" ||
		f.Get("email") != "g@example.com" {
		t.Error(f)
	}
	gone := w.get("/acme/intro?name=Grace&slot=" + at("02-13 10:00")).ok() // a Saturday
	for _, link := range append(gone.first(".alert").find("a"), gone.find("a.day")...) {
		if queryOf(t, link.attr("href")).Get("name") != "Grace" {
			t.Errorf("%s forgets who asks", link.attr("href"))
		}
	}
}

func TestForm_WhatWasTypedSurvivesARefusal(t *testing.T) {
	w := newSQLiteWorld(t)
	for about, text := range awkward {
		typed := []string{"name", text, "email", "no address " + text, "phone", text, "notes",
			"\t" + text + "\n\n  three\nlines\t<end>"}
		page := w.send("/acme/ask", at("02-02 09:30"), typed...).is(http.StatusUnprocessableEntity).page()
		kept := page.first("#book").fields()
		for i := 0; i < len(typed); i += 2 {
			if got := kept.Get(typed[i]); got != strings.TrimSpace(typed[i+1]) {
				t.Errorf("%s: %s became %q, was %q", about, typed[i], got, typed[i+1])
			}
		}
		if kept.Get("slot") != at("02-02 09:30") || kept.Get("form") == "" || kept.Get("tz") != "America/New_York" {
			t.Errorf("%s: %v", about, kept)
		}
		if page.first("#email").attr("aria-invalid") != "true" || page.first("#name").attr("aria-invalid") != "" ||
			page.first("#problems").first("a").attr("href") != "#email" {
			t.Errorf("%s: %s", about, page.first("#problems").words())
		}
	}
}

// Browsers send two characters for each new line.
func TestForm_NewLinesStayOne(t *testing.T) {
	w := newSQLiteWorld(t)
	page := w.send("/acme/intro", at("02-02 09:30"), "email", "x", "notes",
		"one\r\ntwo\r\n\r\nfour").is(http.StatusUnprocessableEntity).page()
	if got := page.first("#notes").content(); got != "one\ntwo\n\nfour" {
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
		page := w.post(action, fields).is(http.StatusConflict).page()
		again := page.first("#book").fields()
		for _, name := range []string{"name", "email", "phone", "notes", "tz", "form"} {
			if again.Get(name) != fields.Get(name) {
				t.Errorf("%s became %q, was %q", name, again.Get(name), fields.Get(name))
			}
		}
		again.Set("slot", radios(page)[0])
		w.post(action, again).is(http.StatusSeeOther)
	})
}

// Every link of a page repeats the prefilled values.
func TestPrefill_LongValuesDoNotSwellThePage(t *testing.T) {
	w := newSQLiteWorld(t)
	plain := len(w.get("/acme/intro").body)
	for _, field := range []string{"name", "email", "phone", "notes"} {
		long := w.get("/acme/intro?" + field + "=" + strings.Repeat("%F0%9F%98%80", 5000)).ok()
		if links := len(long.find("a")); links < 10 {
			t.Errorf("%s: only %d links", field, links)
		}
		if grown := len(w.get("/acme/intro?"+field+"="+strings.Repeat("%F0%9F%98%80",
			5000)).body) - plain; grown > 4096 {
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
	for _, link := range w.post(action, fields).is(http.StatusConflict).page().find("a") {
		if href := link.attr("href"); strings.Contains(href, "email") || strings.Contains(href, "Grace") {
			t.Errorf("%s", href)
		}
	}
}
