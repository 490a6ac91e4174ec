package public

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"slotd"
	"slotd/internal/availability/zone"
	"slotd/internal/booking"
	"slotd/internal/web/webtest"
)

// history is a random sequence of changes to one workspace, between which pages are read.
type history struct {
	*world
	slug  string
	actor booking.Actor
	live  []uuid.UUID
}

// beginnings are the hours before clocks change in New York, before they change across midnight in Cairo, and before a
// month ends.
var beginnings = []time.Time{
	time.Date(2027, 11, 7, 4, 50, 0, 0, time.UTC), time.Date(2027, 10, 28, 20, 50, 0, 0, time.UTC),
	time.Date(2027, 11, 30, 22, 50, 0, 0, time.UTC), monday,
}

// configure applies the workspace with one of a few titles, windows and limits.
func (h *history) configure(t *rapid.T) {
	limits := []string{"", "max_per_day: 2, ", "minimum_notice_minutes: 120, ", "buffer_after_minutes: 15, "}
	h.Apply(fmt.Sprintf(`
workspace: {slug: %s, name: Name %d, time_zone: %s}
host: {name: Ada, email: ada@acme.example}
look: {accent: "%s"}
schedules:
  default: {time_zone: America/New_York, weekly: {mon: ["%s"], tue: ["09:00-17:00"], sat: ["22:00-24:00"], sun: ["00:00-05:00", "20:00-22:00"]}}
  rare: {weekly: {}, overrides: {"2027-12-20": ["09:00-10:00"]}}
event_types:
  - {slug: often, title: Often %d, duration_minutes: 30, booking_window_days: %d, %slocation: {type: video}}
  - {slug: rare, title: Rare, schedule: rare, duration_minutes: 30, booking_window_days: 300, location: {type: video}, hidden: %t}
  - {slug: paid, title: Paid, duration_minutes: 30, location: {type: video}, price: {amount_cents: 100, currency: usd}}
`,
		h.slug, rapid.IntRange(1, 2).Draw(t, "name"),
		rapid.SampledFrom([]string{"UTC", "Africa/Cairo"}).Draw(t, "zone"),
		rapid.SampledFrom([]string{"#0b7285", "#ff0000"}).Draw(t, "accent"),
		rapid.SampledFrom([]string{"09:00-17:00", "10:00-12:00"}).Draw(t, "hours"),
		rapid.IntRange(1, 2).Draw(t, "title"), rapid.SampledFrom([]int{1, 9, 60}).Draw(t, "window"),
		rapid.SampledFrom(limits).Draw(t, "limits"),
		rapid.IntRange(0, 9).Draw(t, "hidden") == 0))
}

// slot returns a time that a page offers now, or "" if there is none.
func (h *history) slot(t *rapid.T) string {
	page := webtest.ParseHTML(h.T, h.fresh("/"+h.slug+"/often", nil).Body)
	if days := page.Find("a.day"); len(days) > 0 {
		page = webtest.ParseHTML(h.T, h.fresh(rapid.SampledFrom(days).Draw(t, "day").Attr("href"), nil).Body)
	}
	times := page.First(".times").Find("a")
	if len(times) == 0 {
		return ""
	}
	return queryOf(h.T, rapid.SampledFrom(times).Draw(t, "time").Attr("href")).Get("slot")
}

func (h *history) bookOne(t *rapid.T) {
	slot := h.slot(t)
	if slot == "" {
		return
	}
	b, err := h.Booking.Create(background, h.actor, booking.Request{
		EventType: "often", StartsAt: instantOf(h.T, slot),
		Attendee: slotd.Attendee{Name: "Grace", Email: "g@example.com", TimeZone: "UTC"},
	})
	h.Must(err)
	h.live = append(h.live, b.ID)
}

func (h *history) moveOne(t *rapid.T) {
	if slot := h.slot(t); slot != "" && len(h.live) > 0 {
		_, err := h.Booking.Reschedule(background, h.actor, rapid.SampledFrom(h.live).Draw(t, "which"),
			instantOf(h.T, slot))
		h.allow(err)
	}
}

func (h *history) cancelOne(t *rapid.T) {
	if len(h.live) > 0 {
		_, err := h.Booking.Cancel(background, h.actor, rapid.SampledFrom(h.live).Draw(t, "which"), "")
		h.allow(err)
	}
}

// allow accepts the errors for bookings that are canceled or over.
func (h *history) allow(err error) {
	if !slotd.Is(err, slotd.BookingPast) && !slotd.Is(err, slotd.BookingCanceled) {
		h.Must(err)
	}
}

