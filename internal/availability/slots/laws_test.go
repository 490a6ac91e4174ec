package slots_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
)

// The result never depends on the server's own time zone: the same must hold in each.
func TestOpen_IsWhatTheContractSays(t *testing.T) {
	for _, local := range []string{"UTC", "America/New_York", "Asia/Kathmandu"} {
		t.Run(local, func(t *testing.T) {
			serverIn(t, local)
			rapid.Check(t, func(t *rapid.T) {
				s := drawScenario(t, 4)
				want := newBrute(s, s.within).open(s.within, s.now)
				got, _ := slots.Open(s.query(), s.within)
				sameList(t, s, got, want)
			})
		})
	}
}

func serverIn(t *testing.T, name string) {
	before := time.Local
	time.Local = zone.MustLoad(name).Location()
	t.Cleanup(func() { time.Local = before })
}

// Check must return Free exactly for the listed starts, checked at every minute and right beside each listed start.
// Otherwise it must return a reason that applies.
func TestCheck_IsFreeForListedStartsAndNoOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t, 1)
		q := s.query()
		b := newBrute(s, s.within)
		open, _ := slots.Open(q, s.within)
		for start := s.within.Start.Truncate(time.Minute); start.Before(s.within.End); start = start.Add(time.Minute) {
			expectReason(t, s, b, start, slots.Check(q, start))
			listed := slices.ContainsFunc(open, start.Equal)
			if inside := !start.Before(s.within.Start); inside && listed != (slots.Check(q, start) == slots.Free) {
				t.Fatalf("%s is listed: %v, and Check says %v\n%s", start, listed, slots.Check(q, start), s)
			}
		}
		for _, start := range open {
			for _, offset := range []time.Duration{-time.Millisecond, time.Millisecond, 1, -1, 500 * time.Microsecond} {
				if got := slots.Check(q, start.Add(offset)); got != slots.NotOffered {
					t.Fatalf("%s and %v more is %v\n%s", start, offset, got, s)
				}
			}
		}
	})
}

func expectReason(t *rapid.T, s scenario, b *brute, start time.Time, got slots.Reason) {
	reasons := b.refusals(start, s.now)
	if got == slots.Free && len(reasons) > 0 || got != slots.Free && !slices.Contains(reasons, got) {
		t.Fatalf("Check(%s) = %v, but the reasons against it are %v\n%s", start, got, reasons, s)
	}
}

func TestNearest_IsTheNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t, 3)
		s.rules.WindowDays = rapid.SampledFrom([]int{1, 2, 7, 20, 40}).Draw(t, "window")
		s.rules.Notice = min(s.rules.Notice, 10*24*time.Hour)
		if rapid.Bool().Draw(t, "rare") { // then the nearest ones are far away
			s.weekly = nil
			s.overrides[s.now.AddDate(0, 0,
				rapid.IntRange(0, 40).Draw(t, "days")).Format("2006-01-02")] = drawWindows(t, "rare")
		}
		start := drawInstant(t, slots.Span{Start: s.now.AddDate(0, 0, -5), End: s.now.AddDate(0, 0, 45)})
		n := rapid.IntRange(1, 5).Draw(t, "n")

		all := slots.Span{Start: s.now.Truncate(time.Minute), End: s.now.AddDate(0, 0, s.rules.WindowDays+3)}
		b := newBrute(s, all)
		want := b.nearest(b.open(all, s.now), start, n)
		sameList(t, s, slots.Nearest(s.query(), start, n), want)
	})
}

func TestOpen_HoldsAsLongAsItSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t, 4)
		if rapid.Bool().Draw(t, "at the window's end") { // where days are added and drop out
			s.within = drawRange(t, s.now.AddDate(0, 0, s.rules.WindowDays), 3)
		}
		q := s.query()
		open, until := slots.Open(q, s.within)
		if !until.IsZero() && !until.After(q.Now) {
			t.Fatalf("holds until %s, which is over at %s\n%s", until, q.Now, s)
		}
		latest := until
		if until.IsZero() {
			latest = q.Now.AddDate(3, 0, 0)
		}
		probes := []time.Time{latest.Add(-1), q.Now.Add(latest.Sub(q.Now) / 2)}
		for range 4 {
			probes = append(probes, q.Now.Add(time.Duration(rapid.Int64Range(0, int64(latest.Sub(q.Now))-1).Draw(t,
				"later"))))
		}
		for hour := q.Now; hour.Before(q.Now.AddDate(0, 0, 2)); hour = hour.Add(29 * time.Minute) {
			probes = append(probes, hour)
		}
		for _, now := range probes {
			if now.Before(latest) {
				q.Now = now
				later, _ := slots.Open(q, s.within)
				if !slices.EqualFunc(open, later, time.Time.Equal) {
					t.Fatalf("holds until %s, but at %s\n  %s became\n  %s\n%s", until, now, short(open), short(later),
						s)
				}
			}
		}
	})
}

