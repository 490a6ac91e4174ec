package public

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/availability/zone"
)

// clocks has opening hours in the nights in which New York's clocks change, and an event type with every kind of limit.
const clocks = `
workspace: {slug: acme, name: Clocks, time_zone: America/New_York}
host: {name: Ada Park, email: ada@acme.example}
schedules:
  default:
    weekly: {mon: ["09:00-12:00", "13:00-17:00"], tue: ["09:00-17:00"], wed: ["22:00-24:00"], thu: ["00:00-03:00", "09:00-10:00"], fri: ["09:00-17:00"]}
    overrides: {"2027-03-14": ["00:00-06:00"], "2027-03-15": [], "2027-11-07": ["00:30-04:00"], "2027-11-08": ["01:00-02:00"]}
  always:
    weekly: {mon: ["00:00-24:00"], tue: ["00:00-24:00"], wed: ["00:00-24:00"], thu: ["00:00-24:00"], fri: ["00:00-24:00"], sat: ["00:00-24:00"], sun: ["00:00-24:00"]}
event_types:
  - {slug: limits, title: Limits, duration_minutes: 30, slot_interval_minutes: 15, buffer_before_minutes: 10, buffer_after_minutes: 5, max_per_day: 2, minimum_notice_minutes: 600, booking_window_days: 26, location: {type: video}}
  - {slug: dense, title: Dense, duration_minutes: 30, schedule: always, booking_window_days: 26, location: {type: video}}
`

// viewers are time zones of guests. Clocks go back at midnight in Beirut, Cairo, Havana and Santiago, by half an hour
// on Lord Howe, by two hours at Troll, and for Ramadan in Casablanca.
var viewers = strings.Fields(`
	Africa/Cairo Africa/Casablanca America/Havana America/New_York America/Santiago America/Sao_Paulo America/St_Johns
	Antarctica/Troll Asia/Beirut Asia/Kathmandu Asia/Kolkata Asia/Tehran Australia/Lord_Howe Europe/Berlin Europe/London
	Pacific/Apia Pacific/Chatham Pacific/Kiritimati Pacific/Pago_Pago UTC`)

// changes are the two clock changes. Within four weeks most other places change their clocks too.
var changes = map[string]time.Time{
	"spring": time.Date(2027, 3, 13, 20, 10, 0, 0, time.UTC),
	"autumn": time.Date(2027, 10, 28, 12, 10, 0, 0, time.UTC),
}

// bookedAlready are slots in the nights of the clock changes, and slots that fill up their days.
var bookedAlready = map[string][]string{
	"spring": {"2027-03-14T06:30:00Z", "2027-03-14T08:00:00Z", "2027-03-16T13:00:00Z", "2027-03-18T02:30:00Z"},
	"autumn": {"2027-11-07T08:00:00Z", "2027-11-07T05:00:00Z", "2027-11-01T14:30:00Z", "2027-11-08T06:00:00Z"},
}

func TestSlots_AreTheEndpoints_InEveryZone(t *testing.T) {
	for season, now := range changes {
		t.Run(season, func(t *testing.T) {
			w := atChange(t, newSQLiteWorld(t), season, now)
			for _, eventType := range []string{"limits", "dense"} {
				want := w.listed(eventType)
				if len(want) < 50 {
					t.Fatalf("only %d slots of %s", len(want), eventType)
				}
				for _, name := range viewers {
					got := w.walk(eventType, name)
					if missing, extra := differ(want, got); missing != nil || extra != nil {
						t.Errorf("%s in %s: %d slots, want %d; missing %v, not offered %v", eventType, name, len(got),
							len(want), missing, extra)
					}
				}
			}
		})
	}
}

func atChange(t *testing.T, w *world, season string, now time.Time) *world {
	t.Helper()
	w.Clock.Set(now)
	w.Apply(clocks)
	for i, slot := range bookedAlready[season] {
		w.create([]string{"limits", "dense"}[i%2], slot)
	}
	return w
}

// listed returns everything that get_availability offers. It asks day by day where a longer list would be cut.
func (w *world) listed(eventType string) []string {
	w.T.Helper()
	first := zone.UTCDate(w.Clock.Now()) - 1
	var all []string
	for d := first; d < first+60; d += 30 {
		slots, whole := w.availability(eventType, d, 30)
		if !whole {
			slots = nil
			for day := d; day < d+30; day++ {
				more, whole := w.availability(eventType, day, 1)
				if !whole {
					w.T.Fatalf("%s has more slots than can be listed", day)
				}
				slots = append(slots, more...)
			}
		}
		all = append(all, slots...)
	}
	return all
}