func (h *history) wait(t *rapid.T) {
	h.Clock.Advance(rapid.SampledFrom([]time.Duration{
		time.Millisecond, time.Minute, 30 * time.Minute, time.Hour, time.Hour, 2 * time.Hour, 7 * time.Hour,
		23 * time.Hour, 6 * 24 * time.Hour, -time.Minute,
	}).Draw(t, "time"))
}

// Few pages and browsers, so that the same page is requested again.
var (
	lifePages = []string{
		"/life", "/embed/life", "/life/often", "/life/often", "/embed/life/often", "/life/often?tz=Africa/Cairo",
		"/life/often?month=2027-11", "/life/often?date=2027-11-09",
		"/life/rare", "/life/rare?month=2027-11", "/life/paid",
	}
	lifeReaders = [][]string{
		// 12-hour clock, week starts on Sunday
		{"Accept-Language", "en-US", "Cookie", "slotd_zone=America/New_York"},
		// 12-hour clock, week starts on Monday
		{"Accept-Language", "en-AU", "Cookie", "slotd_zone=America/New_York"},
		// 24-hour clock, week starts on Sunday
		{"Accept-Language", "ja", "Cookie", "slotd_zone=America/New_York", "Accept-Encoding", "gzip"},
		{"Accept-Language", "de"},
	}
)

// look compares pages of the server with those of a new one, whose cache is empty.
func (h *history) look(t *rapid.T) {
	for range 2 {
		address := rapid.SampledFrom(lifePages).Draw(t, "page")
		header := rapid.SampledFrom(lifeReaders).Draw(t, "browser")
		address = strings.Replace(address, "life", h.slug, 1)
		got, want := h.get(address, header...), h.fresh(address, header)
		if got.Status != want.Status || plain(t, got) != plain(t, want) ||
			got.Header.Get("ETag") != want.Header.Get("ETag") {
			t.Fatalf("%s %q at %s: %d, %d; %s", address, header, h.Clock.Now(), got.Status, want.Status,
				cmp.Diff(plain(t, want), plain(t, got)))
		}
	}
}

func (h *history) fresh(address string, header []string) answer {
	site := &Site{Booking: h.Booking, Cache: h.Site.Cache, Links: h.Site.Links, Accounts: h.Accounts, Now: h.Now,
		BaseURL: h.BaseURL,
		Guard:   h.Guard, Wait: h.Wait}
	return webtest.Serve(h.T, newMux(site), h.request(http.MethodGet, address, nil, header...))
}

