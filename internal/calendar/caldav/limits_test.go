package caldav

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
)

// allocated returns how much work takes from the heap, released or not. Less is live at any one time.
func allocated(work func()) (mebibytes uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) >> 20
}

// flood is a response that repeats something. It is never in memory as a whole, otherwise its own memory would count.
func flood(before, again string, n int, after string) answer {
	many := strings.Repeat(again, 1000)
	return answer{do: func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(207)
		io.WriteString(w, `<multistatus xmlns="DAV:">`+before)
		for range n / 1000 {
			if _, err := io.WriteString(w, many); err != nil {
				return
			}
		}
		io.WriteString(w, after+`</multistatus>`)
	}}
}

func TestChanges_ABombTakesLittleMemory(t *testing.T) {
	for name, a := range map[string]answer{
		"propstats":  flood("<response>", "<propstat/>", 2_900_000, "</response>"),
		"attributes": flood("<response", ` a=""`, 6_000_000, "></response>"),
		"namespaces": flood("<response", ` xmlns:a=""`, 2_900_000, "></response>"),
		"a href":     flood("<response><href>", "x", 31_000_000, "</href></response>"),
		"many hrefs": flood("<response>", "<href>x</href>", 2_000_000, "</response>"),
		"a cut href": flood("<response><href>", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx<!---->", 800_000,
			"</href></response>"),
		"a text in parts": flood("<response><href>", strings.Repeat("x", 30_000)+"<!---->", 1000, "</href></response>"),
		"a name":          flood("<response><", "x", 31_000_000, "/></response>"),
		"an end":          flood("<response></", "x", 31_000_000, ">"),
		"a comment":       flood("<!--", "x", 31_000_000, "-->"),
		"a sync token":    flood("<sync-token>", "x", 31_000_000, "</sync-token>"),
		"long sections":   flood("<response><href><![CDATA[", "<", 31_000_000, "]]></href></response>"),
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t, office().with("PROPFIND 1", a))
			used := allocated(func() {
				_, err := f.read(t)
				wantError(t, err, calendar.Unusable, " sends ")
			})
			if used > 60 {
				t.Errorf("%d MiB", used)
			}
		})
	}
}

func TestChanges_AnElementHasFewAttributes(t *testing.T) {
	for n, words := range map[int]string{64: "can't show", 65: "no calendar needs"} {
		crowded := strings.Replace(status("/hidden/one.ics", 500), "<D:response",
			"<D:response"+strings.Repeat(` a=""`, n), 1)
		_, err := newFake(t, office().with("PROPFIND 1", multistatus(crowded))).read(t)
		var e *calendar.Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, words) {
			t.Errorf("%d: %v", n, err)
		}
	}
}

func TestChanges_NamesAndVersionsHaveTheirBounds(t *testing.T) {
	long := strings.Repeat("x", 1025)
	for name, s := range map[string]script{
		"href":      office().with("PROPFIND 1", multistatus(tagged("/hidden/"+long, `"1"`))),
		"wide href": office().with("PROPFIND 1", multistatus(tagged("/hidden/"+strings.Repeat("ä", 200), `"1"`))),
		"tag":       office().with("PROPFIND 1", multistatus(tagged("/hidden/one.ics", long))),
		"ctag": office().with("PROPFIND 0",
			multistatus(resource("/hidden/", isCalendar+"<CS:getctag>"+long+"</CS:getctag>"))),
		"token": synced().with("PROPFIND 0",
			multistatus(resource("/hidden/", isCalendar+"<D:sync-token>"+long+"</D:sync-token>"))),
		"next token": synced().with("REPORT sync-collection",
			multistatus(tagged("/hidden/one.ics", `"1"`), "<D:sync-token>"+long+"</D:sync-token>")),
		"home": office().with("PROPFIND 0",
			multistatus(resource("/hidden/",
				"<C:calendar-home-set><D:href>/"+long+long+"</D:href></C:calendar-home-set>"))),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newFake(t, s).read(t)
			wantError(t, err, calendar.Unusable, "1,024 characters")
		})
	}
}

func TestChanges_ACursorHasItsBounds(t *testing.T) {
	var all []string
	for i := range 100 {
		all = append(all, resource(fmt.Sprintf("/hidden/%s%d/", strings.Repeat("x", 700), i),
			isCalendar+"<CS:getctag>1</CS:getctag>"))
	}
	s := office().with("PROPFIND 0",
		multistatus(resource("/hidden/", `<C:calendar-home-set><D:href>/hidden/</D:href></C:calendar-home-set>`)))
	_, err := newFake(t, s.with("PROPFIND 1", multistatus(all...), multistatus())).read(t)
	wantError(t, err, calendar.Unusable, "too many calendars")
}

