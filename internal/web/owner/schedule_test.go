package owner

import (
	"strings"
	"testing"
)

const usual = "/settings/hours/default"

func TestSchedule_TheWeekIsInTheFile(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	ada.get(usual).says(200, "Used by: Intro call, Consulting", "UTC, the workspace's time zone", "Or type your hours")
	ada.submit(usual, "mon", "09:10-09:50, 13:00-17:00", "tue", "", "sun", "00:00-24:00", "zone",
		"new york").leads(usual + "?saved=week")
	ada.get(usual+"?saved=week").says(200, "Saved.", "America/New_York")
	w.holds("acme", "time_zone: America/New_York", `mon: ["09:10-09:50", "13:00-17:00"]`, `sun: ["00:00-24:00"]`)
	if strings.Contains(w.scheduleOf("acme", "default"), "tue:") {
		t.Error("Tuesday is still open")
	}
	ada.submit(usual, "zone", "").leads(usual + "?saved=week")
	if strings.Contains(w.scheduleOf("acme", "default"), "time_zone") {
		t.Error("the zone is not the workspace's again")
	}
}

func TestSchedule_HoursAreReadAsPeopleTypeThem(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	for typed, want := range map[string]string{
		"9-17":                      `["09:00-17:00"]`,
		"9:30–12":                   `["09:30-12:00"]`,
		"09.00 - 12.00; 13 — 17:30": `["09:00-12:00", "13:00-17:30"]`,
		"22:00-24:00":               `["22:00-24:00"]`,
		"9-10 11-12":                `["09:00-10:00", "11:00-12:00"]`,
		", 9-10,,":                  `["09:00-10:00"]`,
	} {
		ada.submit(usual, "wed", typed).leads(usual + "?saved=week")
		if part := w.scheduleOf("acme", "default"); !strings.Contains(part, "wed: "+want) {
			t.Errorf("%q became\n%s", typed, part)
		}
	}
}

func TestSchedule_WrongHoursAreShownAsTyped(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	before := w.export("acme")
	for _, typed := range []string{
		"closed", "17-9", "09:00-09:00", "09:00-24:01", "25-26", "09:60-10:00", "9-", "-", "9-10-11",
		"<script>alert(1)</script>", "٩-١٧",
		"09:00-12:00, x", "\x00", "9-12\x00", "-1-5", "+9-12", strings.Repeat("9", 5000),
		strings.TrimSuffix(strings.Repeat("09:00-09:10,", 97), ","),
	} {
		p := ada.submit(usual, "mon", typed, "tue", "10-11").says(422, "Monday")
		if !p.keeps("mon", typed) || !p.keeps("tue", "10-11") || !strings.Contains(p.Body, `aria-invalid="true"`) {
			t.Errorf("%.40q was not kept and marked", typed)
		}
		if strings.Contains(p.Body, "<script>alert") {
			t.Errorf("%q is not escaped", typed)
		}
	}
	for _, zone := range []string{"Mars/Olympus", "../../etc/passwd", "<b>", strings.Repeat("x", 3000), "Local"} {
		p := ada.submit(usual, "zone", zone).says(422, "Time zone must be a city or a time zone")
		if !p.keeps("zone", zone) {
			t.Errorf("%.40q was not kept", zone)
		}
	}
	if w.export("acme") != before {
		t.Error("something was changed")
	}
}

func TestSchedule_TheSecondOfTwoSeesTheConflict(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ada, eve := w.ada(), w.owner("acme", "eve@acme.example")
		old := ada.get(usual)
		eve.submit(usual, "mon", "12:00-13:00", "fri", "").leads(usual + "?saved=week")
		p := ada.fill(old, usual, "mon", "08:00-09:00").says(409, "Someone else changed this",
			"Monday is now 12:00-13:00.", "Friday is now closed (changed by someone else).")
		if strings.Contains(p.Text(), "Tuesday is now") || !p.keeps("mon", "08:00-09:00") {
			t.Errorf("not what differs, or what was typed: %s", p.Text())
		}
		w.holds("acme", `mon: ["12:00-13:00"]`)
		ada.fill(p, usual, "tue", "").leads(usual + "?saved=week")
		w.holds("acme", `mon: ["08:00-09:00"]`, `thu: ["09:00-17:00"]`)
		if strings.Contains(w.export("acme"), "fri:") {
			t.Error("Friday is open again")
		}
	})
}

func TestSchedule_DatesOfOthersStayWhenTheWeekIsSaved(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	old := ada.get(usual)
	ada.submit(usual, "from", "2027-02-10", "until", "2027-02-10")
	p := ada.fill(old, usual, "mon", "08:00-09:00").says(409, "Only date-specific hours")
	ada.fill(p, usual, "mon", "08:00-09:00").leads(usual + "?saved=week")
	w.holds("acme", `mon: ["08:00-09:00"]`, `"2027-02-10": []`)
}

func TestSchedule_GoneMeanwhileIsSaid(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	ada.submit("/settings/hours", "name", "spare")
	old := ada.get("/settings/hours/spare")
	w.Apply(acme)
	ada.fill(old, "/settings/hours/spare", "mon", "08:00-09:00").says(404, "Schedule not found")
}

func TestSchedule_ReadingChangesNothingAndFormsCanBeReloaded(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	before := w.export("acme")
	for _, part := range []string{"/date", "/dates", "/away", "/delete"} {
		ada.get(usual + part + "?remove=past&date=2027-02-03&kind=closed").leads(usual)
	}
	for _, query := range []string{"?date=2027-02-03", "?month=2027-13", "?month=%00", "?date=<script>",
		"?saved=dates&closed=9e9&replaced=-1", "?month=2000-01", "?month=2100-12", "?month=0000-00"} {
		if p := ada.get(usual + query); p.Status != 200 || strings.Contains(p.Body, "<script>alert") {
			t.Errorf("%s: %d", query, p.Status)
		}
	}
	if w.export("acme") != before {
		t.Error("reading changed something")
	}
}
