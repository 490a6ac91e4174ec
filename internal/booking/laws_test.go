package booking

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/availability/zone"
	"slotd/test/worlds"
)

// drawEventType draws values small enough that bookings often collide.
func drawEventType(r *rapid.T, slug string) slotd.EventType {
	return slotd.EventType{
		Slug: slug, Title: "T " + slug, Location: slotd.Location{Type: slotd.Video}, Schedule: "default",
		RemindersMinutesBefore: []int{60},
		DurationMinutes:        rapid.SampledFrom([]int{10, 25, 60, 240, 1440}).Draw(r, slug+" duration"),
		SlotIntervalMinutes:    rapid.SampledFrom([]int{0, 7, 20, 60}).Draw(r, slug+" interval"),
		BufferBeforeMinutes:    rapid.SampledFrom([]int{0, 0, 5, 90, 1440}).Draw(r, slug+" before"),
		BufferAfterMinutes:     rapid.SampledFrom([]int{0, 0, 5, 90, 1440}).Draw(r, slug+" after"),
		MinimumNoticeMinutes:   rapid.SampledFrom([]int{0, 60, 600}).Draw(r, slug+" notice"),
		BookingWindowDays:      rapid.IntRange(1, 5).Draw(r, slug+" window"),
		MaxPerDay:              rapid.IntRange(0, 2).Draw(r, slug+" max"),
	}
}

// drawFile draws a workspace. Its booking window contains a clock change if the zone has one.
func drawFile(r *rapid.T, now time.Time) *slotd.Workspace {
	f := worlds.Office()
	f.TimeZone = rapid.SampledFrom([]string{"UTC", "Europe/Paris", "America/New_York", "Australia/Lord_Howe",
		"Asia/Kathmandu", "Pacific/Kiritimati"}).Draw(r, "zone")
	windows := func(name string) []slots.Window {
		return rapid.SampledFrom([][]slots.Window{
			{worlds.Window("09:00-12:00"), worlds.Window("13:00-17:00")}, {worlds.Window("00:00-24:00")},
			{worlds.Window("01:30-02:30"), worlds.Window("22:00-24:00")}, {},
		}).Draw(r, name)
	}
	weekly := map[time.Weekday][]slots.Window{}
	for day := time.Sunday; day <= time.Saturday; day++ {
		weekly[day] = windows(day.String())
	}
	f.Schedules["default"] = slotd.Schedule{Weekly: weekly,
		Overrides: map[zone.Date][]slots.Window{zone.UTCDate(now) + 1: windows("override")}}
	f.EventTypes = []slotd.EventType{drawEventType(r, "a"), drawEventType(r, "b")}
	return f
}

// drawNow draws a day near a clock change in Paris, New York or Lord Howe, or one without any.
func drawNow(r *rapid.T) time.Time {
	return rapid.SampledFrom([]time.Time{
		monday, time.Date(2027, 3, 12, 20, 0, 0, 0, time.UTC), time.Date(2027, 3, 27, 6, 0, 0, 0, time.UTC),
		time.Date(2027, 10, 30, 11, 0, 0, 0, time.UTC), time.Date(2027, 4, 3, 1, 0, 0, 0, time.UTC),
	}).Draw(r, "now")
}

// fresh switches to a new, empty workspace. The bookings of the last try stay in the old one.
func (w *world) fresh(r *rapid.T) {
	w.Clock.Set(drawNow(r))
	w.file = drawFile(r, w.now())
	w.file.Slug = "w-" + uuid.NewString()[:8]
	w.apply()
	w.actor.WorkspaceID = w.WorkspaceID(w.file.Slug)
}

func (w *world) open(r *rapid.T, slug string, within slots.Span) []time.Time {
	p, err := w.cache.Latest(background, w.actor.WorkspaceID)
	w.Must(err)
	open, _ := slots.Open(w.query(p, p.EventTypeBySlug(slug), nil), within)
	return open
}

