package slots_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
)

// world is one row of the tables: everything that a result depends on, written as in the workspace file. Fields that
// are left out have the file's defaults, and now defaults to a week before the range.
type world struct {
	zone      string
	daily     string            // windows of every weekday, such as "09:00-12:00 13:00-17:00"
	weekly    map[string]string // by weekday, "mon"
	overrides map[string]string
	rules     slots.Rules
	now       string
	booked    []string // "2026-03-04T15:00Z +30m", optionally followed by the booking's buffers "-10m +10m"
	others    []string // the same, for another event type
	busy      []string // "2026-03-04T15:00Z +30m"
	from      string   // the range, "2026-03-04T00:00Z +1d"
}

const eventType, otherType = 7, 8

func (w world) query(t *testing.T) slots.Query {
	t.Helper()
	rules := w.rules
	if rules.Interval == 0 {
		rules.Interval = rules.Duration
	}
	if rules.WindowDays == 0 {
		rules.WindowDays = 60
	}
	q := slots.Query{Schedule: w.schedule(t), Rules: rules, EventType: eventType,
		Now: w.within(t).Start.AddDate(0, 0, -7)}
	if w.now != "" {
		q.Now = instant(t, w.now)
	}
	var claims []slots.Claim
	for i, s := range append(w.booked, w.others...) {
		c := claim(t, s)
		c.Booking[0], c.EventType = byte(i+1), eventType
		if i >= len(w.booked) {
			c.EventType = otherType
		}
		claims = append(claims, c)
	}
	q.Claims = slots.NewClaims(claims)
	var busy []slots.Span
	for _, s := range w.busy {
		busy = append(busy, span(t, s))
	}
	q.Busy = slots.Merge(busy)
	return q
}

func (w world) schedule(t *testing.T) *slots.Schedule {
	t.Helper()
	weekly := map[time.Weekday][]slots.Window{}
	for day := time.Sunday; day <= time.Saturday; day++ {
		weekly[day] = windows(t, w.daily)
		if own, ok := w.weekly[strings.ToLower(day.String()[:3])]; ok {
			weekly[day] = windows(t, own)
		}
	}
	overrides := map[zone.Date][]slots.Window{}
	for date, hours := range w.overrides {
		overrides[mustDate(t, date)] = windows(t, hours)
	}
	return slots.NewSchedule(zone.MustLoad(w.zone), weekly, overrides)
}

func (w world) within(t *testing.T) slots.Span { return span(t, w.from) }

// open returns the open starts with the day of the month, "4T15:00 4T15:30".
func (w world) open(t *testing.T) string {
	t.Helper()
	open, _ := slots.Open(w.query(t), w.within(t))
	return short(open)
}

func short(times []time.Time) string {
	var text []string
	for _, at := range times {
		text = append(text, strings.TrimSuffix(at.Format("2T15:04:05.999"), ":00"))
	}
	return strings.Join(text, " ")
}

func windows(t *testing.T, s string) []slots.Window {
	t.Helper()
	var list []slots.Window
	for _, field := range strings.Fields(s) {
		var h1, m1, h2, m2 int
		if _, err := fmt.Sscanf(field, "%d:%d-%d:%d", &h1, &m1, &h2, &m2); err != nil {
			t.Fatalf("%q: %v", field, err)
		}
		list = append(list, slots.Window{From: h1*60 + m1, Until: h2*60 + m2})
	}
	return list
}

func instant(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse("2006-01-02T15:04Z", s)
	if err != nil {
		at, err = time.Parse(time.RFC3339, s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func span(t *testing.T, s string) slots.Span {
	t.Helper()
	at, length, _ := strings.Cut(s, " +")
	start := instant(t, at)
	return slots.Span{Start: start, End: start.Add(duration(t, length))}
}

func claim(t *testing.T, s string) slots.Claim {
	t.Helper()
	fields := strings.Fields(s)
	c := slots.Claim{Span: span(t, fields[0]+" "+fields[1])}
	c.StartsAt = c.Start
	if len(fields) == 4 {
		c.Span = c.Grow(duration(t, fields[2][1:]), duration(t, fields[3][1:]))
	}
	return c
}

func duration(t *testing.T, s string) time.Duration {
	t.Helper()
	var days int
	if n, _ := fmt.Sscanf(s, "%dd", &days); n == 1 && strings.HasSuffix(s, "d") {
		return time.Duration(days) * 24 * time.Hour
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func mustDate(t *testing.T, s string) zone.Date {
	t.Helper()
	d, err := zone.ParseDate(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func minutes(n int) time.Duration { return time.Duration(n) * time.Minute }

// every returns rules for slots of n minutes, one after the other, and nothing else.
func every(n int) slots.Rules { return slots.Rules{Duration: minutes(n)} }
