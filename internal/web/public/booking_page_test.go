package public

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"slotd/internal/identity/links"
)

// facts returns the rows of a booking's page by their names.
func facts(page *node) map[string]string {
	all := map[string]string{}
	for _, row := range page.First("dl.booking").Find("div") {
		all[row.First("dt").Words()] = row.First("dd").Words()
	}
	return all
}

// linkTo returns the target of the link with this text.
func linkTo(page *node, words string) string {
	for _, a := range page.Find("a") {
		if a.Words() == words {
			return a.Attr("href")
		}
	}
	return ""
}

func TestBooking_ThroughTheFormToItsPage(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		address := w.book("/acme/intro", at("02-02 14:30"), "tz", "Asia/Kathmandu", "notes", "One\nTwo")
		for range 2 { // the page can be opened again
			page := w.get(address).OK()
			if got := page.First("h1").Words(); got != "Your booking is confirmed" {
				t.Error(got)
			}
			for name, want := range map[string]string{
				"What": "Intro call with Ada Park",
				"When": "Tuesday 2 February 2027, 20:15–20:45 Asia/Kathmandu, UTC+05:45 For Ada Park: Tuesday 2 " +
					"February 2027, 09:30–10:00 (America/New_York, UTC-05:00)",
				"Where": "Video call https://meet.example/ada",
				"Who":   "Grace Okafor, grace@example.com",
				"Notes": "One Two",
			} {
				if got := facts(page)[name]; got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
			if _, booked := page.First("#main").Attrs["data-booked"]; !booked {
				t.Error("a site around the frame is not told")
			}
			for _, words := range []string{"Google", "Outlook", ".ics file", "Reschedule", "Cancel booking"} {
				if linkTo(page, words) == "" {
					t.Errorf("no link %q", words)
				}
			}
		}
		if n := w.Counts(); n[0] != 1 || n[2] != 1 {
			t.Errorf("%v bookings, events, claims, keys", n)
		}
	})
}

func TestBooking_InTheHostsOwnZoneNamesTheTimeOnce(t *testing.T) {
	w := newSQLiteWorld(t)
	page := w.get(w.book("/acme/intro", at("02-02 14:30"), "tz", "America/New_York")).OK()
	if got := facts(page)["When"]; strings.Contains(got, "For Ada") ||
		!strings.HasPrefix(got, "Tuesday 2 February 2027, 09:30–10:00") {
		t.Error(got)
	}
	page = w.get(w.book("/embed/acme/intro", at("02-02 15:30"), "tz", "UTC"), "Accept-Language", "en-US").OK()
	if got := facts(page)["When"]; !strings.Contains(got, "3:30 pm–4:00 pm") || page.Has("header") {
		t.Errorf("in a frame, in America: %s", got)
	}
}

func TestBooking_ShowsThePhoneNumber(t *testing.T) {
	w := newSQLiteWorld(t)
	page := w.get(w.book("/acme/ask", at("02-02 14:30"), "phone", "+1 555 0100", "notes", "After lunch")).OK()
	if got := facts(page); got["Phone"] != "+1 555 0100" || got["Notes"] != "After lunch" ||
		!strings.HasPrefix(got["Where"], "Ada Park will call you") {
		t.Error(got)
	}
}

// Each page names the booking's state and offers only what is still possible.
func TestBooking_ItsPageInEveryState(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		address := w.book("/acme/intro", at("02-02 14:30"))
		canceled := w.book("/acme/intro", at("02-03 14:30"))
		page := w.get(address).OK()
		move := linkTo(page, "Reschedule")
		form := w.get(move + "?slot=" + at("02-04 10:00")).OK().First("#move")
		w.post(form.Attr("action"), form.Fields()).Is(http.StatusSeeOther)
		wantState(t, w, address, "Your booking was rescheduled", "Thursday 4 February 2027, 05:00–05:30", "Reschedule",
			"Cancel booking", ".ics file", "Book another time")

		cancel := linkTo(w.get(canceled).OK(), "Cancel booking")
		form = w.get(cancel).OK().First("#cancel")
		fields := form.Fields()
		fields.Set("reason", "Ill <at> home")
		w.post(cancel, fields).Is(http.StatusSeeOther)
		wantState(t, w, canceled, "This booking was canceled", "Wednesday 3 February 2027", "Book another time")
		if got := facts(w.get(canceled).OK())["Reason"]; got != "Ill <at> home" {
			t.Errorf("reason %q", got)
		}

		w.Clock.Set(instantOf(t, at("02-04 10:29")))
		wantState(t, w, address, "Your booking was rescheduled", "", "Reschedule", "Cancel booking", ".ics file",
			"Book another time")
		w.Clock.Set(instantOf(t, at("02-04 10:30")))
		wantState(t, w, address, "This booking is over", "Thursday 4 February 2027", "Book another time")
		wantState(t, w, canceled, "This booking was canceled", "", "Book another time")

		w.Clock.Set(instantOf(t, at("02-04 10:30")).Add(30 * 24 * time.Hour))
		wantState(t, w, address, "This booking is over", "", "Book another time")
		w.Clock.Advance(time.Millisecond)
		for _, link := range []string{address, canceled, cancel, move} {
			gone := w.get(link).Is(http.StatusNotFound)
			if strings.Contains(gone.Body, "Grace") || gone.Page().First("h1").Words() != "Booking not found" {
				t.Errorf("%s: %s", link, gone.Page().First("h1").Words())
			}
		}
	})
}

