package owner

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/store/sqlcgen"
)

const berlin = `
workspace: {slug: acme, name: Acme Inc, time_zone: Europe/Berlin}
host: {name: Ada Park, email: ada@acme.example}
schedules:
  default:
    weekly: {mon: ["09:00-17:00"], tue: ["09:00-17:00"], sun: ["00:00-24:00"]}
    overrides: {"2027-02-08": [], "2027-02-09": ["10:00-12:00"]}
event_types:
  - {slug: intro, title: "Intro <b>call</b>", duration_minutes: 30, location: {type: video}, minimum_notice_minutes: 180, max_per_day: 2, booking_window_days: 400}
  - {slug: secret, title: Secret, duration_minutes: 30, location: {type: video}, hidden: true}
  - {slug: paid, title: Consulting, duration_minutes: 60, location: {type: video}, price: {amount_cents: 5000, currency: usd}}
`

func explainAt(fields ...string) string {
	values := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		values.Set(fields[i], fields[i+1])
	}
	return "/settings/explain?" + values.Encode()
}

func (w *world) book(slug string, start time.Time, name string) *slotd.Booking {
	w.T.Helper()
	b, err := w.Booking.Create(background, booking.Token(w.id("acme"), "tok_1", ""),
		booking.Request{
			EventType: slug, StartsAt: start,
			Attendee: slotd.Attendee{Name: name, Email: "grace@guest.example", TimeZone: "Asia/Tokyo"},
		})
	w.Must(err)
	return b
}

func TestExplain_EveryRuleAnswersInWords(t *testing.T) {
	w := lite(t)
	w.Apply(berlin)
	b := w.book("intro", monday.Add(6*time.Hour), "Grace <i>Hopper</i>") // 15:00 in Berlin
	ada := w.ada()
	for _, c := range []struct {
		about, event, date, time string
		want                     []string
	}{
		{"open", "intro", "2027-02-01", "16:00", []string{"Available.", "Yes Hours", "1 of at most 2"}},
		{"taken", "intro", "2027-02-01", "15:00",
			[]string{"because the time is taken: booking " + b.ID.String(), "No Conflicts", "Grace <i>Hopper</i>",
				"Available instead"}},
		{"too soon", "intro", "2027-02-01", "09:00", []string{"sooner than the minimum notice of 3 hours", "No Minimum notice"}},
		{"in the past", "intro", "2027-01-31", "09:00", []string{"because it's in the past"}},
		{"off the grid", "intro", "2027-02-01", "15:45",
			[]string{"isn't one of the start times", "Nearest start times: 15:30; 16:00"}},
		{"closed", "intro", "2027-02-03", "10:00", []string{"Wednesday 3 February 2027 has no hours"}},
		{"closed for a day", "intro", "2027-02-08", "10:00",
			[]string{"Monday 8 February 2027 has date-specific hours (closed)", "No Date-specific hours"}},
		{"open for a part of a day", "intro", "2027-02-09", "09:00",
			[]string{"(10:00–12:00), which don't include this time"}},
		{"too far", "intro", "2028-05-01", "10:00", []string{"it's too far ahead"}},
		{"hidden", "secret", "2027-02-01", "16:00", []string{"because the event type is hidden"}},
		{"not payable", "paid", "2027-02-02", "10:00", []string{"payments aren't set up", "No Payment"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			p := ada.get(explainAt("event", c.event, "date", c.date, "time", c.time))
			p.says(200, c.want...)
			if strings.Contains(p.Body, "<i>Hopper") || strings.Contains(p.Body, "<b>call") {
				t.Error("an owner's or a guest's words became markup")
			}
		})
	}
}

