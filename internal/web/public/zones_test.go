package public

import (
	"net/url"
	"strings"
	"testing"
)

// label returns the time zone that a page shows.
func label(page *node) string { return page.First(".zone").First("strong").Words() }

func TestZone_ByNameOrByCity(t *testing.T) {
	w := newSQLiteWorld(t)
	for typed, want := range map[string]string{
		"Europe/Berlin": "Europe/Berlin, UTC+01:00", "europe/berlin": "Europe/Berlin, UTC+01:00",
		" Europe/Berlin ": "Europe/Berlin, UTC+01:00",
		"Berlin":          "Europe/Berlin, UTC+01:00", "kathmandu": "Asia/Kathmandu, UTC+05:45",
		"São Paulo": "America/Sao_Paulo, UTC-03:00", "sao paulo": "America/Sao_Paulo, UTC-03:00",
		"San Francisco (America/Los_Angeles)": "America/Los_Angeles, UTC-08:00",
		"new york":                            "America/New_York, UTC-05:00", "UTC": "UTC+00:00", "utc": "UTC+00:00",
	} {
		page := w.get("/acme/intro?tz=" + url.QueryEscape(typed)).OK()
		if got := label(page); got != want {
			t.Errorf("%q: %s, want %s", typed, got, want)
		}
		if page.Has("#tz-note") || page.First("#tz").Attr("value") != "" {
			t.Errorf("%q: the page asks again", typed)
		}
		if name, _, named := strings.Cut(want, ","); named &&
			queryOf(t, page.First("a.day").Attr("href")).Get("tz") != name {
			t.Errorf("%q does not stay: %s", typed, page.First("a.day").Attr("href"))
		}
	}
}

func TestZone_ACityOfManyGivesTheChoice(t *testing.T) {
	w := newSQLiteWorld(t)
	for typed, want := range map[string][]string{
		"kathm":    {"Kathmandu (Asia/Kathmandu)"}, // a prefix only gives a suggestion
		"portland": {"Portland (America/Los_Angeles)", "Portland (America/New_York)"},
		"San Jose": {"San Jose (America/Los_Angeles)", "San José (America/Costa_Rica)"},
	} {
		page := w.get("/acme/intro?date=2027-02-03&name=Grace&tz=" + url.QueryEscape(typed)).OK()
		choices := page.First(".zone").Find("li")
		if len(choices) != len(want) || page.First("#tz").Attr("value") != typed || !page.Has(".times") {
			t.Fatalf("%q: %d choices, %q", typed, len(choices), page.First("#tz").Attr("value"))
		}
		if got := label(page); got != "America/New_York, UTC-05:00" {
			t.Errorf("%q: until then in %s", typed, got)
		}
		for i, choice := range choices {
			chosen := w.get(choice.First("a").Attr("href")).OK()
			if _, zone, _ := strings.Cut(strings.TrimSuffix(want[i], ")"), "("); choice.Words() != want[i] ||
				!strings.HasPrefix(label(chosen), zone+",") {
				t.Errorf("%q: %q leads to %s", typed, choice.Words(), label(chosen))
			}
			if chosen.First("#day").Words() != "Wednesday 3 February" ||
				queryOf(t, chosen.First("a.day").Attr("href")).Get("name") != "Grace" {
				t.Errorf("%q: %s forgets the rest", typed, choice.Words())
			}
		}
	}
}

func TestZone_WhatIsUnknownIsSaid(t *testing.T) {
	w := newSQLiteWorld(t)
	for _, typed := range []string{"xyzzy", "Mars/Olympus", "Local", "../UTC", "<b>Berlin</b>", `"`, "🦉"} {
		page := w.get("/acme/intro?tz=" + url.QueryEscape(typed)).OK()
		note := page.First("#tz-note").Words()
		if !strings.HasPrefix(note, "We don't know the place “"+typed+"”.") ||
			page.First("#tz").Attr("value") != typed {
			t.Errorf("%q: %q", typed, note)
		}
		if label(page) != "America/New_York, UTC-05:00" || !page.Has(".times") {
			t.Errorf("%q: %s", typed, label(page))
		}
	}
}

func TestZone_TheAddressBeatsTheCookieBeatsTheWorkspace(t *testing.T) {
	w := newSQLiteWorld(t)
	for _, c := range []struct{ tz, cookie, want, stays string }{
		{"", "", "America/New_York, UTC-05:00", ""},
		{"", "Asia/Tokyo", "Asia/Tokyo, UTC+09:00", ""},
		{"Europe/Berlin", "Asia/Tokyo", "Europe/Berlin, UTC+01:00", "Europe/Berlin"},
		{"Asia/Tokyo", "Asia/Tokyo", "Asia/Tokyo, UTC+09:00", ""}, // the URL need not name the browser's own zone
		{"xyzzy", "Asia/Tokyo", "Asia/Tokyo, UTC+09:00", ""},
	} {
		page := w.get("/acme/intro?tz="+url.QueryEscape(c.tz), "Cookie", "a=b; slotd_zone="+c.cookie).OK()
		if got := label(page); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
		if got := queryOf(t, page.First("a.day").Attr("href")).Get("tz"); got != c.stays {
			t.Errorf("%+v: %q stays in the address", c, got)
		}
	}
}

func TestZone_ACookieThatNamesNoneIsLeftAside(t *testing.T) {
	w := newSQLiteWorld(t)
	for _, cookie := range []string{
		"", "Local", "localtime", "../../etc/passwd", "/etc/localtime", "right/UTC", "europe/berlin", "Berlin",
		"Europe", "Europe/", "<script>", "%00",
		"Europe/Berlin; x", `"Europe/Berlin`, "Europe\\Berlin", "EST5EDT,M3.2.0,M11.1.0", strings.Repeat("A", 4000),
		"Portland",
	} {
		page := w.get("/acme/intro", "Cookie", "slotd_zone="+cookie).OK()
		if got := label(page); got != "America/New_York, UTC-05:00" && cookie != "Europe/Berlin; x" ||
			page.Has("#tz-note") {
			t.Errorf("%.40q: %s", cookie, got)
		}
	}
}

// Clocks change on 14 March: the page shows the offset of the shown day.
func TestZone_ItsOffsetIsTheShownDays(t *testing.T) {
	w := newSQLiteWorld(t)
	for query, want := range map[string]string{"": "-05:00", "date=2027-03-12": "-05:00", "date=2027-03-15": "-04:00",
		"month=2027-04": "-04:00"} {
		if got := label(w.get("/acme/intro?" + query).OK()); got != "America/New_York, UTC"+want {
			t.Errorf("%s: %s", query, got)
		}
	}
	for slot, want := range map[string]string{at("03-12 15:00"): "-05:00", at("03-15 15:00"): "-04:00"} {
		if got := w.get("/acme/intro?slot=" + slot).OK().First(".picked").First("p").Words(); !strings.HasPrefix(got,
			"America/New_York, UTC"+want) {
			t.Errorf("%s: %s", slot, got)
		}
	}
}
