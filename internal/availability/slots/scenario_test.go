package slots_test

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"pgregory.net/rapid"

	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
)

// scenario is a random query in plain lists, so that the engine and the brute force start from the same input.
type scenario struct {
	zone      *zone.Zone
	weekly    map[time.Weekday][]slots.Window
	overrides map[string][]slots.Window
	rules     slots.Rules
	claims    []slots.Claim
	busy      []slots.Span
	now       time.Time
	within    slots.Span
}

func (s scenario) query() slots.Query {
	overrides := map[zone.Date][]slots.Window{}
	for text, windows := range s.overrides {
		date, err := time.Parse("2006-01-02", text)
		if err != nil {
			panic(err)
		}
		overrides[zone.UTCDate(date)] = windows
	}
	return slots.Query{
		Schedule: slots.NewSchedule(s.zone, s.weekly, overrides), Rules: s.rules, EventType: eventType,
		Claims: slots.NewClaims(s.claims), Busy: slots.Merge(s.busy), Now: s.now,
	}
}

func (s scenario) String() string {
	return fmt.Sprintf("%s\n weekly %v\n overrides %v\n rules %+v\n claims %v\n busy %v\n now %s\n within %s – %s",
		s.zone.Name(), s.weekly, s.overrides, s.rules, s.claims, s.busy, s.now.Format(time.RFC3339Nano),
		s.within.Start.Format(time.RFC3339Nano), s.within.End.Format(time.RFC3339Nano))
}

// drawScenario draws a scenario over at most the given number of days, around a day on which something can go wrong.
func drawScenario(t *rapid.T, days int) scenario {
	s := scenario{zone: zone.MustLoad(drawZone(t))}
	middle := drawMiddle(t, s.zone)
	s.within = drawRange(t, middle, days)
	s.weekly = map[time.Weekday][]slots.Window{}
	daily := drawWindows(t, "daily")
	for day := time.Sunday; day <= time.Saturday; day++ {
		s.weekly[day] = daily
		if rapid.IntRange(0, 3).Draw(t, "other hours") == 0 {
			s.weekly[day] = drawWindows(t, day.String())
		}
	}
	s.overrides = map[string][]slots.Window{}
	for range rapid.IntRange(0, 3).Draw(t, "overrides") {
		day := middle.AddDate(0, 0, rapid.IntRange(-3, 3).Draw(t, "override day"))
		s.overrides[day.Format("2006-01-02")] = drawWindows(t, "override")
	}
	s.rules = drawRules(t)
	s.now = drawNow(t, s, middle)
	if earliest := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC); s.now.Before(earliest) {
		s.now = earliest
	}
	s.claims = drawClaims(t, s.within)
	s.busy = drawBusy(t, s.within)
	return s
}

// uniform draws a number below n. Rapid's own numbers are mostly small, which would leave out most zones.
func uniform(t *rapid.T, n int, label string) int {
	x := rapid.Uint64().Draw(t, label)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int((x ^ x>>31) % uint64(n))
}

var zoneNames = sync.OnceValue(func() []string {
	names, err := zone.Names()
	if err != nil {
		panic(err)
	}
	return names
})

// oddZones have half-hour and three-hour changes, changes at midnight and at 00:01, changes around Ramadan (Morocco),
// a skipped date, offsets with quarters of an hour, or the largest offsets.
var oddZones = []string{
	"America/New_York", "Europe/London", "Australia/Lord_Howe", "Africa/Cairo", "America/Santiago", "Pacific/Apia",
	"Asia/Kathmandu",
	"Asia/Beirut", "Atlantic/Azores", "America/Havana", "America/Asuncion", "Antarctica/Casey", "Antarctica/Troll",
	"Asia/Gaza", "Asia/Amman", "Asia/Tehran", "Africa/Casablanca", "America/Caracas", "Asia/Pyongyang",
	"Pacific/Fakaofo", "Pacific/Kiritimati",
	"Pacific/Chatham", "Asia/Dili", "America/Sao_Paulo", "Asia/Dhaka", "America/Scoresbysund", "Asia/Colombo",
	"Europe/Dublin",
}

// midnightTwice are zones that set their clocks back across midnight until 2010: a date ends and comes again.
var midnightTwice = []string{"America/St_Johns", "America/Goose_Bay", "America/Moncton", "Antarctica/Casey"}

