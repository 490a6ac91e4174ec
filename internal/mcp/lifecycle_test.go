package mcp

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"slotd"
)

// without returns acme's file without one event type.
func without(slug string) string {
	var lines []string
	for line := range strings.Lines(acme) {
		if !strings.Contains(line, "slug: "+slug+",") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// hidden returns acme's file with one event type hidden.
func hidden(slug string) string {
	return strings.Replace(acme, "slug: "+slug+",", "slug: "+slug+", hidden: true,", 1)
}

func TestHiddenAndRetired_AreNotOfferedButTheirBookingsLive(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for i, file := range []string{hidden("walk"), without("walk")} {
			w.Apply(acme)
			day := []string{"02-02", "02-03"}[i]
			first, second := w.book("walk", at(day+" 10:00")), w.book("walk", at(day+" 11:00"))
			w.Apply(file)
			w.passSecond()
			for _, e := range w.call("list_public_event_types", `{"workspace":"acme"}`).OK()["event_types"].([]any) {
				if e.(object)["slug"] == "walk" {
					t.Error("walk is still listed")
				}
			}
			w.availability("walk", "").Fails(slotd.EventTypeNotFound)
			w.create("walk", at(day+" 14:00")).Fails(slotd.EventTypeNotFound)
			if got := w.move(first, at(day+" 15:00")).OK(); got["starts_at"] != at(day+" 15:00") {
				t.Errorf("%v", got)
			}
			e := w.move(first, at(day+" 11:00")).Fails(slotd.SlotUnavailable, "alternatives")
			if len(e["alternatives"].([]any)) != 3 {
				t.Errorf("%v", e)
			}
			w.cancel(second).OK()
			w.cancel(first).OK()
		}
		w.Apply(acme) // the same slug revives it
		w.book("walk", at("02-04 10:00"))
	})
}

// passSecond lets a second pass, after which listings show all changes: on PostgreSQL they may lag by as much.
func (w *world) passSecond() { w.Clock.Advance(time.Second) }

func TestBooking_KeepsWhatItWasBookedWith(t *testing.T) {
	w := lite(t)
	before := w.create("intro", at("02-02 10:00")).OK()
	id := before["booking_id"].(string)
	w.Apply(strings.Replace(strings.Replace(acme, "title: Intro call", "title: New title", 1),
		"https://meet.example/ada", "https://meet.example/new", 1))
	moved := w.move(id, at("02-02 11:00")).OK()
	if moved["join_url"] != before["join_url"] || moved["location"] != before["location"] {
		t.Errorf("%v", moved)
	}
	if got := w.cancel(id).OK(); got["event_title"] != "Intro call" {
		t.Errorf("%v", got)
	}
}

func TestBookingOfATypeThatNowCosts_CanBeMoved(t *testing.T) {
	w := lite(t)
	id := w.book("intro", at("02-02 10:00"))
	w.Apply(strings.Replace(acme, "slug: intro,", "slug: intro, price: {amount_cents: 100, currency: eur},", 1))
	w.move(id, at("02-02 11:00")).OK()
	if got := w.cancel(id).OK(); got["refunded_cents"] != 0.0 {
		t.Errorf("%v", got)
	}
}

func TestCanceledAndPast(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		canceled, past := w.book("intro", at("02-01 10:00")), w.book("intro", at("02-01 11:00"))
		answer := w.cancel(canceled).OK()
		w.move(canceled, at("02-02 10:00")).Fails(slotd.BookingCanceled)
		w.Clock.Set(time.Date(2027, 2, 1, 11, 29, 59, 999e6, time.UTC))
		w.move(past, at("02-01 12:00")).OK() // it has started but not ended
		w.Clock.Set(time.Date(2027, 2, 1, 12, 30, 0, 0, time.UTC))
		w.move(past, at("02-02 10:00")).Fails(slotd.BookingPast)
		w.move(past, at("02-01 12:00")).Fails(slotd.BookingPast)
		w.cancel(past).Fails(slotd.BookingPast)
		w.move(canceled, at("02-02 10:00")).Fails(slotd.BookingCanceled) // canceled takes precedence over past
		if again := w.cancel(canceled).OK(); !reflect.DeepEqual(again, answer) {
			t.Errorf("%v, %v", answer, again)
		}
	})
}

func TestRepeats_AnswerTheSameAndWriteNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.book("office", at("02-02 10:00"))
		moved := w.move(id, at("02-02 14:00")).OK()
		before := w.Counts()
		for _, start := range []string{at("02-02 14:00"), "2027-02-02T14:00Z", "2027-02-02T15:30:00+01:30",
			"2027-02-02T09:00:00.0-0500", "2027-02-03T00:00+10"} {
			if again := w.move(id, start).OK(); !reflect.DeepEqual(again, moved) {
				t.Errorf("%s: %v, want %v", start, again, moved)
			}
		}
		w.Apply(without("office")) // repeats work even if the slot can no longer be booked
		if again := w.move(id, at("02-02 14:00")).OK(); !reflect.DeepEqual(again, moved) {
			t.Errorf("%v, want %v", again, moved)
		}
		if after := w.Counts(); after != before {
			t.Errorf("a repeated move wrote: %v, %v", before, after)
		}
		canceled := w.cancel(id).OK()
		before = w.Counts()
		for range 3 {
			if again := w.cancel(id).OK(); !reflect.DeepEqual(again, canceled) {
				t.Errorf("%v, want %v", again, canceled)
			}
		}
		if after := w.Counts(); after != before {
			t.Errorf("a repeated cancel wrote: %v, %v", before, after)
		}
	})
}
