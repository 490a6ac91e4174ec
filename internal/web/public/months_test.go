package public

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// seldom has one event type with three open dates in a year and a half, and one without any.
const seldom = `
workspace: {slug: acme, name: Seldom, time_zone: UTC}
host: {name: Ada, email: ada@acme.example}
schedules:
  default: {weekly: {}, overrides: {"2027-04-20": ["09:00-10:00"], "2027-04-22": ["09:00-10:00"], "2028-02-29": ["09:00-10:00"]}}
  never: {weekly: {}, overrides: {"2027-04-20": []}}
event_types:
  - {slug: rare, title: Rare, duration_minutes: 30, booking_window_days: 500, location: {type: video}}
  - {slug: none, title: None, duration_minutes: 30, booking_window_days: 70, schedule: never, location: {type: video}}
`

// shown is what a page shows of its month.
type shown struct{ month, day, note string }

func shownOn(page *node) shown {
	return shown{page.First("#month").Words(), page.First("#day").Words(), page.First(".note").Words()}
}

func TestMonth_TheFirstOpenDayIsChosen(t *testing.T) {
	w := newSQLiteWorld(t)
	w.Clock.Set(time.Date(2027, 2, 5, 16, 45, 0, 0, time.UTC)) // Friday, after the last slot began
	page := w.get("/acme/intro?tz=UTC").OK()
	if got := shownOn(page); got != (shown{"February 2027", "Monday 8 February", ""}) {
		t.Error(got)
	}
	if got := page.First("a.day"); got.Words() != "8" || got.Attr("aria-current") != "true" ||
		got.Attr("aria-label") != "Monday 8 February" {
		t.Errorf("%s %v", got.Words(), got.Attrs)
	}
}

func TestMonth_DaysWithoutTimesCannotBeChosen(t *testing.T) {
	page := newSQLiteWorld(t).get("/acme/intro?tz=UTC").OK()
	for _, day := range page.Find(".day") {
		number, err := strconv.Atoi(day.Words())
		if err != nil {
			t.Fatal(err)
		}
		date := time.Date(2027, 2, number, 0, 0, 0, 0, time.UTC)
		weekend := date.Weekday() == time.Saturday || date.Weekday() == time.Sunday
		if (day.Tag == "a") == weekend {
			t.Errorf("%s is a %s", date.Format("Mon 2"), day.Tag)
		}
	}
	if days := page.Find(".day"); len(days) != 28 {
		t.Errorf("February 2027 has %d days", len(days))
	}
}

func TestMonth_AnEmptyOneLeadsToTheNextThatHasTimes(t *testing.T) {
	w := newSQLiteWorld(t)
	w.Apply(seldom)
	if got := shownOn(w.get("/acme/rare").OK()); got != (shown{"April 2027", "Tuesday 20 April", ""}) {
		t.Errorf("without a month: %v", got)
	}
	for asked, leads := range map[string]string{"2027-02": "April 2027", "2027-03": "April 2027",
		"2027-05": "February 2028", "2028-01": "February 2028"} {
		page := w.get("/acme/rare?name=Grace&month=" + asked).OK()
		button := page.First(".day-times").First("a.button")
		if !strings.HasPrefix(page.First(".day-times").Words(), "No times available in "+page.First("#month").Words()) ||
			button.Words() != "Go to "+leads {
			t.Errorf("%s: %s", asked, page.First(".day-times").Words())
			continue
		}
		if next := w.get(button.Attr("href")).OK(); next.First("#month").Words() != leads || !next.Has(".times") {
			t.Errorf("%s leads to %s", asked, shownOn(next))
		}
		if queryOf(t, button.Attr("href")).Get("name") != "Grace" {
			t.Errorf("%s forgets who asks: %s", asked, button.Attr("href"))
		}
	}
	last := w.get("/acme/rare?month=2028-03").OK()
	if got := last.First(".day-times").Words(); got != "No times available in March 2028 No later times are available either." {
		t.Error(got)
	}
}

func TestMonth_NothingIsOpenAtAll(t *testing.T) {
	w := newSQLiteWorld(t)
	w.Apply(seldom)
	for query, want := range map[string]string{"": "No times are available. Please check back later.",
		"?month=2027-02":   "No times are available. Please check back later.",
		"?date=2027-02-03": "No times are available. Please check back later.",
		"?month=2027-04":   "No later times are available either."} {
		page := w.get("/acme/none" + query).OK()
		if got := page.First(".day-times").Words(); !strings.HasSuffix(got, want) ||
			page.Has("a.day") || page.Has(".times") {
			t.Errorf("%s: %s", query, got)
		}
		if got := page.First(".calendar").Attr("data-status"); !strings.HasSuffix(got, ": no available times") {
			t.Errorf("%s: %s", query, got)
		}
	}
}