func drawZone(t *rapid.T) string {
	switch uniform(t, 8, "odd zone") {
	case 0:
		return midnightTwice[uniform(t, len(midnightTwice), "zone")]
	case 1, 2, 3:
		return oddZones[uniform(t, len(oddZones), "zone")]
	}
	return zoneNames()[uniform(t, len(zoneNames()), "zone")]
}

// drawMiddle mostly returns the exact instant at which the zone's clocks change. It compares the offsets day by day
// and then minute by minute.
func drawMiddle(t *rapid.T, z *zone.Zone) time.Time {
	year := 2000 + uniform(t, 101, "year")
	if rapid.Bool().Draw(t, "recent") {
		year = 2000 + uniform(t, 30, "year")
	}
	switch z.Name() {
	case "Pacific/Apia", "Pacific/Fakaofo": // the skipped date
		if rapid.Bool().Draw(t, "odd year") {
			return time.Date(2011, 12, 30, 10, 0, 0, 0, time.UTC)
		}
	}
	if slices.Contains(midnightTwice, z.Name()) && rapid.Bool().Draw(t, "odd year") {
		year = 2000 + uniform(t, 11, "year")
	}
	day := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, uniform(t, 365, "day"))
	if rapid.IntRange(0, 7).Draw(t, "any day") == 0 {
		return day
	}
	for at := day; at.Before(day.AddDate(1, 0, 0)) && at.Year() <= 2100; at = at.AddDate(0, 0, 1) {
		if changed(z, at, at.AddDate(0, 0, 1)) {
			for !changed(z, at, at.Add(time.Minute)) {
				at = at.Add(time.Minute)
			}
			return at.Add(time.Minute)
		}
	}
	return day
}

func changed(z *zone.Zone, from, until time.Time) bool {
	_, before := from.In(z.Location()).Zone()
	_, after := until.In(z.Location()).Zone()
	return before != after
}

// drawRange mostly returns whole UTC days, as clients request them, and otherwise any range down to milliseconds.
func drawRange(t *rapid.T, middle time.Time, days int) slots.Span {
	start := middle.Truncate(24*time.Hour).AddDate(0, 0, rapid.IntRange(-2, 1).Draw(t, "start"))
	length := time.Duration(rapid.IntRange(1, days).Draw(t, "days")) * 24 * time.Hour
	if rapid.IntRange(0, 2).Draw(t, "odd range") == 0 {
		start = start.Add(time.Duration(uniform(t, 2*86400e3, "ms")) * time.Millisecond)
		length = time.Duration(uniform(t, days*86400e3, "ms")) * time.Millisecond
	}
	return slots.Span{Start: start, End: start.Add(length)}
}

func drawWindows(t *rapid.T, label string) []slots.Window {
	if rapid.IntRange(0, 5).Draw(t, label+" all day") == 0 {
		return []slots.Window{{From: 0, Until: 1440}}
	}
	var list []slots.Window
	for range rapid.SampledFrom([]int{1, 0, 1, 2, 2, 3, 4}).Draw(t, label) {
		from := drawMinute(t, 1439)
		if len(list) > 0 && rapid.IntRange(0, 3).Draw(t, "touching") == 0 {
			from = min(list[len(list)-1].Until, 1439)
		}
		list = append(list, slots.Window{From: from, Until: max(from+1, drawMinute(t, 1440))})
	}
	return list
}

// drawMinute prefers midnight, the small hours in which clocks change, and their borders.
func drawMinute(t *rapid.T, last int) int {
	m := uniform(t, last+1, "minute")
	switch rapid.IntRange(0, 3).Draw(t, "kind of minute") {
	case 0:
		m = rapid.SampledFrom([]int{0, 1, 30, 60, 61, 90, 120, 121, 150, 180, 1380, 1381, 1410, 1439, 1440}).Draw(t,
			"border")
	case 1:
		m = m / 30 * 30
	case 2:
		m = m % 240
	}
	return min(m, last)
}

