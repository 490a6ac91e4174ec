package slots_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"slotd/internal/availability/slots"
)

// Owners can trust the explanation: it agrees with Check, and it lists all reasons.
func TestExplain_AgreesWithCheckAndAsksAllRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t, 1)
		q := s.query()
		b := newBrute(s, s.within)
		for start := s.within.Start.Truncate(time.Minute); start.Before(s.within.End); start = start.Add(19 * time.Minute) {
			wantAgreement(t, s, q, start)
			wantReasons(t, s, slots.Explain(q, start), start, b.refusals(start, s.now))
		}
		open, _ := slots.Open(q, s.within)
		for i := 0; i < len(open); i += 7 {
			for _, offset := range []time.Duration{0, -time.Millisecond, time.Millisecond, 1} {
				wantAgreement(t, s, q, open[i].Add(offset))
			}
		}
	})
}

func wantAgreement(t *rapid.T, s scenario, q slots.Query, start time.Time) {
	t.Helper()
	want, first := slots.Check(q, start), slots.Free
	for _, v := range slots.Explain(q, start) {
		if !v.Passed && first == slots.Free {
			first = v.Reason
		}
	}
	if first != want {
		t.Fatalf("Check(%s) = %v, Explain says %v first: %v\n%s", start, want, first, slots.Explain(q, start), s)
	}
}

// wantReasons checks that the verdicts contain every reason that applies, and no other.
func wantReasons(t *rapid.T, s scenario, verdicts []slots.Verdict, start time.Time, reasons []slots.Reason) {
	t.Helper()
	for _, v := range verdicts {
		if !v.Passed && !slices.Contains(reasons, v.Reason) {
			t.Fatalf("%s says no to %s, but the reasons against it are %v\n%s", v.Rule, start, reasons, s)
		}
	}
	for _, reason := range reasons {
		if !slices.ContainsFunc(verdicts, func(v slots.Verdict) bool { return !v.Passed && v.Reason == reason }) {
			t.Fatalf("%v speaks against %s, and no rule says so: %v\n%s", reason, start, verdicts, s)
		}
	}
}

func TestExplain_ReportsItsFacts(t *testing.T) {
	office := world{
		zone: "UTC", daily: "09:00-12:00 13:00-17:00", weekly: map[string]string{"sun": ""},
		overrides: map[string]string{"2026-03-05": "", "2026-03-06": "10:00-11:00"},
		rules: slots.Rules{Duration: minutes(30), BufferBefore: minutes(10), BufferAfter: minutes(20),
			Notice: 2 * time.Hour, WindowDays: 5, MaxPerDay: 2},
		now: "2026-03-03T08:00Z", from: "2026-03-03T00:00Z +7d",
		booked: []string{"2026-03-04T15:00Z +30m", "2026-03-04T16:00Z +30m -5m +5m"},
		busy:   []string{"2026-03-04T10:00Z +1h"},
	}
	for _, c := range []struct{ about, start, want string }{
		{"an open one", "2026-03-03T13:30Z", ""},
		{"a closed weekday", "2026-03-08T10:00Z", "hours: []"},
		{"a closed date", "2026-03-05T10:00Z", "override: 2026-03-05 [], hours: [], grid: [4T16:30 6T10:00]"},
		{"a date with short hours", "2026-03-06T09:00Z",
			"override: 2026-03-06 [10:00-11:00], hours: [10:00-11:00], grid: [4T16:30 6T10:00]"},
		{"outside any hours", "2026-03-06T18:00Z", "hours: [10:00-11:00], grid: [6T10:30 7T09:00]"},
		{"at noon, which leaves no room", "2026-03-03T11:45Z",
			"hours: [09:00-12:00 13:00-17:00], grid: [3T11:30 3T13:00]"},
		{"between two steps", "2026-03-03T13:15Z", "grid: [3T13:00 3T13:30]"},
		{"too soon", "2026-03-03T09:30Z", "notice: 3T10:00"},
		{"too far", "2026-03-09T09:00Z", "window: 2026-03-08"},
		{"a full day", "2026-03-04T13:30Z", "limit: 2"},
		{"before a booking", "2026-03-04T14:30Z", "limit: 2, buffer: 4T15:00–4T15:30 of 1"},
		{"in a calendar's event", "2026-03-04T10:30Z", "limit: 2, busy: 4T10:00–4T11:00 of a calendar"},
		{"between two bookings", "2026-03-04T15:30Z",
			"limit: 2, busy: 4T15:55–4T16:35 of 2, buffer: 4T15:00–4T15:30 of 1"},
	} {
		got := facts(slots.Explain(office.query(t), instant(t, c.start)))
		if c.about == "a closed weekday" {
			got, _, _ = strings.Cut(got, ", grid")
		}
		if got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.about, got, c.want)
		}
	}
}

