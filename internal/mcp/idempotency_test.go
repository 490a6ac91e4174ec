package mcp

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/web/webtest"
)

const keyHeader = "Idempotency-Key"

func TestIdempotencyKey_ReturnsTheFirstSuccessAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.create("fresh", at("02-02 10:00"), keyHeader, "k 1").OK()
		before := w.Counts()
		same := func(when string, header ...string) {
			t.Helper()
			if again := w.create("fresh", at("02-02 10:00"),
				append(header, keyHeader, "k 1")...).OK(); !reflect.DeepEqual(again, first) {
				t.Errorf("%s: %v, want %v", when, again, first)
			}
		}
		same("at once")
		offset := webtest.BookingArguments("fresh", "2027-02-02T11:00+01", "grace@example.com")
		if again := w.call("create_booking", offset, keyHeader, "k 1").OK(); !reflect.DeepEqual(again, first) {
			t.Errorf("the same instant by another offset: %v", again)
		}
		if after := w.Counts(); after != before {
			t.Errorf("a repeat wrote: %v, %v", before, after)
		}
		id := first["booking_id"].(string)
		w.move(id, at("02-02 15:00")).OK()
		same("after a move")
		w.cancel(id).OK()
		same("after a cancel")
		bobs := webtest.BookingArguments("fresh", at("02-02 10:00"), "bob@example.com")
		taken := w.call("create_booking", bobs, keyHeader, "k 2").OK()
		if taken["booking_id"] == id {
			t.Error("Bob got Grace's booking")
		}
		same("after the slot passed into other hands")
		w.Apply(strings.ReplaceAll(hidden("fresh"), "Ada Park", "Eve Park"))
		same("after the event type was hidden")
		w.create("fresh", at("02-02 10:00")).Fails(slotd.EventTypeNotFound)
	})
}

func TestIdempotencyKey_WithOtherArgumentsIsRefused(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.create("intro", at("02-02 10:00"), keyHeader, "k").OK()
		before := w.Counts()
		right := webtest.BookingArguments("intro", at("02-02 10:00"), "grace@example.com")
		for _, change := range [][2]string{
			{`"intro"`, `"fresh"`}, {"10:00:00", "11:00:00"}, {"Grace", "Grade"}, {"grace@", "grade@"},
			{"Berlin", "Paris"}, {`"Europe/Berlin"`, `"Europe/Berlin","notes":"x"`},
		} {
			changed := strings.Replace(right, change[0], change[1], 1)
			if changed == right {
				t.Fatal(change)
			}
			w.call("create_booking", changed, keyHeader, "k").Fails(slotd.InvalidArgument)
		}
		if after := w.Counts(); after != before {
			t.Errorf("%v, %v", before, after)
		}
		// Keys are case-sensitive.
		w.create("intro", at("02-02 10:00"), keyHeader, "K").Fails(slotd.SlotUnavailable, "alternatives", "booking_id")
	})
}

func TestIdempotencyKey_BelongsToItsToken(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.create("intro", at("02-02 10:00"), keyHeader, "k").OK()
		second := "Bearer " + w.services.Token("acme")
		w.create("intro", at("02-02 10:00"), keyHeader, "k", "Authorization", second).Fails(slotd.SlotUnavailable,
			"alternatives", "booking_id")
		if got := w.create("intro", at("02-02 11:00"), keyHeader, "k", "Authorization",
			second).OK(); got["booking_id"] == first["booking_id"] {
			t.Error("one token got the other's booking")
		}
		w.create("intro", at("02-02 10:00"), keyHeader, "k", "Authorization", "Bearer "+w.services.Token("other")).OK()
	})
}

func TestIdempotencyKey_HoldsFor24Hours(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.create("intro", at("02-05 10:00"), keyHeader, "k").OK()
		w.Clock.Set(monday.Add(24*time.Hour - time.Millisecond))
		if again := w.create("intro", at("02-05 10:00"), keyHeader, "k").OK(); !reflect.DeepEqual(again, first) {
			t.Errorf("%v", again)
		}
		w.Clock.Set(monday.Add(24*time.Hour + time.Millisecond))
		w.create("intro", at("02-05 10:00"), keyHeader, "k").Fails(slotd.SlotUnavailable, "alternatives", "booking_id")
		fresh := w.create("intro", at("02-05 11:00"), keyHeader, "k").OK() // the key is free again
		if again := w.create("intro", at("02-05 11:00"), keyHeader, "k").OK(); !reflect.DeepEqual(again, fresh) ||
			fresh["booking_id"] == first["booking_id"] {
			t.Errorf("%v, %v", again, fresh)
		}
	})
}