func TestDate_OutsideTheMonthsIsTheNearestMonth(t *testing.T) {
	w := newSQLiteWorld(t)
	for date, want := range map[string]shown{
		"2026-01-01": {"February 2027", "Monday 1 February", ""},
		"2099-12-31": {"April 2027", "Thursday 1 April", ""},
	} {
		if got := shownOn(w.get("/acme/intro?tz=UTC&date=" + date).OK()); got != want {
			t.Errorf("%s: %q, want %q", date, got, want)
		}
	}
}

func TestMonth_EndsWhereNothingCanBeBooked(t *testing.T) {
	w := newSQLiteWorld(t) // bookable for 60 days after 1 February, until 2 April
	var months []string
	page := w.get("/acme/intro?tz=UTC&month=2020-01").OK()
	if page.Has("#prev") {
		t.Error("there is a month before the first")
	}
	for months = append(months, page.First("#month").Words()); page.Has("#next") &&
		len(months) < 9; months = append(months, page.First("#month").Words()) {
		page = w.get(page.First("#next").Attr("href")).OK()
	}
	if !slices.Equal(months, []string{"February 2027", "March 2027", "April 2027"}) {
		t.Error(months)
	}
	if back := w.get(page.First("#prev").Attr("href")).OK(); back.First("#month").Words() != "March 2027" {
		t.Error(shownOn(back))
	}
}

func TestMonth_AtTheYearsEndAndItsOwnZonesDate(t *testing.T) {
	w := newSQLiteWorld(t)
	w.Clock.Set(time.Date(2027, 12, 31, 11, 0, 0, 0, time.UTC)) // already next year on Kiritimati
	page := w.get("/acme/intro?tz=Pacific/Kiritimati").OK()
	if page.First("#month").Words() != "January 2028" || page.Has("#prev") {
		t.Error(shownOn(page))
	}
	page = w.get("/acme/intro?tz=Pacific/Pago_Pago").OK()
	if page.First("#month").Words() != "December 2027" ||
		queryOf(t, page.First("#next").Attr("href")).Get("month") != "2028-01" {
		t.Error(shownOn(page))
	}
}

func TestDate_WithoutTimesSaysSoAndShowsTheNext(t *testing.T) {
	w := newSQLiteWorld(t)
	w.Apply(seldom)
	for date, want := range map[string]shown{
		"2027-04-20": {"April 2027", "Tuesday 20 April", ""},
		"2027-04-22": {"April 2027", "Thursday 22 April", ""},
		"2027-04-01": {"April 2027", "Tuesday 20 April",
			"No times are available on Thursday 1 April. Showing Tuesday 20 April instead."},
		"2027-04-21": {"April 2027", "Thursday 22 April",
			"No times are available on Wednesday 21 April. Showing Thursday 22 April instead."},
		"2027-04-30": {"April 2027", "Thursday 22 April",
			"No times are available on Friday 30 April. Showing Thursday 22 April instead."},
		"2028-02-29": {"February 2028", "Tuesday 29 February", ""},
		"2027-03-03": {"March 2027", "", ""}, // the month has no open times at all, and the page says so
	} {
		page := w.get("/acme/rare?date=" + date).OK()
		if got := shownOn(page); got != want {
			t.Errorf("%s: %q, want %q", date, got, want)
		}
	}
}

// A nonsensical URL still gives a usable page.
func TestAddress_NonsenseIsHarmless(t *testing.T) {
	w := newSQLiteWorld(t)
	for _, name := range []string{"month", "date", "slot", "tz", "name", "email", "phone", "notes", "form",
		"leave_empty", "week"} {
		for _, value := range []string{
			"", " ", "0", "-1", "2027", "2027-13", "2027-00", "2027-02-30", "2027-02-00", "1999-12", "1999-12-31",
			"2100-12", "2100-12-31", "2101-01", "9999-12-31",
			"0000-01-01", "2027-2-3", "2027-02-03T", "99999999999999999999", "2027-02-02T09:30:00",
			"2027-02-02T09:30:00.0001Z", "2027-02-02T25:00:00Z",
			"2099-12-31T23:59:59Z", "2000-01-01T00:00:00Z", "NaN", "null", "\x00", "\xff\xfe", "\r\nSet-Cookie: x=y",
			"<script>alert(1)</script>", `"><b>`,
			"../../etc/passwd", "Local", "localtime", "posixrules", "right/UTC", "{{.}}", "%s%n", "\u202e", "🦉",
			strings.Repeat("9", 5000), strings.Repeat("é", 3000),
		} {
			page := w.get("/acme/intro?" + name + "=" + url.QueryEscape(value)).OK()
			if !page.Has(".times") && !page.Has("#book") {
				t.Errorf("%s=%.40q: nothing can be chosen", name, value)
			}
		}
	}
	for _, query := range []string{"%zz", "month", "=", "&&&", "month=2027-03&month=x", "date=2027-03-03;slot=1", "a=%",
		"date[]=2027-03-03"} {
		if page := w.get("/acme/intro?" + query).OK(); !page.Has(".times") {
			t.Errorf("%q: nothing can be chosen", query)
		}
	}
}