func TestLaw_ClaimsAreTheLiveBookingsAfterAnyHistory(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		rapid.Check(t, func(r *rapid.T) {
			w.fresh(r)
			var made []*slotd.Booking
			for step := range rapid.IntRange(5, 15).Draw(r, "steps") {
				all := slots.Span{Start: w.now(), End: w.now().AddDate(0, 0, 8)}
				slug := rapid.SampledFrom([]string{"a", "b"}).Draw(r, "type")
				verb := rapid.SampledFrom([]string{"create", "create", "create", "move", "move", "cancel", "apply",
					"wait"}).Draw(r, "verb")
				start := w.now().Add(time.Duration(rapid.IntRange(0, 5*24*60).Draw(r, "minute")) * time.Minute)
				if open := w.open(r, slug, all); len(open) > 0 && rapid.IntRange(0, 3).Draw(r, "offered") > 0 {
					start = rapid.SampledFrom(open).Draw(r, "slot")
				}
				switch {
				case verb == "create":
					if b, err := w.create(slug, start); err == nil {
						made = append(made, b)
					} else if !slotd.Is(err, slotd.SlotUnavailable) {
						r.Fatalf("create: %v", err)
					}
				case verb == "move" && len(made) > 0:
					b := rapid.SampledFrom(made).Draw(r, "booking")
					_, err := w.Reschedule(background, w.actor, b.ID, start)
					if err != nil && !slotd.Is(err, slotd.SlotUnavailable) && !slotd.Is(err, slotd.BookingCanceled) &&
						!slotd.Is(err, slotd.BookingPast) {
						r.Fatalf("move: %v", err)
					}
				case verb == "cancel" && len(made) > 0:
					b := rapid.SampledFrom(made).Draw(r, "booking")
					if _, err := w.Cancel(background, w.actor, b.ID, ""); err != nil &&
						!slotd.Is(err, slotd.BookingPast) {
						r.Fatalf("cancel: %v", err)
					}
				case verb == "apply":
					w.file.EventTypes = []slotd.EventType{drawEventType(r, "a"), drawEventType(r, "b")}
					w.apply()
				case verb == "wait":
					w.Clock.Set(w.now().Add(time.Duration(rapid.IntRange(1, 2000).Draw(r, "minutes")) * time.Minute))
				}
				w.CheckClaims(w.actor.WorkspaceID, func(format string, args ...any) {
					r.Fatalf("after step %d: "+format, append([]any{step}, args...)...)
				})
				w.checkOffers(r)
			}
		})
	})
}

// checkOffers checks that this server's snapshot and the database offer the same slots.
func (w *world) checkOffers(r *rapid.T) {
	p, err := w.cache.Latest(background, w.actor.WorkspaceID)
	w.Must(err)
	span := slots.Span{Start: w.now(), End: w.now().AddDate(0, 0, 8)}
	c := w.Config(w.file.Slug)
	claims, err := snapshot.LoadClaims(background, w.Writer.Read(), c,
		slots.Span{Start: span.Start.AddDate(0, 0, -4), End: span.End.AddDate(0, 0, 4)})
	w.Must(err)
	for i := range c.EventTypes {
		e := &c.EventTypes[i]
		want, _ := slots.Open(c.Query(e, claims, nil, w.now()), span)
		got, _ := slots.Open(w.query(p, p.EventTypeByID(e.ID), nil), span)
		if !slices.EqualFunc(got, want, time.Time.Equal) {
			r.Fatalf("%s: the snapshot offers %v\nthe database %v", e.Slug, got, want)
		}
	}
}

