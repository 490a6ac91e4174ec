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
	for _, row := range page.first("dl.booking").find("div") {
		all[row.first("dt").words()] = row.first("dd").words()
	}
	return all
}

// linkTo returns the target of the link with this text.
func linkTo(page *node, words string) string {
	for _, a := range page.find("a") {
		if a.words() == words {
			return a.attr("href")
		}
	}
	return ""
}

func TestBooking_ThroughTheFormToItsPage(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		address := w.book("/acme/intro", at("02-02 14:30"), "tz", "Asia/Kathmandu", "notes", "One\nTwo")
		for range 2 { // the page can be opened again
			page := w.get(address).ok()
			if got := page.first("h1").words(); got != "Your booking is confirmed" {
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
			if _, booked := page.first("#main").attrs["data-booked"]; !booked {
				t.Error("a site around the frame is not told")
			}
			for _, words := range []string{"Google", "Outlook", ".ics file", "Reschedule", "Cancel booking"} {
				if linkTo(page, words) == "" {
					t.Errorf("no link %q", words)
				}
			}
		}
		if n := w.counts(); n[0] != 1 || n[2] != 1 {
			t.Errorf("%v bookings, events, claims, keys", n)
		}
	})
}

func TestBooking_InTheHostsOwnZoneNamesTheTimeOnce(t *testing.T) {
	w := newSQLiteWorld(t)
	page := w.get(w.book("/acme/intro", at("02-02 14:30"), "tz", "America/New_York")).ok()
	if got := facts(page)["When"]; strings.Contains(got, "For Ada") ||
		!strings.HasPrefix(got, "Tuesday 2 February 2027, 09:30–10:00") {
		t.Error(got)
	}
	page = w.get(w.book("/embed/acme/intro", at("02-02 15:30"), "tz", "UTC"), "Accept-Language", "en-US").ok()
	if got := facts(page)["When"]; !strings.Contains(got, "3:30 pm–4:00 pm") || page.has("header") {
		t.Errorf("in a frame, in America: %s", got)
	}
}

func TestBooking_APhoneNumberStandsInTheNotes(t *testing.T) {
	w := newSQLiteWorld(t)
	page := w.get(w.book("/acme/ask", at("02-02 14:30"), "phone", "+1 555 0100", "notes", "After lunch")).ok()
	if got := facts(page); got["Notes"] != "Phone: +1 555 0100 After lunch" ||
		!strings.HasPrefix(got["Where"], "Phone call: Ada Park calls") {
		t.Error(got)
	}
}

// Each page names the booking's state and offers only what is still possible.
func TestBooking_ItsPageInEveryState(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		address := w.book("/acme/intro", at("02-02 14:30"))
		canceled := w.book("/acme/intro", at("02-03 14:30"))
		page := w.get(address).ok()
		move := linkTo(page, "Reschedule")
		form := w.get(move + "?slot=" + at("02-04 10:00")).ok().first("#move")
		w.post(form.attr("action"), form.fields()).is(http.StatusSeeOther)
		wantState(t, w, address, "Your booking has a new time", "Thursday 4 February 2027, 05:00–05:30", "Reschedule",
			"Cancel booking", ".ics file", "Book another time")

		cancel := linkTo(w.get(canceled).ok(), "Cancel booking")
		form = w.get(cancel).ok().first("#cancel")
		fields := form.fields()
		fields.Set("reason", "Ill <at> home")
		w.post(cancel, fields).is(http.StatusSeeOther)
		wantState(t, w, canceled, "This booking is canceled", "Wednesday 3 February 2027", "Book another time")
		if got := facts(w.get(canceled).ok())["Reason"]; got != "Ill <at> home" {
			t.Errorf("reason %q", got)
		}

		w.clock.Set(instantOf(t, at("02-04 10:29")))
		wantState(t, w, address, "Your booking has a new time", "", "Reschedule", "Cancel booking", ".ics file",
			"Book another time")
		w.clock.Set(instantOf(t, at("02-04 10:30")))
		wantState(t, w, address, "This booking is over", "Thursday 4 February 2027", "Book another time")
		wantState(t, w, canceled, "This booking is canceled", "", "Book another time")

		w.clock.Set(instantOf(t, at("02-04 10:30")).Add(30 * 24 * time.Hour))
		wantState(t, w, address, "This booking is over", "", "Book another time")
		w.clock.Advance(time.Millisecond)
		for _, link := range []string{address, canceled, cancel, move} {
			gone := w.get(link).is(http.StatusNotFound)
			if strings.Contains(gone.body, "Grace") || gone.page().first("h1").words() != "There is no such booking" {
				t.Errorf("%s: %s", link, gone.page().first("h1").words())
			}
		}
	})
}

func wantState(t *testing.T, w *world, address, title, when string, can ...string) {
	t.Helper()
	page := w.get(address).ok()
	if got := page.first("h1").words(); got != title || !strings.HasPrefix(facts(page)["When"], when) {
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
		page := w.get(address).ok()
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
		w.post(linkTo(page, "Cancel booking"), nil).is(http.StatusSeeOther)
		if file := wantCalendar(t, w, attendee); !strings.Contains(file, "\r\nMETHOD:CANCEL\r\n") ||
			!strings.Contains(file, "\r\nSTATUS:CANCELLED\r\n") {
			t.Error(file)
		}
		for _, wrong := range []string{"/b/ics/", "/b/ics/x", "/b/host-ics/" + id, "/b/ics/" + id[1:],
			"/b/ics/" + strings.ToLower(id), "/b/ics/" + id + "A"} {
			if a := w.get(wrong); a.status != http.StatusNotFound && a.status != http.StatusPermanentRedirect ||
				strings.Contains(a.body, "VCALENDAR") {
				t.Errorf("%s: %d", wrong, a.status)
			}
		}
		w.clock.Set(instantOf(t, at("02-02 15:00")).Add(30*24*time.Hour + time.Millisecond))
		w.get(attendee).is(http.StatusNotFound)
	})
}

func wantCalendar(t *testing.T, w *world, address string) string {
	t.Helper()
	a := w.get(address).is(http.StatusOK)
	for name, want := range map[string]string{
		"Content-Type": "text/calendar; charset=utf-8", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
		"X-Content-Type-Options":  "nosniff",
		"Content-Disposition":     `attachment; filename="invite.ics"`,
		"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	return a.body
}

// The host's file has its own link and contains none of the attendee's links.
func TestBooking_HostsCalendarFile(t *testing.T) {
	w := newSQLiteWorld(t)
	b := w.create("intro", at("02-02 14:30"))
	id, err := w.db.Read().WorkspaceIDBySlug(background, "acme")
	w.must(err)
	link := w.Links.Path(links.HostCalendar, id, uuid.MustParse(b["booking_id"].(string)))
	file := wantCalendar(t, w, link)
	if !strings.Contains(file, "DTSTART:20270202T143000Z") || strings.Contains(file, "/b/cancel") ||
		strings.Contains(file, "/b/reschedule") {
		t.Error(file)
	}
	w.get(strings.Replace(link, "host-ics", "ics", 1)).is(http.StatusNotFound)
}