func drawRules(t *rapid.T) slots.Rules {
	r := slots.Rules{
		Duration:   drawLength(t, 1, "duration"),
		WindowDays: rapid.SampledFrom([]int{1, 2, 3, 7, 60, 730}).Draw(t, "window"),
		MaxPerDay:  rapid.SampledFrom([]int{0, 0, 1, 2, 3}).Draw(t, "max per day"),
	}
	r.Interval = r.Duration
	if rapid.Bool().Draw(t, "own interval") {
		r.Interval = drawLength(t, 1, "interval")
	}
	if rapid.Bool().Draw(t, "buffers") {
		r.BufferBefore, r.BufferAfter = drawLength(t, 0, "before"), drawLength(t, 0, "after")
	}
	if rapid.Bool().Draw(t, "notice") {
		r.Notice = minutes(rapid.SampledFrom([]int{1, 60, 240, 1440, 4000, 525600}).Draw(t, "minutes"))
		if nothingLeft := r.Notice > 24*time.Hour*time.Duration(r.WindowDays); nothingLeft &&
			rapid.IntRange(0, 7).Draw(t, "nothing left") > 0 {
			r.Notice = time.Hour
		}
	}
	return r
}

func drawLength(t *rapid.T, minimum int, label string) time.Duration {
	if rapid.IntRange(0, 3).Draw(t, label+" long") == 0 {
		return minutes(rapid.IntRange(minimum, 1440).Draw(t, label))
	}
	return minutes(rapid.SampledFrom([]int{minimum, 5, 7, 15, 20, 30, 45, 60, 90}).Draw(t, label))
}

// drawNow returns an instant well before the range, or one at which notice or window cut the range, or one near a
// clock change.
func drawNow(t *rapid.T, s scenario, middle time.Time) time.Time {
	offset := time.Duration(uniform(t, 6*86400e3, "now")-3*86400e3) * time.Millisecond
	switch uniform(t, 10, "kind of now") {
	case 1:
		return middle.Add(-s.rules.Notice).Add(offset)
	case 2:
		return middle.AddDate(0, 0, -s.rules.WindowDays).Add(offset)
	case 3:
		return middle.Add(offset)
	case 4:
		return middle.Add(-s.rules.Notice).Add(offset).Truncate(30 * time.Minute)
	case 5:
		return middle.Add(time.Duration(uniform(t, 180*60, "seconds")-90*60) * time.Second)
	case 6:
		return middle.Add(-s.rules.Notice).Add(time.Duration(uniform(t, 2880, "minutes")-1440) * time.Minute)
	default:
		days := 1 + uniform(t, min(s.rules.WindowDays, 7), "days before")
		return s.within.Start.Add(-s.rules.Notice).AddDate(0, 0, -days)
	}
}

func drawClaims(t *rapid.T, around slots.Span) []slots.Claim {
	var claims []slots.Claim
	for i := range rapid.IntRange(0, 5).Draw(t, "claims") {
		c := slots.Claim{EventType: rapid.SampledFrom([]int64{eventType, otherType}).Draw(t, "event type"),
			StartsAt: drawInstant(t, around)}
		c.Booking[0] = byte(i + 1)
		c.Span = slots.Span{Start: c.StartsAt, End: c.StartsAt.Add(drawLength(t, 1, "booked"))}
		if rapid.Bool().Draw(t, "buffered") {
			c.Span = c.Grow(drawLength(t, 0, "before"), drawLength(t, 0, "after"))
		}
		claims = append(claims, c)
	}
	return claims
}

func drawBusy(t *rapid.T, around slots.Span) []slots.Span {
	var busy []slots.Span
	for range rapid.IntRange(0, 5).Draw(t, "busy") {
		s := slots.Span{Start: drawInstant(t, around)}
		s.End = s.Start.Add(drawLength(t, 0, "event"))
		if rapid.IntRange(0, 9).Draw(t, "odd length") == 0 {
			s.End = s.Start.Add(time.Duration(rapid.Int64Range(-1000, 5*86400e3).Draw(t, "ms")) * time.Millisecond)
		}
		busy = append(busy, s)
	}
	return busy
}

// drawInstant mostly returns an instant on a step that slots share, so that spans touch.
func drawInstant(t *rapid.T, around slots.Span) time.Time {
	from, until := around.Start.Add(-3*24*time.Hour), around.End.Add(2*24*time.Hour)
	at := from.Add(time.Duration(uniform(t, int(until.Sub(from)/time.Millisecond), "at")) * time.Millisecond)
	switch rapid.IntRange(0, 5).Draw(t, "kind of instant") {
	case 0:
		return at
	case 1:
		return at.Truncate(time.Minute)
	default:
		return at.Truncate(15 * time.Minute)
	}
}