func (w *world) availability(eventType string, from zone.Date, days int) (slots []string, whole bool) {
	w.T.Helper()
	result, failure := w.call("get_availability",
		fmt.Sprintf(`{"workspace":"acme","event_type":%q,"start_date":%q,"days":%d}`, eventType, from, days))
	if failure != nil {
		w.T.Fatal(failure)
	}
	for _, slot := range result["slots"].([]any) {
		slots = append(slots, slot.(string))
	}
	return slots, len(slots) == int(result["slot_count"].(float64))
}

// walk follows the page's links through all months and days, checks every time and returns the slots.
func (w *world) walk(eventType, zoneName string) (slots []string) {
	w.T.Helper()
	page := w.get("/acme/" + eventType + "?tz=" + zoneName).OK()
	for n := 0; page.Has("#prev") && n < maxMonths; n++ {
		page = w.get(page.First("#prev").Attr("href")).OK()
	}
	for n := 0; ; n++ {
		for _, day := range page.Find("a.day") {
			slots = append(slots, w.checkDay(day, zoneName)...)
		}
		if !page.Has("#next") || n == maxMonths {
			return slots
		}
		page = w.get(page.First("#next").Attr("href")).OK()
	}
}

// maxMonths is more than can be booked: a page whose links form a circle must not hang a test.
const maxMonths = 5

// checkDay opens a day, checks everything that the page says about its times and returns the slots.
func (w *world) checkDay(day *node, zoneName string) (slots []string) {
	w.T.Helper()
	href := day.Attr("href")
	page, location := w.get(href).OK(), zone.MustLoad(zoneName).Location()
	wrong := func(format string, args ...any) {
		w.T.Helper()
		w.T.Errorf("%s: %s", href, fmt.Sprintf(format, args...))
	}
	for _, chosen := range page.Find("a.day") {
		if (chosen.Attr("aria-current") == "true") != (chosen.Attr("href") == href) {
			wrong("%s is not the day that was chosen", chosen.Attr("aria-label"))
		}
	}
	names := map[string]bool{}
	for _, link := range page.First(".times").Find("a") {
		slot := queryOf(w.T, link.Attr("href")).Get("slot")
		local := instantOf(w.T, slot).In(location)
		text := clockOf(local)
		if date := queryOf(w.T, href).Get("date"); local.Format(time.DateOnly) != date {
			wrong("%s is on %s", slot, local)
		}
		if want := local.Format("Monday 2 January"); page.First("#day").Words() != want ||
			day.Attr("aria-label") != want {
			wrong("the day is called %q and %q, want %q", page.First("#day").Words(), day.Attr("aria-label"), want)
		}
		if link.Words() != text || link.Attr("aria-label") != local.Format("Monday 2 January, ")+text {
			wrong("%s reads %q, %q; want %q", slot, link.Words(), link.Attr("aria-label"), text)
		}
		if names[link.Attr("aria-label")] {
			wrong("two times are called %s", link.Attr("aria-label"))
		}
		names[link.Attr("aria-label")] = true
		slots = append(slots, slot)
	}
	if len(slots) == 0 {
		wrong("a day that can be chosen has no times")
		return nil
	}
	w.wantLabel(page, instantOf(w.T, slots[0]).In(location))
	return slots
}

// wantLabel checks that the page shows the offset of the day's first time.
func (w *world) wantLabel(page *node, local time.Time) {
	w.T.Helper()
	want := local.Location().String() + local.Format(", UTC-07:00")
	if local.Location().String() == "UTC" {
		want = "UTC+00:00"
	}
	if got := page.First(".zone").First("strong").Words(); got != want {
		w.T.Errorf("%s: times are said to be in %q, want %q", local, got, want)
	}
}

// clockOf returns the wall time, with the offset if the same wall time occurs twice.
func clockOf(local time.Time) string {
	const wall = "2006-01-02 15:04"
	for _, apart := range []time.Duration{30 * time.Minute, time.Hour, 2 * time.Hour} {
		if local.Add(apart).Format(wall) == local.Format(wall) || local.Add(-apart).Format(wall) == local.Format(wall) {
			return local.Format("15:04 (UTC-07:00)")
		}
	}
	return local.Format("15:04")
}