func wantState(t *testing.T, w *world, address, title, when string, can ...string) {
	t.Helper()
	page := w.get(address).OK()
	if got := page.First("h1").Words(); got != title || !strings.HasPrefix(facts(page)["When"], when) {
		t.Errorf("%s, %s; want %s, %s", got, facts(page)["When"], title, when)
	}
	for _, words := range []string{"Reschedule", "Cancel booking", ".ics file", "Book another time"} {
		if (linkTo(page, words) != "") != slices.Contains(can, words) {
			t.Errorf("%s: the link %q is there or not, and should be the other", title, words)
		}
	}
}

func TestBooking_CalendarFiles(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		address := w.book("/acme/intro", at("02-02 14:30"))
		page := w.get(address).OK()
		attendee := linkTo(page, ".ics file")
		id, _, _ := strings.Cut(strings.TrimPrefix(attendee, baseURL+"/b/ics/"), "?")
		for range 2 {
			file := wantCalendar(t, w, attendee)
			for _, line := range []string{"METHOD:PUBLISH", "DTSTART:20270202T143000Z", "DTEND:20270202T150000Z",
				"SEQUENCE:0"} {
				if !strings.Contains(file, "\r\n"+line+"\r\n") {
					t.Errorf("no %s in\n%s", line, file)
				}
			}
		}
		w.post(linkTo(page, "Cancel booking"), nil).Is(http.StatusSeeOther)
		if file := wantCalendar(t, w, attendee); !strings.Contains(file, "\r\nMETHOD:CANCEL\r\n") ||
			!strings.Contains(file, "\r\nSTATUS:CANCELLED\r\n") {
			t.Error(file)
		}
		for _, wrong := range []string{"/b/ics/", "/b/ics/x", "/b/host-ics/" + id, "/b/ics/" + id[1:],
			"/b/ics/" + strings.ToLower(id), "/b/ics/" + id + "A"} {
			if a := w.get(wrong); a.Status != http.StatusNotFound && a.Status != http.StatusPermanentRedirect ||
				strings.Contains(a.Body, "VCALENDAR") {
				t.Errorf("%s: %d", wrong, a.Status)
			}
		}
		w.Clock.Set(instantOf(t, at("02-02 15:00")).Add(30*24*time.Hour + time.Millisecond))
		w.get(attendee).Is(http.StatusNotFound)
	})
}

func wantCalendar(t *testing.T, w *world, address string) string {
	t.Helper()
	a := w.get(address).Is(http.StatusOK)
	for name, want := range map[string]string{
		"Content-Type": "text/calendar; charset=utf-8", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
		"X-Content-Type-Options":  "nosniff",
		"Content-Disposition":     `attachment; filename="invite.ics"`,
		"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
	} {
		if got := a.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	return a.Body
}

// The host's file has its own link and contains none of the attendee's links.
func TestBooking_HostsCalendarFile(t *testing.T) {
	w := newSQLiteWorld(t)
	b := w.create("intro", at("02-02 14:30"))
	id, err := w.DB.Read().WorkspaceIDBySlug(background, "acme")
	w.Must(err)
	link := w.Site.Links.Path(links.HostCalendar, id, uuid.MustParse(b["booking_id"].(string)))
	file := wantCalendar(t, w, link)
	if !strings.Contains(file, "DTSTART:20270202T143000Z") || strings.Contains(file, "/b/cancel") ||
		strings.Contains(file, "/b/reschedule") {
		t.Error(file)
	}
	w.get(strings.Replace(link, "host-ics", "ics", 1)).Is(http.StatusNotFound)
}
