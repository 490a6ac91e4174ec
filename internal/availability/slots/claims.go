package slots

import (
	"slices"
	"sort"
	"time"

	"slotd/internal/availability/zone"
)

// Claim is the host's time that one booking takes.
type Claim struct {
	Booking   [16]byte
	EventType int64
	StartsAt  time.Time // the start of the booking itself
	Span                // with the buffers that applied when it was booked

	HeldUntil time.Time // when the hold ends by itself; zero: the booking is definite
}

// Expired reports whether the claim is a hold that has expired.
func (c *Claim) Expired(now time.Time) bool { return !c.HeldUntil.IsZero() && !now.Before(c.HeldUntil) }

// LongestClaim is a booking of one day with a buffer of one day on each side.
const LongestClaim = 3 * 24 * time.Hour

// Claims is an immutable set, grouped by the UTC day on which each claim starts. A lookup touches only the days of
// its range, and a change copies one day, however many claims there are elsewhere.
type Claims struct{ days []claimDay }

type claimDay struct {
	day    int64
	claims []Claim // sorted by start
}

func NewClaims(claims []Claim) Claims {
	sorted := slices.SortedFunc(slices.Values(claims), compareClaims)
	var c Claims
	for i := 0; i < len(sorted); {
		day, j := dayOf(sorted[i].Start), i
		for j < len(sorted) && dayOf(sorted[j].Start) == day {
			j++
		}
		c.days = append(c.days, claimDay{day, sorted[i:j:j]})
		i = j
	}
	return c
}

func compareClaims(a, b Claim) int { return a.Start.Compare(b.Start) }

func dayOf(t time.Time) int64 { return int64(zone.UTCDate(t)) }

// With returns the set with one more claim.
func (c Claims) With(claim Claim) Claims {
	day := dayOf(claim.Start)
	i := c.search(day)
	if i == len(c.days) || c.days[i].day != day {
		return Claims{slices.Insert(slices.Clone(c.days), i, claimDay{day, []Claim{claim}})}
	}
	at, _ := slices.BinarySearchFunc(c.days[i].claims, claim, compareClaims)
	days := slices.Clone(c.days)
	days[i].claims = slices.Insert(slices.Clone(days[i].claims), at, claim)
	return Claims{days}
}

// Without returns the set without the claim of the same booking. The claim's start says where to look for it.
func (c Claims) Without(claim Claim) Claims {
	day := dayOf(claim.Start)
	i := c.search(day)
	if i == len(c.days) || c.days[i].day != day {
		return c
	}
	days := slices.Clone(c.days)
	days[i].claims = slices.DeleteFunc(slices.Clone(days[i].claims),
		func(other Claim) bool { return other.Booking == claim.Booking })
	if len(days[i].claims) == 0 {
		days = slices.Delete(days, i, i+1)
	}
	return Claims{days}
}

// Find returns the claim of this event type whose booking starts at t.
func (c Claims) Find(eventType int64, t time.Time) (Claim, bool) {
	for claim := range c.touching(Span{t, t.Add(1)}) {
		if claim.EventType == eventType && claim.StartsAt.Equal(t) {
			return claim, true
		}
	}
	return Claim{}, false
}

// search returns the index of the first day that is not before day.
func (c Claims) search(day int64) int {
	return sort.Search(len(c.days), func(i int) bool { return c.days[i].day >= day })
}

func (c Claims) touching(s Span) func(yield func(Claim) bool) {
	return func(yield func(Claim) bool) {
		last := dayOf(s.End)
		for i := c.search(dayOf(s.Start.Add(-LongestClaim))); i < len(c.days) && c.days[i].day <= last; i++ {
			for _, claim := range c.days[i].claims {
				if claim.Touches(s) && !yield(claim) {
					return
				}
			}
		}
	}
}

// live yields the claims that touch s and have not expired at now.
func (c Claims) live(s Span, now time.Time) func(yield func(Claim) bool) {
	return func(yield func(Claim) bool) {
		for claim := range c.touching(s) {
			if !claim.Expired(now) && !yield(claim) {
				return
			}
		}
	}
}

// Expired returns the holds that touch s and have expired at now.
func (c Claims) Expired(s Span, now time.Time) (ended []Claim) {
	for claim := range c.touching(s) {
		if claim.Expired(now) {
			ended = append(ended, claim)
		}
	}
	return ended
}

// perDay counts an event type's bookings by the local date on which they start, for all dates that s touches.
func (c Claims) perDay(eventType int64, z *zone.Zone, s Span, now time.Time) map[zone.Date]int {
	count := map[zone.Date]int{}
	for claim := range c.live(s.Grow(longestDate, longestDate), now) {
		if claim.EventType == eventType {
			count[z.Date(claim.StartsAt)]++
		}
	}
	return count
}
