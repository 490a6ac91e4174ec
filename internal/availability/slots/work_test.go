package slots_test

import (
	"runtime"
	"testing"
	"time"

	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
	"slotd/internal/lib/cputest"
)

var week = slots.Span{Start: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC),
	End: time.Date(2026, 3, 9, 0, 0, 0, 0, time.UTC)}

// crowded returns a query for an ordinary week, with n claims, busy times and overrides before and after it.
func crowded(n int) slots.Query {
	weekly, overrides := map[time.Weekday][]slots.Window{}, map[zone.Date][]slots.Window{}
	for day := time.Sunday; day <= time.Saturday; day++ {
		weekly[day] = []slots.Window{{From: 540, Until: 720}, {From: 780, Until: 1020}}
	}
	q := slots.Query{
		EventType: eventType, Now: week.Start.AddDate(0, 0, -1),
		Rules: slots.Rules{Duration: minutes(30), Interval: minutes(30), BufferAfter: minutes(10), WindowDays: 60,
			MaxPerDay: 5},
	}
	var claims []slots.Claim
	for i := range n {
		// Every half hour until two weeks before, and from two weeks after.
		at := week.Start.AddDate(0, 0, -14).Add(-time.Duration(i) * 30 * time.Minute)
		if i%2 == 0 {
			at = week.End.AddDate(0, 0, 14).Add(time.Duration(i) * 30 * time.Minute)
		}
		claims = append(claims, claimAt(at, i))
		q.Busy = append(q.Busy, slots.Span{Start: at.Add(2 * time.Minute), End: at.Add(20 * time.Minute)})
		overrides[zone.UTCDate(week.End)+zone.Date(100+i)] = []slots.Window{{From: 0, Until: 60}}
	}
	for i := range 7 {
		claims = append(claims, claimAt(week.Start.AddDate(0, 0, i).Add(15*time.Hour), n+i))
	}
	q.Claims, q.Busy = slots.NewClaims(claims), slots.Merge(q.Busy)
	q.Schedule = slots.NewSchedule(zone.MustLoad("America/New_York"), weekly, overrides)
	return q
}

func claimAt(at time.Time, i int) slots.Claim {
	return slots.Claim{
		Booking: [16]byte{byte(i), byte(i >> 8), byte(i >> 16)}, EventType: eventType, StartsAt: at,
		Span: slots.Span{Start: at, End: at.Add(20 * time.Minute)},
	}
}

// Claims outside the range cost neither memory nor time.
func TestWork_DoesNotGrowWithWhatLiesElsewhere(t *testing.T) {
	few, many := crowded(100), crowded(100_000)
	for name, run := range map[string]func(slots.Query){
		"Open":    func(q slots.Query) { slots.Open(q, week) },
		"Check":   func(q slots.Query) { slots.Check(q, week.Start.Add(15*time.Hour)) },
		"Nearest": func(q slots.Query) { slots.Nearest(q, week.Start.AddDate(0, 0, 3), 3) },
		"Find":    func(q slots.Query) { q.Claims.Find(eventType, week.Start.Add(15*time.Hour)) },
	} {
		t.Run(name, func(t *testing.T) {
			a := testing.AllocsPerRun(20, func() { run(few) })
			b := testing.AllocsPerRun(20, func() { run(many) })
			if b > a+2 {
				t.Errorf("%v allocations with few claims, %v with many", a, b)
			}
			expectAlike(t, func() { run(few) }, func() { run(many) })
		})
	}
}

// expectAlike compares the work. A scan of 100,000 claims would be a hundred times that of the query.
func expectAlike(t *testing.T, few, many func()) {
	t.Helper()
	const runs = 100
	if a, b := cputest.Least(t, runs, few), cputest.Least(t, runs, many); b > 5*a+20*time.Microsecond {
		t.Errorf("%v with few claims, %v with many", a, b)
	}
}

func TestWork_AChangeCopiesADay(t *testing.T) {
	const n = 100_000
	claims := crowded(n).Claims
	added := claimAt(week.Start.Add(20*time.Hour), n+50)
	for name, change := range map[string]func(){
		"With":    func() { claims.With(added) },
		"Without": func() { claims.Without(added) },
	} {
		if allocs := testing.AllocsPerRun(20, change); allocs > 5 {
			t.Errorf("%s allocates %v times", name, allocs)
		}
		if bytes, all := bytesPerRun(change), uint64(n*100); bytes > all/20 {
			t.Errorf("%s copies %d of some %d bytes", name, bytes, all)
		}
	}
}

func bytesPerRun(f func()) uint64 {
	const runs = 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		f()
	}
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) / runs
}

// The answer has 7 times 10 slots. A slice that is made for all dates since 1970 would take a megabyte.
func TestWork_AWeekTakesLittleMemory(t *testing.T) {
	q := crowded(100)
	if bytes := bytesPerRun(func() { slots.Open(q, week) }); bytes > 32<<10 {
		t.Errorf("%d bytes", bytes)
	}
}
