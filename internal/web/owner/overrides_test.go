package owner

import (
	"fmt"
	"strings"
	"testing"
)

func TestDates_TheMonthNamesEachDayAndItsHours(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	ada.submit(usual, "from", "2027-02-10", "until", "2027-02-10")
	p := ada.get(usual + "?date=2027-02-03")
	for _, want := range []string{
		`aria-label="Wednesday 3 February 2027: 09:00-17:00" aria-current="date">3<`,
		`aria-label="Wednesday 10 February 2027: closed, on this date only">10<`,
		`aria-label="Saturday 6 February 2027: closed">6<`,
		`href="/settings/hours/default?date=2027-02-28#date"`,
		`href="/settings/hours/default?month=2027-01#dates"`, `href="/settings/hours/default?month=2027-03#dates"`,
	} {
		if !strings.Contains(p.Body, want) {
			t.Errorf("no %s", want)
		}
	}
	p.says(200, "Weekly hours: 09:00-17:00")
	if first, last := ada.get(usual+"?month=2000-01"), ada.get(usual+"?month=2100-12"); strings.Contains(first.Body,
		"1999-12") || strings.Contains(last.Body, "2101-01") {
		t.Error("links lead to years that no schedule knows")
	}
}

func TestDates_EveryMonthHasItsDaysOnce(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	for month, days := range map[string]int{"2027-02": 28, "2028-02": 29, "2026-11": 30, "2100-12": 31, "2000-01": 31} {
		body := ada.get(usual + "?month=" + month).Body
		for day := 1; day <= days+1; day++ {
			want := 1
			if day > days {
				want = 0
			}
			if n := strings.Count(body, fmt.Sprintf("?date=%s-%02d#date", month, day)); n != want {
				t.Errorf("%s-%02d stands there %d times", month, day, n)
			}
		}
	}
}

func TestDates_ADateIsClosedChangedAndGivenBack(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	at := usual + "?date=2027-02-03"
	ada.submit(at, "kind", "closed").leads(usual + "?month=2027-02&saved=dates#dates")
	w.holds("acme", `"2027-02-03": []`)
	ada.get(usual+"?saved=dates").says(200, "Saved.", "Wednesday 3 February 2027 closed")
	ada.submit(at, "kind", "hours", "hours", "10-12, 23:00-24:00").leads(usual + "?month=2027-02&saved=dates#dates")
	w.holds("acme", `"2027-02-03": ["10:00-12:00", "23:00-24:00"]`)
	ada.submit(at, "kind", "weekly").leads(usual + "?month=2027-02&saved=dates#dates")
	if strings.Contains(w.export("acme"), "2027-02-03") {
		t.Error("the date still has hours of its own")
	}
}

func TestDates_WrongOnesAreRefusedAndKept(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	before := w.export("acme")
	at := usual + "?date=2027-02-03"
	for hours, want := range map[string]string{
		"": "Enter hours such as", "x": "must be a window", "<script>alert(1)</script>": "must be a window", "12-9": "must be a window",
		strings.Repeat("09:00-09:10 ", 97): "These hours must hold at most 96 windows",
	} {
		if p := ada.submit(at, "kind", "hours", "hours", hours).says(422, want); !p.keeps("hours",
			strings.TrimSpace(hours)) || strings.Contains(p.Body, "<script>alert") {
			t.Errorf("%.40q was not kept", hours)
		}
	}
	seen := ada.get(usual).Page().Forms()[1].Values.Get("seen")
	ada.post(usual+"/date", "workspace", "acme", "seen", seen, "date", "", "kind", "closed").says(422, "Choose a date.")
	for _, date := range []string{"2027-02-30", "1999-12-31", "2101-01-01", "tomorrow", "2027-2-3", "2027-02-03\x00",
		"<b>"} {
		ada.post(usual+"/date", "workspace", "acme", "seen", seen, "date", date, "kind", "closed").says(422,
			"isn't a date")
		ada.post(usual+"/dates", "workspace", "acme", "seen", seen, "remove", date).says(422, "isn't a date")
		ada.post(usual+"/dates", "workspace", "acme", "seen", seen, "remove", "2027-01-01.."+date).says(422,
			"isn't a date")
	}
	for _, kind := range []string{"", "open", "<b>"} {
		ada.post(usual+"/date", "workspace", "acme", "seen", seen, "date", "2027-02-03", "kind", kind).says(422,
			"Choose which hours apply")
	}
	if w.export("acme") != before {
		t.Error("something was changed")
	}
}