// The page shows the one instant that is meant, however it was asked for.
func TestExplain_ShowsWhichInstantIsMeant(t *testing.T) {
	w := lite(t)
	w.Apply(berlin)
	ada := w.ada()
	for _, c := range []struct {
		about  string
		fields []string
		want   []string
	}{
		{"an instant", []string{"event", "intro", "at", "2027-02-01T16:00:00+01:00"},
			[]string{"2027-02-01T15:00:00.000Z", "16:00 (Europe/Berlin, UTC+01:00)"}},
		{"a plus that became a space", []string{"event", "intro", "slot", "2027-02-01T16:00:00 01:00"},
			[]string{"2027-02-01T15:00:00.000Z"}},
		{"an address", []string{"at", "https://book.example/acme/intro?slot=2027-02-01T15%3A00%3A00.000Z&zone=Asia/Tokyo"}, []string{"2027-02-01T15:00:00.000Z", "Available."}},
		{"an address beats the fields",
			[]string{"event", "secret", "date", "2027-02-02", "time", "10:00", "at",
				"/acme/intro?slot=2027-02-01T15:00:00Z"}, []string{"2027-02-01T15:00:00.000Z", "Available."}},
		{"a skipped hour", []string{"event", "intro", "date", "2027-03-28", "time", "02:30"},
			[]string{"2027-03-28T01:00:00.000Z", "The clocks skip 02:30"}},
		{"a repeated hour", []string{"event", "intro", "date", "2027-10-31", "time", "02:30"},
			[]string{"2027-10-31T00:30:00.000Z", "UTC+02:00", "twice on this date"}},
		{"its first minute", []string{"event", "intro", "date", "2027-10-31", "time", "02:00"},
			[]string{"2027-10-31T00:00:00.000Z", "twice on this date", "second time"}},
	} {
		t.Run(c.about, func(t *testing.T) { ada.get(explainAt(c.fields...)).says(200, c.want...) })
	}
	p := ada.get(explainAt("event", "intro", "date", "2027-10-31", "time", "02:00"))
	if second := explainAt("event", "intro", "slot", "2027-10-31T01:00:00.000Z"); !strings.Contains(p.Body,
		strings.ReplaceAll(second, "&", "&amp;")) {
		t.Errorf("no link to %s in %s", second, p.Body)
	}
}

func TestExplain_SaysWhatIsWrongWithTheQuestion(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	ada.get("/settings/explain").says(200, "Choose an event type and a time")
	ok := []string{"event", "intro", "date", "2027-02-01", "time", "10:00", "at", ""}
	for field, values := range map[string][]string{
		"event": {"", "nothing", "../other", "<script>", strings.Repeat("x", 5000)},
		"date":  {"x", "2027-02-30", "1999-01-01", "2101-01-01", "02/01/2027", "-1", strings.Repeat("9", 5000)},
		"time":  {"", "x", "24:00", "10:60", "9:00", "+9:00", "10:00:00", "٠٩:00", strings.Repeat("1", 5000)},
		"at": {"x", "2027-02-01T10:00:00", "2027-02-01T10:00:00Z<script>alert(1)</script>",
			"https://book.example/acme/intro", "https://x/y?slot=1", "javascript:alert(1)", "::", "?slot=%zz",
			strings.Repeat("?", 5000)},
	} {
		for _, value := range values {
			fields := append([]string{}, ok...)
			for i := 0; i < len(fields); i += 2 {
				if fields[i] == field {
					fields[i+1] = value
				}
			}
			p := ada.get(explainAt(fields...))
			if p.Status != 422 && p.Status != 404 || !strings.Contains(p.Body, `href="#`+field+`"`) ||
				strings.Contains(p.Body, "<script>alert") {
				t.Errorf("%s=%.40q: %d %s", field, value, p.Status, p.Text())
			}
		}
	}
}

// The page reveals nothing about other workspaces, and asking changes nothing.
func TestExplain_IsAboutTheOwnWorkspace(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.book("intro", monday.Add(6*time.Hour), "Grace Hopper")
		bo, before := w.bo(), w.export("acme")
		p := bo.get(explainAt("event", "intro", "date", "2027-02-01", "time", "14:00"))
		p.says(200, "Available.")
		if strings.Contains(p.Body, b.ID.String()) || strings.Contains(p.Body, "Grace") {
			t.Error("bo sees acme's booking")
		}
		bo.get(explainAt("event", "paid", "date", "2027-02-01", "time", "14:00")).says(404, "This event type doesn't exist")
		bo.get(explainAt("at", baseURL+"/acme/intro?slot=2027-02-01T14:00:00Z")).says(422,
			"doesn't belong to one of this workspace's booking pages")
		w.stranger().get("/settings/explain?event=intro").leads("/login?to=%2Fsettings%2Fexplain%3Fevent%3Dintro")
		bo.post("/settings/explain", "workspace", "other").says(405)
		row, err := w.DB.Read().Booking(background, sqlcgen.BookingParams{WorkspaceID: w.id("acme"), ID: b.ID.String()})
		if err != nil || row.Sequence != 0 || w.export("acme") != before {
			t.Errorf("something has changed: %v %+v", err, row)
		}
	})
}
