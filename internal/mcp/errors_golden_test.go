package mcp

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"slotd/internal/web/webtest"
)

// What agents read when a call fails stays the same, byte for byte.
func TestErrors_AreAsRecorded(t *testing.T) {
	w := lite(t)
	var lines []string
	record := func(about string, a webtest.ToolAnswer) {
		lines = append(lines, about+"\n  "+regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`).ReplaceAllString(a.Text, "UUID"))
	}
	const taken = "02-02 10:00"
	id, late := w.book("intro", at(taken)), w.book("intro", at("02-02 14:00"))
	record("unknown argument", w.call("list_public_event_types", `{"workspace":"acme","color":"red"}`))
	record("missing argument", w.call("get_availability", `{"workspace":"acme"}`))
	record("wrong number", w.call("get_availability", `{"workspace":"acme","event_type":"intro","days":99}`))
	record("unknown workspace", w.call("list_public_event_types", `{"workspace":"nobody"}`))
	record("unknown event type", w.availability("nothing", ""))
	record("unknown booking", w.cancel(nowhere))
	record("no token", w.cancel(id, "Authorization", "none"))
	record("not a start time", w.create("intro", at("02-02 10:07")))
	record("too soon", w.create("intro", at("01-26 10:00")))
	record("too far", w.create("intro", at("06-01 10:00")))
	record("taken", w.call("create_booking", webtest.BookingArguments("intro", at(taken), "bob@example.com")))
	record("taken by the same attendee", w.create("intro", at(taken)))
	record("has a price", w.create("paid", at(taken)))
	w.create("intro", at("02-02 12:00"), keyHeader, "k").OK()
	record("the key was used", w.create("intro", at("02-02 13:00"), keyHeader, "k"))
	record("moved onto a booking", w.move(late, at(taken)))
	w.cancel(id).OK()
	record("moved, but canceled", w.move(id, at("02-02 11:00")))
	w.Clock.Advance(40 * 24 * time.Hour)
	record("moved, but over", w.move(late, at("03-30 11:00")))
	record("canceled, but over", w.cancel(late))
	w.Apply(strings.Replace(acme, "slug: intro, title: Intro call,", "slug: intro, title: Intro call, max_per_day: 1,", 1))
	w.passSecond()
	w.book("intro", at("03-30 11:00"))
	record("the day is full", w.create("intro", at("03-30 12:00")))
	w.Apply(strings.Replace(acme, "slug: intro, title: Intro call,",
		"slug: intro, title: Intro call, minimum_notice_minutes: 525600, booking_window_days: 1,", 1))
	w.passSecond()
	record("nothing is open", w.create("intro", at("03-31 11:00")))
	w.Apply(acme + "calendars: [{name: club, type: ics, url: \"https://club.example/club.ics\"}]\n")
	w.passSecond()
	record("a calendar was never read", w.availability("intro", ""))
	record("taken, and a calendar was never read", w.create("intro", at("03-30 11:07")))

	got, path := strings.Join(lines, "\n")+"\n", filepath.Join("testdata", "errors.txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