// Claims and busy times far from the range change nothing, and neither does a claim's event type, except for the daily
// limit.
func TestOpen_DependsOnWhatIsNearOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t, 2)
		want, _ := slots.Open(s.query(), s.within)

		far := s
		for i := range rapid.IntRange(1, 20).Draw(t, "far claims") {
			days := rapid.IntRange(8, 400).Draw(t, "days") * rapid.SampledFrom([]int{-1, 1}).Draw(t, "side")
			c := slots.Claim{Booking: [16]byte{1, byte(i)}, EventType: eventType,
				StartsAt: s.within.Start.AddDate(0, 0, days)}
			c.Span = slots.Span{Start: c.StartsAt, End: c.StartsAt.Add(time.Hour)}
			far.claims = append(slices.Clone(far.claims), c)
			far.busy = append(slices.Clone(far.busy), c.Span)
		}
		got, _ := slots.Open(far.query(), s.within)
		sameList(t, far, got, want)

		if s.rules.MaxPerDay == 0 {
			s.claims = slices.Clone(s.claims)
			for i := range s.claims {
				s.claims[i].EventType = otherType + eventType - s.claims[i].EventType
			}
			got, _ = slots.Open(s.query(), s.within)
			sameList(t, s, got, want)
		}
	})
}

func TestReach_IsWhereClaimsMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t, 1)
		if rapid.Bool().Draw(t, "a full day far from a short range") {
			s.rules.MaxPerDay = 1
			s.within.End = s.within.Start.Add(time.Hour)
		}
		q := s.query()
		want, _ := slots.Open(q, s.within)
		reach := q.Reach(s.within)
		s.claims = slices.DeleteFunc(slices.Clone(s.claims), func(c slots.Claim) bool { return !c.Touches(reach) })
		got, _ := slots.Open(s.query(), s.within)
		sameList(t, s, got, want)
	})
}

// The list for a range is the lists for its two parts together.
func TestOpen_OfTwoHalvesIsTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t, 4)
		q := s.query()
		middle := drawInstant(t, s.within)
		if middle.Before(s.within.Start) || middle.After(s.within.End) {
			middle = s.within.Start.Add(s.within.End.Sub(s.within.Start) / 2)
		}
		whole, _ := slots.Open(q, s.within)
		first, _ := slots.Open(q, slots.Span{Start: s.within.Start, End: middle})
		second, _ := slots.Open(q, slots.Span{Start: middle, End: s.within.End})
		sameList(t, s, append(slices.Clone(first), second...), whole)
	})
}

// A query does not modify its inputs.
func TestOpen_LeavesItsInputsAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t, 3)
		q := s.query()
		busy := slices.Clone(q.Busy)
		first, _ := slots.Open(q, s.within)
		slots.Check(q, s.within.Start)
		slots.Nearest(q, s.within.Start, 3)
		again, _ := slots.Open(q, s.within)
		sameList(t, s, again, first)
		if !slices.Equal(busy, q.Busy) {
			t.Fatalf("busy spans became %v\n%s", q.Busy, s)
		}
	})
}

func TestMerge_Laws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)
		var spans []slots.Span
		for range rapid.IntRange(0, 12).Draw(t, "spans") {
			from := start.Add(minutes(rapid.IntRange(0, 60).Draw(t, "from")))
			spans = append(spans, slots.Span{Start: from,
				End: from.Add(minutes(rapid.IntRange(-3, 12).Draw(t, "length")))})
		}
		given := slices.Clone(spans)
		merged := slots.Merge(spans)
		if !slices.Equal(given, spans) {
			t.Fatalf("Merge changed its argument to %v", spans)
		}
		covers := func(list []slots.Span, at time.Time) bool {
			return slices.ContainsFunc(list, func(s slots.Span) bool { return !at.Before(s.Start) && at.Before(s.End) })
		}
		for m := -10; m < 90; m++ {
			if at := start.Add(minutes(m)); covers(spans, at) != covers(merged, at) {
				t.Fatalf("minute %d: covered %v before and %v after", m, covers(spans, at), covers(merged, at))
			}
		}
		for i, s := range merged {
			if !s.Start.Before(s.End) || i > 0 && !merged[i-1].End.Before(s.Start) {
				t.Fatalf("empty, unsorted or touching: %v", merged)
			}
		}
		if !slices.Equal(slots.Merge(merged), merged) {
			t.Fatal("merging again changes something")
		}
		reversed := slices.Clone(spans)
		slices.Reverse(reversed)
		if !slices.Equal(slots.Merge(reversed), merged) {
			t.Fatal("the order matters")
		}
	})
}

func TestSpan_Laws(t *testing.T) {
	start := time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		draw := func() slots.Span {
			from := rapid.IntRange(0, 6).Draw(t, "from")
			return slots.Span{Start: start.Add(minutes(from)),
				End: start.Add(minutes(from + rapid.IntRange(1, 4).Draw(t, "length")))}
		}
		a, b := draw(), draw()
		shared, outside := 0, 0
		for m := range 12 {
			at := start.Add(minutes(m))
			inA, inB := !at.Before(a.Start) && at.Before(a.End), !at.Before(b.Start) && at.Before(b.End)
			if inA && inB {
				shared++
			}
			if inB && !inA {
				outside++
			}
		}
		if a.Touches(b) != (shared > 0) || a.Contains(b) != (outside == 0) {
			t.Fatalf("%v and %v: touches %v, contains %v", a, b, a.Touches(b), a.Contains(b))
		}
	})
}

// sameList compares what a client would see, so that it also detects an instant in the server's own zone.
func sameList(t *rapid.T, s scenario, got, want []time.Time) {
	t.Helper()
	text := func(times []time.Time) []string {
		list := []string{}
		for _, at := range times {
			list = append(list, at.Format(time.RFC3339Nano))
		}
		return list
	}
	if diff := cmp.Diff(text(want), text(got)); diff != "" {
		t.Fatalf("- the contract, + the engine:\n%s\n%s", diff, s)
	}
}