func TestAway_ClosesBothEndsAndSaysWhatItReplaced(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	ada.submit(usual+"?date=2027-02-03", "kind", "hours", "hours", "10-12")
	p := ada.submit(usual, "from", "2027-02-02", "until", "2027-02-04")
	p.leads(usual + "?month=2027-02&saved=away&closed=3&replaced=1#dates")
	before, _, _ := strings.Cut(p.Location(), "#")
	ada.get(before).says(200, "3 days are now blocked. The date-specific hours of 1 day were replaced.",
		"Tuesday 2 February 2027 – Thursday 4 February 2027 3 days, closed")
	w.holds("acme", `"2027-02-02": []`, `"2027-02-03": []`, `"2027-02-04": []`)
	if text := w.export("acme"); strings.Contains(text, "2027-02-01") || strings.Contains(text, "2027-02-05") {
		t.Errorf("days around are closed too:\n%s", text)
	}
	ada.submit(usual, "remove", "2027-02-02..2027-02-04").leads(usual + "?saved=dates#dates")
	if text := w.export("acme"); strings.Contains(text, "2027-02-0") {
		t.Errorf("not removed:\n%s", text)
	}
}

func TestAway_BoundsAreSaidAndKept(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	for _, c := range []struct{ from, until, want string }{
		{"2027-02-04", "2027-02-03", "can't be before"},
		{"2027-01-01", "2028-01-02", "at most 366 days at once; these are 367"},
		{"1999-12-31", "2000-01-02", "First day:"},
		{"2100-12-31", "2101-01-01", "Last day:"},
		{"", "", "Choose a date."},
		{"<b>", "2027-02-03", "First day:"},
	} {
		if p := ada.submit(usual, "from", c.from, "until", c.until).says(422, c.want); !p.keeps("from", c.from) ||
			!p.keeps("until", c.until) {
			t.Errorf("%v were not kept", c)
		}
	}
	ada.submit(usual, "from", "2027-01-01", "until",
		"2028-01-01").leads(usual + "?month=2027-01&saved=away&closed=366&replaced=0#dates")
	ada.submit(usual, "from", "2100-12-31", "until",
		"2100-12-31").leads(usual + "?month=2100-12&saved=away&closed=1&replaced=0#dates")
}

func TestDates_AtMostAThousand(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	ada.submit(usual, "from", "2028-01-01", "until", "2028-12-31")
	ada.submit(usual, "from", "2029-01-01", "until", "2029-12-31")
	p := ada.submit(usual, "from", "2030-01-01", "until", "2030-12-31").says(422, "at most 1000 dates; it holds 1096")
	if !p.keeps("from", "2030-01-01") || !p.keeps("until", "2030-12-31") ||
		strings.Contains(w.export("acme"), "2030-") {
		t.Error("what was typed is not kept, or what was too much is")
	}
}

func TestDates_PastOnesAreCountedAndRemovedAtOnce(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	ada.submit(usual, "from", "2027-01-30", "until", "2027-02-02")
	ada.get(usual).says(200, "2 dates are in the past.", "Monday 1 February 2027 – Tuesday 2 February 2027")
	ada.submit(usual, "remove", "past").leads(usual + "?saved=dates#dates")
	w.holds("acme", `"2027-02-01": []`, `"2027-02-02": []`)
	if strings.Contains(w.export("acme"), "2027-01") {
		t.Error("past ones are still there")
	}
}

// At 08:00 UTC on Monday it is still Sunday evening just east of the date line.
func TestDates_TodayIsTheSchedulesOwn(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	ada.submit(usual, "zone", "Pacific/Pago_Pago")
	ada.submit(usual, "from", "2027-01-30", "until", "2027-01-31")
	ada.get(usual).says(200, "1 date is in the past.", "Sunday 31 January 2027 closed")
}

func TestDates_TheSecondOfTwoSeesTheConflict(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	at := usual + "?date=2027-02-03"
	old := ada.get(at)
	ada.submit(at, "kind", "closed")
	p := ada.fill(old, at, "kind", "hours", "hours", "10-12").says(409, "Someone else changed this",
		"Wednesday 3 February 2027: closed")
	if !p.keeps("hours", "10-12") {
		t.Error("what was typed is lost")
	}
	w.holds("acme", `"2027-02-03": []`)
	ada.fill(p, at, "kind", "hours", "hours", "10-12").leads(usual + "?month=2027-02&saved=dates#dates")
	p = ada.fill(old, at, "from", "2027-02-01", "until", "2027-02-05").says(409,
		"Wednesday 3 February 2027: 10:00-12:00")
	ada.fill(p, at, "from", "2027-02-01", "until",
		"2027-02-05").leads(usual + "?month=2027-02&saved=away&closed=5&replaced=1#dates")
	old = ada.get(usual)
	ada.submit(usual, "mon", "")
	ada.fill(old, usual, "remove", "2027-02-01..2027-02-05").says(409, "The list below shows the current hours")
	w.holds("acme", `"2027-02-05": []`)
}