// Every listed slot can be booked, and no other minute of the day.
func TestLaw_WhatIsListedCanBeBookedAndNothingElse(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		rapid.Check(t, func(r *rapid.T) {
			w.fresh(r)
			// Some bookings exist already.
			for range rapid.IntRange(0, 4).Draw(r, "bookings") {
				slug := rapid.SampledFrom([]string{"a", "b"}).Draw(r, "type")
				if open := w.open(r, slug, slots.Span{Start: w.now(), End: w.now().AddDate(0, 0, 8)}); len(open) > 0 {
					w.mustCreate(slug, rapid.SampledFrom(open).Draw(r, "slot"))
				}
			}
			day := w.now().Truncate(24*time.Hour).AddDate(0, 0, rapid.IntRange(0, 5).Draw(r, "day"))
			within := slots.Span{Start: day, End: day.Add(24 * time.Hour)}
			listed := w.open(r, "a", within)
			// Every minute is checked; a sample of both kinds is really booked.
			p, err := w.cache.Latest(background, w.actor.WorkspaceID)
			w.Must(err)
			e := p.EventTypeBySlug("a")
			offset := rapid.IntRange(0, 10).Draw(r, "offset")
			for minute := range 24 * 60 {
				start := day.Add(time.Duration(minute) * time.Minute)
				want := slices.ContainsFunc(listed, start.Equal)
				if got := slots.Check(w.query(p, e, nil), start) == slots.Free; got != want {
					r.Fatalf("%s: checked %t, listed %t", start, got, want)
				}
				if !want && minute%61 != offset {
					continue
				}
				if want && len(listed) > 24 && minute%11 != offset {
					continue
				}
				// This uses what the transaction reads, without the check in memory.
				n, err := w.createFrom(p, "a", start)
				if (err == nil) != want || err != nil && !wasRefused(err) {
					r.Fatalf("%s: listed %t, and booking it: %v", start, want, err)
				}
				if err == nil {
					_, err = w.Cancel(background, w.actor, n.booking.ID, "")
					w.Must(err)
				}
			}
		})
	})
}

// The daily limit counts the same in the database as in the snapshot.
func TestMaxPerDay_CountsTheSameInBothPaths(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e := w.eventType("intro")
		e.MaxPerDay, e.BufferBeforeMinutes = 3, 0
		s := w.file.Schedules["default"]
		s.TimeZone = "Pacific/Auckland" // a local date spans two UTC dates
		for day := range s.Weekly {
			s.Weekly[day] = []slots.Window{worlds.Window("00:00-24:00")}
		}
		w.file.Schedules["default"] = s
		w.apply()
		first := time.Date(2027, 2, 2, 11, 0, 0, 0, time.UTC) // 00:00 on 3 February there
		var made []*slotd.Booking
		for _, after := range []time.Duration{0, 12 * time.Hour, 23*time.Hour + 30*time.Minute} {
			made = append(made, w.mustCreate("intro", first.Add(after)))
		}
		full := func(start time.Time) bool {
			t.Helper()
			p, err := w.cache.Latest(background, w.actor.WorkspaceID)
			w.Must(err)
			listed := slots.Check(w.query(p, p.EventTypeBySlug("intro"), nil), start)
			n, err := w.createFrom(p, "intro", start)
			if err == nil {
				_, err = w.Cancel(background, w.actor, n.booking.ID, "")
				w.Must(err)
			}
			if (listed == slots.DayFull) != wasRefused(err) {
				t.Errorf("%s: the snapshot says %v, the transaction %v", start, listed, err)
			}
			return listed == slots.DayFull
		}
		if !full(first.Add(time.Hour)) || !full(first.Add(20*time.Hour)) {
			t.Error("the full day is open")
		}
		if full(first.Add(-30*time.Minute)) || full(first.Add(24*time.Hour)) {
			t.Error("a neighbour of the full day is full")
		}
		// Other event types do not count, and a move within the day does not count itself.
		w.mustCreate("visit", first.Add(3*time.Hour))
		w.mustMove(made[0], first.Add(6*time.Hour))
		if !full(first.Add(time.Hour)) {
			t.Error("the move freed the day")
		}
		w.mustMove(made[0], first.Add(30*time.Hour))
		if full(first.Add(time.Hour)) {
			t.Error("a booking that was moved away still counts")
		}
		// Earlier bookings of today count even when they are over.
		w.mustMove(made[0], first.Add(time.Hour))
		w.Clock.Set(first.Add(22 * time.Hour))
		if !full(first.Add(23 * time.Hour)) {
			t.Error("bookings of the day that are over do not count")
		}
		cold := w.secondServer()
		p, err := cold.cache.Latest(background, w.actor.WorkspaceID)
		w.Must(err)
		if got := slots.Check(w.query(p, p.EventTypeBySlug("intro"), nil),
			first.Add(23*time.Hour)); got != slots.DayFull {
			t.Errorf("a server that has just started says %v", got)
		}
		w.CheckClaims(w.actor.WorkspaceID, t.Fatalf)
	})
}
