package slots

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A set built step by step equals a set of the remaining claims, and earlier sets do not change.
func TestClaims_WithAndWithoutAreTheResultingList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []Claim
		set := NewClaims(nil)
		history := map[*Claims][]Claim{}
		for i := range rapid.IntRange(1, 30).Draw(t, "steps") {
			before := set
			history[&before] = slices.Clone(list)
			if len(list) > 0 && rapid.IntRange(0, 2).Draw(t, "remove") == 0 {
				gone := rapid.IntRange(0, len(list)-1).Draw(t, "which")
				set = set.Without(list[gone])
				list = slices.Delete(slices.Clone(list), gone, gone+1)
			} else {
				c := drawClaim(t, byte(i+1))
				set = set.With(c)
				list = append(list, c)
			}
			sameClaims(t, set, list)
		}
		for earlier, list := range history {
			sameClaims(t, *earlier, list)
		}
	})
}

func TestClaims_WithoutAStrangerChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawClaimList(t)
		stranger := drawClaim(t, 0)
		stranger.Booking = [16]byte{15: 1}
		sameClaims(t, NewClaims(list).Without(stranger), list)
	})
}

func TestClaims_FindsByEventTypeAndStart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawClaimList(t)
		target := drawClaim(t, 0)
		if len(list) > 0 && rapid.Bool().Draw(t, "known") {
			target.StartsAt = list[0].StartsAt
		}
		matches := func(c Claim) bool { return c.EventType == target.EventType && c.StartsAt.Equal(target.StartsAt) }
		got, ok := NewClaims(list).Find(target.EventType, target.StartsAt)
		if ok != slices.ContainsFunc(list, matches) || ok && (!matches(got) || !slices.Contains(list, got)) {
			t.Fatalf("found %v %v for event type %d at %s in %v", got, ok, target.EventType, target.StartsAt, list)
		}
	})
}

func TestClaims_TouchingIsEveryOneThatTouches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawClaimList(t)
		start := drawClaim(t, 0).Start
		s := Span{start, start.Add(time.Duration(rapid.IntRange(1, 5*24*60).Draw(t, "minutes")) * time.Minute)}
		var want []Claim
		for _, c := range list {
			if c.Start.Before(s.End) && s.Start.Before(c.End) {
				want = append(want, c)
			}
		}
		got := slices.Collect(NewClaims(list).touching(s))
		if !slices.Equal(sorted(got), sorted(want)) {
			t.Fatalf("touching %v: %v, want %v", s, got, want)
		}
	})
}

func TestNewClaims_LeavesItsArgumentAlone(t *testing.T) {
	late, early := Claim{Span: Span{Start: time.Unix(9e8, 0)}}, Claim{Span: Span{Start: time.Unix(8e8, 0)}}
	list := []Claim{late, early}
	NewClaims(list).With(early).Without(late)
	if list[0] != late || list[1] != early {
		t.Error("the caller's list was sorted")
	}
}

func drawClaimList(t *rapid.T) []Claim {
	var list []Claim
	for i := range rapid.IntRange(0, 12).Draw(t, "claims") {
		list = append(list, drawClaim(t, byte(i+1)))
	}
	return list
}

// drawClaim draws a claim with buffers up to the longest ones, within a few days of a fixed date, so that claims share
// days.
func drawClaim(t *rapid.T, booking byte) Claim {
	length := func(label string, from, until int) time.Duration {
		return time.Duration(rapid.IntRange(from, until).Draw(t, label)) * time.Minute
	}
	c := Claim{Booking: [16]byte{booking}, EventType: rapid.Int64Range(1, 2).Draw(t, "event type")}
	c.StartsAt = time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC).Add(15 * length("quarters", -3*96, 3*96))
	c.Span = Span{c.StartsAt, c.StartsAt.Add(length("duration", 1, 1440))}.Grow(length("before", 0, 1440),
		length("after", 0, 1440))
	return c
}

func sameClaims(t *rapid.T, set Claims, list []Claim) {
	t.Helper()
	content := func(c Claims) []Claim {
		var all []Claim
		for i, day := range c.days {
			if i > 0 && c.days[i-1].day >= day.day {
				t.Fatalf("days out of order: %v", c.days)
			}
			if len(day.claims) == 0 {
				t.Fatalf("a day without claims is kept: %v", c.days)
			}
			if !slices.IsSortedFunc(day.claims, compareClaims) {
				t.Fatalf("claims out of order: %v", day.claims)
			}
			for _, claim := range day.claims {
				if dayOf(claim.Start) != day.day {
					t.Fatalf("%v is kept under another day", claim)
				}
			}
			all = append(all, day.claims...)
		}
		return sorted(all)
	}
	if got := content(set); !slices.Equal(got, sorted(list)) || !slices.Equal(got, content(NewClaims(list))) {
		t.Fatalf("the set holds %v, want %v", got, list)
	}
}

func sorted(claims []Claim) []Claim {
	return slices.SortedFunc(slices.Values(claims), func(a, b Claim) int {
		return cmp.Or(a.Start.Compare(b.Start), slices.Compare(a.Booking[:], b.Booking[:]))
	})
}