func queryOf(t testing.TB, href string) url.Values {
	t.Helper()
	u, err := url.Parse(href)
	if err != nil {
		t.Fatal(err)
	}
	q, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func instantOf(t testing.TB, slot string) time.Time {
	t.Helper()
	at, wrong := slotd.ParseInstant(slot)
	if wrong != "" {
		t.Fatalf("%q is no instant: %s", slot, wrong)
	}
	return at
}

// differ compares two lists regardless of order. A slot that appears twice is one too many.
func differ(want, got []string) (missing, extra []string) {
	balance := map[string]int{}
	for _, slot := range want {
		balance[slot]++
	}
	for _, slot := range got {
		balance[slot]--
	}
	for _, slot := range slices.Sorted(maps.Keys(balance)) {
		switch {
		case balance[slot] > 0:
			missing = append(missing, slot)
		case balance[slot] < 0:
			extra = append(extra, slot)
		}
	}
	return missing, extra
}

// Samples of the shown slots can be booked through their links, also in the night of the clock change.
func TestSlots_ThatAreShownCanBeBooked(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		atChange(t, w, "autumn", changes["autumn"])
		shown := w.walk("dense", "America/New_York")
		for _, slot := range append([]string{"2027-11-07T05:30:00.000Z", "2027-11-07T06:30:00.000Z"}, shown[0],
			shown[len(shown)/2], shown[len(shown)-1]) {
			if !slices.Contains(shown, slot) {
				t.Fatalf("%s is not shown", slot)
			}
			w.get(w.book("/acme/dense", slot, "tz", "America/New_York")).OK()
			if slices.Contains(w.listed("dense"), slot) {
				t.Errorf("%s was booked and is open", slot)
			}
		}
	})
}

// Slots that are not shown are rejected with the alternatives that the endpoint offers.
func TestSlots_ThatAreNotShownCannotBeBooked(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		atChange(t, w, "autumn", changes["autumn"])
		action, fields := w.form("/acme/limits", w.listed("limits")[0])
		fields.Set("name", "Grace")
		fields.Set("email", "grace@example.com")
		before := w.Counts()
		for about, slot := range map[string]string{
			"taken": "2027-11-07T08:00:00.000Z", "past": "2027-10-28T12:00:00.000Z",
			"within the notice": "2027-10-28T13:00:00.000Z",
			"beyond the window": "2027-11-30T15:00:00.000Z", "off the grid": "2027-11-09T14:01:00.000Z",
			"closed":      "2027-11-14T15:00:00.000Z",
			"in a buffer": "2027-11-01T14:15:00.000Z", "far": "2099-01-01T00:00:00.000Z",
			"long ago": "2000-01-01T00:00:00.000Z",
		} {
			fields.Set("slot", slot)
			page := w.post(action, fields).Is(http.StatusConflict).Page()
			if got, want := radios(page), w.alternatives("limits", slot); len(got) == 0 || !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", about, got, want)
			}
			if page.First("#name").Attr("value") != "Grace" ||
				!strings.Contains(page.First(".alert").Words(), "What you typed is still here") {
				t.Errorf("%s: what was typed is lost", about)
			}
			gone := w.get("/acme/limits?slot=" + slot).OK()
			var offered []string
			for _, link := range gone.First(".alert").Find("a") {
				offered = append(offered, queryOf(t, link.Attr("href")).Get("slot"))
			}
			if !slices.Equal(offered, radios(page)) || gone.Has("#book") {
				t.Errorf("%s: the link offers %v", about, offered)
			}
		}
		if w.Counts() != before {
			t.Error("something was written")
		}
	})
}

func radios(page *node) (values []string) {
	for _, input := range page.First("#book").Find("input") {
		if input.Attr("type") == "radio" {
			values = append(values, input.Attr("value"))
		}
	}
	return values
}

// alternatives returns what the endpoint offers instead of the slot.
func (w *world) alternatives(eventType, slot string) (alternatives []string) {
	w.T.Helper()
	_, failure := w.call("create_booking",
		fmt.Sprintf(`{"event_type":%q,"slot_start":%q,"attendee_name":"A","attendee_email":"a@example.com","attendee_time_zone":"UTC"}`, eventType, slot))
	if failure["code"] != string(slotd.SlotUnavailable) {
		w.T.Fatalf("%s: %v", slot, failure)
	}
	for _, a := range failure["alternatives"].([]any) {
		alternatives = append(alternatives, a.(string))
	}
	return alternatives
}