func plain(t interface{ Fatal(...any) }, a answer) string {
	if a.Header.Get("Content-Encoding") == "" {
		return a.Body
	}
	r, err := gzip.NewReader(strings.NewReader(a.Body))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestCached_EveryPageIsWhatWouldBeMadeNow(t *testing.T) {
	w, lives := newSQLiteWorld(t), 0
	rapid.Check(t, func(t *rapid.T) {
		lives++
		h := &history{world: w, slug: fmt.Sprintf("life-%d", lives)}
		w.Clock.Set(rapid.SampledFrom(beginnings).Draw(t, "beginning"))
		h.configure(t)
		id, err := w.DB.Read().WorkspaceIDBySlug(background, h.slug)
		w.Must(err)
		h.actor = booking.Token(id, "test", "")
		t.Repeat(map[string]func(*rapid.T){
			"": h.look, "book": h.bookOne, "book another": h.bookOne, "move": h.moveOne, "cancel": h.cancelOne,
			"configure": h.configure, "wait": h.wait, "wait again": h.wait,
		})
	})
}

// A page without times shows the current offset, which changes in the middle of a day.
func TestCached_TheOffsetOfAnEmptyMonthChangesWithTheClocks(t *testing.T) {
	w := newSQLiteWorld(t)
	w.Apply(seldom)
	for _, c := range []struct{ at, want string }{
		{"2027-11-07T05:59:00Z", "America/New_York, UTC-04:00"},
		{"2027-11-07T06:00:00Z", "America/New_York, UTC-05:00"},
	} {
		w.Clock.Set(instantOf(t, c.at))
		if got := label(w.get("/acme/rare?month=2027-11&tz=America/New_York").OK()); got != c.want {
			t.Errorf("%s: %s, want %s", c.at, got, c.want)
		}
	}
}

// In Cairo the clocks go back from midnight to eleven: yesterday becomes today again.
func TestCached_TodayMayComeTwice(t *testing.T) {
	w := newSQLiteWorld(t)
	w.Apply(seldom)
	for _, c := range []struct{ at, want string }{
		{"2027-10-28T20:59:00Z", "28"}, {"2027-10-28T21:00:00Z", "28"}, {"2027-10-28T21:59:00Z", "28"},
		{"2027-10-28T22:00:00Z", "29"},
	} {
		w.Clock.Set(instantOf(t, c.at))
		if got := w.get("/acme/rare?month=2027-10&tz=Africa/Cairo").OK().First(".today").Words(); got != c.want {
			t.Errorf("%s: today is %s, want %s", c.at, got, c.want)
		}
	}
}

func TestCached_TagSavesSendingThePageAgain(t *testing.T) {
	w := newSQLiteWorld(t)
	for _, address := range []string{"/acme", "/acme/intro", "/embed/acme/intro", "/acme/paid"} {
		// From the second request on, the page is cached compressed.
		for _, coding := range []string{"identity", "gzip", "gzip"} {
			first := w.get(address, "Accept-Encoding", coding).Is(http.StatusOK)
			again := w.get(address, "Accept-Encoding", coding, "If-None-Match",
				first.Header.Get("ETag")).Is(http.StatusNotModified)
			if again.Body != "" || again.Header.Get("ETag") != first.Header.Get("ETag") ||
				again.Header.Get("Content-Encoding") != "" {
				t.Errorf("%s: %v %q", address, again.Header, again.Body)
			}
			if again.Header.Get("Content-Security-Policy") == "" ||
				!slices.Contains(strings.Split(again.Header.Get("Vary"), ", "), "Accept-Encoding") {
				t.Errorf("%s: %v", address, again.Header)
			}
			w.get(address, "If-None-Match", `W/"another"`).Is(http.StatusOK)
		}
	}
}

func TestCached_TagChangesWithThePage(t *testing.T) {
	w := newSQLiteWorld(t)
	tag := func() string { return w.get("/acme/intro").Is(http.StatusOK).Header.Get("ETag") }
	first := tag()
	w.create("intro", at("03-30 09:00")) // in a month that the page does not show
	if tag() != first {
		t.Error("another month's booking changes the tag")
	}
	seen := []string{first}
	wantNew := func(why string) {
		t.Helper()
		if now := tag(); slices.Contains(seen, now) {
			t.Errorf("%s: the tag stays %s", why, now)
		} else {
			seen = append(seen, now)
		}
	}
	w.create("intro", at("02-01 14:00"))
	wantNew("a booking")
	w.Clock.Advance(2 * time.Hour)
	wantNew("time passed")
	w.Apply(strings.Replace(acme, "Intro call", "First call", 1))
	wantNew("another title")
}

func TestCached_CompressedIsTheSamePage(t *testing.T) {
	w := newSQLiteWorld(t)
	for _, address := range []string{"/acme", "/acme/intro", "/acme/intro?name=Grace", "/embed/acme/intro", "/nobody"} {
		want := w.get(address)
		compressed := false
		for range 3 {
			got := w.get(address, "Accept-Encoding", "br, gzip;q=0.8")
			compressed = compressed || got.Header.Get("Content-Encoding") == "gzip"
			if plain(t, got) != want.Body || got.Header.Get("ETag") != want.Header.Get("ETag") ||
				got.Header.Get("Content-Length") != fmt.Sprint(len(got.Body)) {
				t.Errorf("%s: another page", address)
			}
		}
		if !compressed {
			t.Errorf("%s is never compressed", address)
		}
		for _, refused := range []string{"gzip;q=0", "gzip;q=0.000", "identity", "deflate"} {
			if got := w.get(address, "Accept-Encoding", refused); got.Body != want.Body ||
				got.Header.Get("Content-Encoding") != "" {
				t.Errorf("%s is compressed for %s", address, refused)
			}
		}
	}
}

// Around every clock change, a month's span contains every instant of its dates.
func TestMonth_SpanHoldsAllItsDays(t *testing.T) {
	names, err := zone.Names()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		z := zone.MustLoad(rapid.SampledFrom(names).Draw(t, "zone"))
		at := z.NextChange(time.Unix(rapid.Int64Range(946771200, 2000000000).Draw(t, "before"), 0))
		at = at.Add(time.Duration(rapid.IntRange(-240, 240).Draw(t, "minutes")) * time.Minute)
		if s := monthOf(z.Date(at)).span(z); at.Before(s.Start) || !at.Before(s.End) {
			t.Fatalf("%s in %s is outside %v", at, z.Name(), s)
		}
	})
}