// The owner sees that a date has hours of its own even if they do not rule the time out.
func TestExplain_SaysWhichDatesAreOverridden(t *testing.T) {
	q := world{zone: "UTC", daily: "09:00-17:00", overrides: map[string]string{"2026-03-05": "10:00-11:00"},
		rules: slots.Rules{Duration: minutes(30)}, now: "2026-03-03T08:00Z", from: "2026-03-03T00:00Z +7d"}.query(t)
	for start, want := range map[string]bool{"2026-03-04T10:00Z": false, "2026-03-05T10:00Z": true,
		"2026-03-05T09:00Z": true, "2026-03-04T23:45Z": true} { // the last one ends on the next date
		v := slots.Explain(q, instant(t, start))[0]
		if v.Rule != slots.RuleOverride || v.Overridden != want || want && v.Date.String() != "2026-03-05" {
			t.Errorf("%s: %+v, want overridden %v", start, v, want)
		}
	}
}

// facts returns the facts of the rules that fail.
func facts(verdicts []slots.Verdict) string {
	var all []string
	for _, v := range verdicts {
		if v.Passed {
			continue
		}
		text := ""
		switch v.Rule {
		case slots.RuleOverride:
			text = fmt.Sprint(v.Date, " ", v.Windows)
		case slots.RuleHours:
			text = fmt.Sprint(v.Windows)
		case slots.RuleGrid:
			text = "[" + short(v.Near) + "]"
		case slots.RuleNotice:
			text = short([]time.Time{v.EarliestStart})
		case slots.RuleWindow:
			text = v.Date.String()
		case slots.RuleLimit:
			text = fmt.Sprint(v.Count)
		}
		for _, o := range v.Obstacles {
			text += short([]time.Time{o.Start}) + "–" + short([]time.Time{o.End}) + " of "
			if o.Claim == nil {
				text += "a calendar"
			} else {
				text += fmt.Sprint(o.Claim.Booking[0])
			}
		}
		all = append(all, string(v.Rule)+": "+text)
	}
	return strings.Join(all, ", ")
}

// A hold takes the host's time until it expires.
func TestExplain_KnowsHolds(t *testing.T) {
	q := world{zone: "UTC", daily: "09:00-17:00", rules: slots.Rules{Duration: minutes(30)}, now: "2026-03-03T08:00Z",
		from: "2026-03-03T00:00Z +1d"}.query(t)
	start := instant(t, "2026-03-03T10:00Z")
	hold := slots.Claim{Booking: [16]byte{9}, StartsAt: start,
		Span: slots.Span{Start: start, End: start.Add(minutes(30))}, HeldUntil: q.Now.Add(minutes(5))}
	q.Claims = slots.NewClaims([]slots.Claim{hold})
	if got := facts(slots.Explain(q, start)); got != "busy: 3T10:00–3T10:30 of 9" {
		t.Errorf("while it is held: %s", got)
	}
	if q.Now = hold.HeldUntil; facts(slots.Explain(q, start)) != "" {
		t.Errorf("afterwards: %s", facts(slots.Explain(q, start)))
	}
}