func TestSlot_IsReadHoweverItIsWritten(t *testing.T) {
	w := newSQLiteWorld(t)
	for _, slot := range []string{"2027-02-02T09:30:00.000Z", "2027-02-02T09:30Z", "2027-02-02T10:30:00%2B01:00",
		"2027-02-02T10:30:00+01:00", "2027-02-02T04:30:00-0500"} {
		if got := w.get("/acme/intro?slot=" + slot).OK().First("#book").Fields().Get("slot"); got != at("02-02 09:30") {
			t.Errorf("%s became %q", slot, got)
		}
	}
}

func TestMonth_OfALeapYear(t *testing.T) {
	w := newSQLiteWorld(t)
	w.Clock.Set(time.Date(2028, 2, 1, 8, 0, 0, 0, time.UTC))
	days := w.get("/acme/intro?tz=UTC").OK().Find(".day")
	if len(days) != 29 || days[28].Attr("aria-label") != "Tuesday 29 February" {
		t.Errorf("%d days, the last is %v", len(days), days[len(days)-1].Attrs)
	}
	if got := shownOn(w.get("/acme/intro?tz=UTC&date=2028-02-29").OK()); got.day != "Tuesday 29 February" {
		t.Error(got)
	}
}

func TestMonth_EveryDateStandsUnderItsWeekday(t *testing.T) {
	w := newSQLiteWorld(t)
	for language, first := range map[string]string{"en-US": "Sunday", "de": "Monday", "": "Monday", "ar-EG": "Saturday",
		"pt-BR": "Sunday"} {
		for _, month := range []string{"2027-02", "2027-03", "2027-04"} {
			page := w.get("/acme/intro?tz=UTC&month="+month, "Accept-Language", language).OK()
			heads := page.First(".month").Find("th")
			if len(heads) != 7 || !strings.HasPrefix(heads[0].Words(), first) {
				t.Fatalf("%s: the week starts on %s, want %s", language, heads[0].Words(), first)
			}
			day, start := 0, instantOf(t, month+"-01T00:00:00Z")
			for _, row := range page.First(".month").First("tbody").Find("tr") {
				for column, cell := range row.Find("td") {
					if cell.Words() == "" {
						continue
					}
					date := start.AddDate(0, 0, day)
					if day++; cell.Words() != strconv.Itoa(day) ||
						!strings.HasPrefix(heads[column].Words(), date.Weekday().String()) {
						t.Errorf("%s, %s: %s stands under %s", language, month, cell.Words(), heads[column].Words())
					}
				}
			}
			if want := start.AddDate(0, 1, -1).Day(); day != want {
				t.Errorf("%s has %d days", month, day)
			}
		}
	}
}

func TestMonth_TodayIsMarked(t *testing.T) {
	w := newSQLiteWorld(t)
	for now, want := range map[string]map[string]string{
		"2027-02-06T11:00:00Z": {"UTC": "span 6", "Pacific/Kiritimati": "span 7"}, // a Saturday; Sunday there
		"2027-02-08T08:00:00Z": {"UTC": "a 8", "Pacific/Pago_Pago": "a 7"},        // a Monday; Sunday there
	} {
		w.Clock.Set(instantOf(t, now))
		for zone, day := range want {
			page := w.get("/acme/intro?month=2027-02&tz=" + zone).OK()
			if marked := page.Find(".today"); len(marked) != 1 || marked[0].Tag+" "+marked[0].Words() != day {
				t.Errorf("%s at %s: %d are marked, want %s", zone, now, len(marked), day)
			}
			if next := w.get(page.First("#next").Attr("href")).OK(); next.Has(".today") {
				t.Errorf("%s: today is in another month, too", zone)
			}
		}
	}
}

// What screen readers say about the month, about a day with times and about one without.
func TestMonth_LabelsForScreenReaders(t *testing.T) {
	w := newSQLiteWorld(t)
	page := w.get("/acme/intro?date=2027-02-09&tz=UTC").OK()
	if got := page.First(".calendar").Attr("data-status"); got != "February 2027: 20 days with available times" {
		t.Error(got)
	}
	if got := page.First(".day-times").Attr("data-status"); got != "Tuesday 9 February: 16 available times" {
		t.Error(got)
	}
	for _, cell := range page.Find("td") {
		want := map[string]string{"6": "Saturday 6 February, no available times",
			"7": "Sunday 7 February, no available times"}[cell.Words()]
		if got := cell.Attr("aria-label"); want != "" && got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
