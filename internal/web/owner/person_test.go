package owner

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/booking/records"
)

// guestBooks makes a booking in a workspace.
func (w *world) guestBooks(slug, email string, start time.Time) *slotd.Booking {
	w.T.Helper()
	b, err := w.Booking.Create(background, booking.Token(w.id(slug), "tok_1", ""), booking.Request{
		EventType: "intro", StartsAt: start, Notes: "bring <b>cake</b>",
		Attendee: slotd.Attendee{Name: "Grace Okafor", Email: email, TimeZone: "Asia/Tokyo"},
	})
	w.Must(err)
	return b
}

func (w *world) countBookings(slug, email string) int {
	w.T.Helper()
	n, err := w.Records.CountPerson(background, w.id(slug), email)
	w.Must(err)
	return n
}

func TestPeople_FindExportErase(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.guestBooks("acme", "grace@guest.example", monday.Add(time.Hour))
		w.guestBooks("acme", "Grace@Guest.Example", monday.Add(2*time.Hour))
		file := w.export("acme")
		ada := w.ada()
		ada.get("/settings/people").says(200, "People's data")
		found := ada.submit("/settings/people", "email", "GRACE@guest.example").says(200,
			"2 bookings by GRACE@guest.example", "keeps its time")
		exported := ada.fillTo(found, "/settings/people/export")
		var p records.Person
		w.Must(json.Unmarshal([]byte(exported.Body), &p))
		if len(p.Bookings) != 2 || p.Bookings[0].Notes != "bring <b>cake</b>" ||
			exported.Header.Get("Content-Disposition") != `attachment; filename="person.json"` ||
			exported.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%v %s", exported.Header, exported.Body)
		}
		ada.fillTo(found, "/settings/people/erase").says(422, "Please select the checkbox", "2 bookings by")
		if w.countBookings("acme", "grace@guest.example") != 2 {
			t.Fatal("erased without being sure")
		}
		ada.fillTo(found, "/settings/people/erase", "sure", "1").leads("/settings/people?erased=2")
		ada.get("/settings/people?erased=2").says(200, "2 bookings are now anonymous")
		ada.fillTo(found, "/settings/people/erase", "sure", "1").says(200, "Nothing is stored about")
		if w.countBookings("acme", "grace@guest.example") != 0 || w.export("acme") != file {
			t.Error("not erased, or the settings have changed")
		}
		page := ada.get("/settings/activity").says(200, "ada@acme.example erased a person's data", "2 bookings",
			"exported a person's data")
		if strings.Contains(strings.ToLower(page.Body), "grace") {
			t.Errorf("the activity names the person: %s", page.Text())
		}
	})
}

func TestPeople_WrongAddressesAreSaidAndKept(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	for _, typed := range []string{"", "grace", "%@%.%", "a@b", "<script>alert(1)</script>@x.example",
		"grace@guest.example\x00", "\xff@x.example", strings.Repeat("x", 300) + "@x.example"} {
		for _, path := range []string{"/settings/people", "/settings/people/export", "/settings/people/erase"} {
			p := ada.post(path, "workspace", "acme", "email", typed, "sure", "1").says(422,
				"The address must be an email address")
			if strings.Contains(p.Body, "<script>alert") {
				t.Errorf("%s shows %q as it is", path, typed)
			}
		}
	}
	for _, erased := range []string{"-1", "x", "99999999999999999999", "<b>"} {
		if p := ada.get("/settings/people?erased=" + erased).says(200); strings.Contains(p.Text(), "now anonymous") {
			t.Errorf("%s: %s", erased, p.Text())
		}
	}
}

func TestPeople_AreOfOneWorkspaceAlone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.guestBooks("acme", "grace@guest.example", monday.Add(time.Hour))
		bo := w.bo()
		bo.submit("/settings/people", "email", "grace@guest.example").says(200, "Nothing is stored")
		if p := bo.post("/settings/people/export", "workspace", "other", "email",
			"grace@guest.example"); strings.Contains(p.Body, "Okafor") {
			t.Error(p.Body)
		}
		bo.post("/settings/people/erase", "workspace", "other", "email", "grace@guest.example", "sure", "1").says(200,
			"Nothing is stored")
		bo.post("/settings/people/erase", "workspace", "acme", "email", "grace@guest.example", "sure", "1").says(409,
			"another workspace")
		w.stranger().post("/settings/people/erase", "workspace", "acme", "email", "grace@guest.example", "sure",
			"1").says(403, "signed out")
		bo.get("/settings/people/erase").says(http.StatusMethodNotAllowed)
		if w.countBookings("acme", "grace@guest.example") != 1 {
			t.Error("a stranger erased it")
		}
	})
}

// fillTo submits the page's form with this action.
func (b *window) fillTo(p *response, action string, fields ...string) *response {
	b.w.T.Helper()
	for _, f := range p.Page().Forms() {
		if f.Action != action || !f.HasAll(fields) {
			continue
		}
		for i := 0; i < len(fields); i += 2 {
			f.Values.Set(fields[i], fields[i+1])
		}
		return b.postForm(action, f.Values)
	}
	b.w.T.Fatalf("no form with %v goes to %s: %s", fields, action, p.Body)
	return nil
}