func TestIdempotencyKey_RemembersSuccessesOnly(t *testing.T) {
	w := lite(t)
	id := w.book("intro", at("02-02 10:00"))
	w.create("intro", at("02-02 10:00"), keyHeader, "k").Fails(slotd.SlotUnavailable, "alternatives", "booking_id")
	w.cancel(id).OK()
	w.create("intro", at("02-02 10:00"), keyHeader, "k").OK()
}

func TestIdempotencyKey_Shape(t *testing.T) {
	w := lite(t)
	before := w.Counts()
	for _, wrong := range []string{"", strings.Repeat("k", 256), "a\tb", "é", "\x80", "a\xffb", "\u202e"} {
		w.create("intro", at("02-02 10:00"), keyHeader, wrong).Fails(slotd.InvalidArgument)
	}
	w.create("intro", at("02-02 10:00"), keyHeader, "a", keyHeader, "b").Fails(slotd.InvalidArgument)
	if after := w.Counts(); after != before {
		t.Errorf("%v, %v", before, after)
	}
	for i, right := range []string{"k", strings.Repeat("k", 255), "~!@#$ %^&*()", "'; DROP TABLE bookings; --"} {
		start := fmt.Sprintf("2027-02-02T%d:00Z", 10+i)
		first := w.create("intro", start, keyHeader, right).OK()
		if again := w.create("intro", start, keyHeader, right).OK(); !reflect.DeepEqual(first, again) {
			t.Errorf("%q: %v, %v", right, first, again)
		}
	}
	// Other tools ignore the key.
	w.cancel(w.book("intro", at("02-03 10:00")), keyHeader, strings.Repeat("k", 300)).OK()
}

// TestRace_AnIdempotencyKeySentManyTimes sends the same request again while the first one is still running. A client
// does that when it stops waiting, perhaps to another server.
func TestRace_AnIdempotencyKeySentManyTimes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.post(webtest.ToolCall("list_public_event_types", `{"workspace":"acme"}`))
		for round := range 25 {
			start := slotd.Instant(monday.AddDate(0, 0,
				1+round/16).Add(time.Hour + time.Duration(round%16)*30*time.Minute))
			body := webtest.ToolCall("create_booking", webtest.BookingArguments("intro", start, "grace@example.com"))
			answers := make([]string, 8)
			var all sync.WaitGroup
			for i := range answers {
				all.Go(func() {
					answers[i] = w.direct(t, body, "Authorization", "Bearer "+w.token, keyHeader,
						fmt.Sprint("round ", round)).Body
				})
			}
			all.Wait()
			for _, a := range answers {
				if a != answers[0] || strings.Contains(a, `"isError":true`) {
					t.Fatalf("round %d: the same request got %s\nand %s", round, answers[0], a)
				}
			}
		}
	})
}

// TestIdempotencyKey_FirstSuccessComesBetween commits the first request after the second has looked for its key, and
// before it looks at the slot.
func TestIdempotencyKey_FirstSuccessComesBetween(t *testing.T) {
	w := lite(t)
	arm, first := false, object(nil)
	cache, err := snapshot.NewCache(background, w.DB, func() time.Time {
		if arm { // the cache reads the clock when it loads the workspace
			arm = false
			first = w.create("intro", at("02-02 10:00"), keyHeader, "k").OK()
		}
		return w.Clock.Now()
	})
	w.Must(err)
	defer cache.Close()
	second := *w
	second.Handler = w.handler(webtest.NewServices(w.World, w.DB, cache))
	arm = true
	body := webtest.ToolCall("create_booking",
		webtest.BookingArguments("intro", at("02-02 10:00"), "grace@example.com"))
	again := second.direct(t, body, "Authorization", "Bearer "+w.token, keyHeader, "k").Tool("the second request").OK()
	if first == nil || !reflect.DeepEqual(again, first) {
		t.Errorf("%v, want %v", again, first)
	}
}