// An XML decoder does not check items that are fetched separately.
func TestChanges_WhatIsKeptIsTextAndShort(t *testing.T) {
	for _, uid := range []string{"caf\xe9", "a\x00b", strings.Repeat("x", 150<<10), strings.Repeat("x\r\n ", 150<<10)} {
		s := office().with("REPORT calendar-multiget").with("GET",
			answer{status: 200, body: event(uid, "20270110T100000Z")})
		got, err := newFake(t, s).read(t)
		if err != nil || len(got.Items) != 1 || !safehttp.IsStorable(got.Items[0].Text, 1000) {
			t.Errorf("%.10q: %.500q, %v", uid, got.Items, err)
		}
	}
}

func TestChanges_AnItemTooLargeForAListComesByItself(t *testing.T) {
	large := strings.Replace(event("one", "20270110T100000Z"), "SUMMARY:",
		"DESCRIPTION:"+strings.Repeat("x", 2<<20)+"\r\nSUMMARY:", 1)
	f := newFake(t, office().with("REPORT calendar-multiget",
		multistatus(withText("/hidden/one.ics", `"1"`, large))).with("GET", answer{status: 200, body: large}))
	f.follow(t).want(t, "one.ics 1000")
	if f.count("GET") != 1 {
		t.Error("it was not fetched alone")
	}
	f = newFake(t, office().with("REPORT calendar-multiget").with("GET",
		answer{status: 200, body: strings.Repeat("x", 31<<20)}))
	used := allocated(func() {
		_, err := f.read(t)
		wantError(t, err, calendar.Unusable, "10 MiB")
	})
	if used > 90 { // the fake takes a third of it
		t.Errorf("%d MiB", used)
	}
}

func TestChanges_EndAtTheAllowance(t *testing.T) {
	f := newFake(t, office())
	_, err := f.calendar().Changes(safehttp.WithBodyLimit(t.Context(), 500), "", nil)
	wantError(t, err, calendar.Unusable, "more than can be read of one calendar")
}

// The context ends while the first item of a batch is read.
func TestChanges_EndBetweenItems(t *testing.T) {
	zoned := strings.Replace(event("one", "20270110T100000"), "DTSTART:", "DTSTART;TZID=Europe/Berlin:", 1)
	f := newFake(t, office().with("PROPFIND 1",
		multistatus(tagged("/hidden/one.ics", `"1"`), tagged("/hidden/two.ics", `"1"`))).
		with("REPORT calendar-multiget",
			multistatus(withText("/hidden/one.ics", `"1"`, zoned), withText("/hidden/two.ics", `"1"`, zoned))))
	ctx, cancel := context.WithCancel(t.Context())
	items := 0
	impatient := reader
	impatient.Location = func(string) (*time.Location, error) {
		items++
		cancel()
		return time.UTC, nil
	}
	_, err := New(loopback, f.calendar().account, impatient).Changes(ctx, "", nil)
	wantError(t, err, calendar.Unreachable, "in time")
	if items != 1 {
		t.Errorf("%d items were read", items)
	}
}

func TestPut_AnOddTagIsLookedUp(t *testing.T) {
	for _, tag := range []string{"\"caf\xe9\"", strings.Repeat("x", 1025), "\"\u009b\""} {
		f := newFake(t, office().with("PUT", answer{status: 201, header: map[string]string{"ETag": tag}}).
			with("PROPFIND 0", multistatus(resource("/hidden/", isCalendar)),
				multistatus(tagged("/hidden/x.ics", `"7"`))))
		if ref := mustPut(t, f.calendar(), entry("20270110T100000Z"), calendar.EntryRef{}); ref.Tag != `"7"` {
			t.Errorf("%q: %+v", tag, ref)
		}
	}
}

func TestDiscover_ShowsNoControlCharacters(t *testing.T) {
	s := pointing("/home/")
	s["PROPFIND 1"] = []answer{multistatus(
		resource("/home/a/", isCalendar+"<D:displayname>\n Work\u009b2J\u202e\n"+strings.Repeat("ä", 500)+
			"</D:displayname>"),
		resource("/home/b%1b%C2%9B%00%FF/", isCalendar))}
	found, err := Discover(t.Context(), loopback, Account{newFake(t, s).URL, "alice", "s3cret"})
	if err != nil || len(found) != 2 {
		t.Fatalf("%+v, %v", found, err)
	}
	if found[0].Name != "Work2J"+strings.Repeat("ä", 194)+"…" || found[1].Name != "b\uFFFD" {
		t.Errorf("%+q", []string{found[0].Name, found[1].Name})
	}
}
