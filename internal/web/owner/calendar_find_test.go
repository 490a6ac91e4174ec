package owner

import (
	"strings"
	"testing"
	"time"

	"slotd/internal/calendar/davtest"
)

const findPath = "/settings/calendars/new/caldav"

// find returns the page that lists the calendars of the account.
func (b *window) find(s davtest.Server) *response {
	b.w.T.Helper()
	return b.submit(findPath, "url", s.URL, "username", s.Username, "password", s.Password, "way", "find")
}

func TestFind_SeveralCalendarsOfAnAccountAreConnected(t *testing.T) {
	w, s := lite(t), davtest.Radicale(t)
	s.MakeCalendar(t, "home")
	s.Put(t, "one.ics", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//slotd//test\r\nBEGIN:VEVENT\r\nUID:one\r\nDTSTAMP:20270101T000000Z\r\nDTSTART:20270210T100000Z\r\nDTEND:20270210T110000Z\r\nSUMMARY:One\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
	ada := w.ada()
	ada.submit(findPath, "url", s.URL, "username", s.Username, "password", "wr0ng-one", "way", "find").says(422,
		"No calendars were found.")
	found := ada.find(s).says(200, "Choose calendars", s.Calendar)
	if strings.Contains(found.Body, s.Password) {
		t.Error("the password stands in the page")
	}
	ada.fill(found, "", "name_0", "Home").says(422, "Select at least one calendar")
	ada.fill(found, "", "name_0", "Home", "receives", "1").says(422,
		"Bookings can only be added to a connected calendar")
	ada.fill(found, "", "use", "0", "name_0", "").says(422, "Name must not be empty")
	ada.fill(found, "", "use", "1", "stale_after", "0").says(422, "from 1 to 10080")
	ada.fill(found, "", "use", "0", "use", "1", "name_0", "Twice", "name_1", "Twice").says(422,
		"different from the others")
	withGoogle(w)
	w.ada().submit("/settings/calendars/new/google", "name", "Elsewhere", "write_back", "on")
	late := ada.fill(found, "", "use", "0", "use", "1", "name_0", "Home", "name_1", "Office", "receives", "1").says(409,
		"Bookings are added to Elsewhere now.")
	ada.fill(late, "", "name_0", "Home").leads("/settings/calendars?saved=1")
	ada.get("/settings/calendars").says(200, "Home", "Office", "1 busy time", "Bookings are added to Office")
	if c := w.calendarNamed("acme", "Office"); c.URL != s.Calendar || !c.WriteBack ||
		w.calendarNamed("acme", "Home").WriteBack {
		t.Errorf("got %+v", c)
	}
	w.appliesUnchanged("acme")
	again := ada.find(s).says(200, "Connected as Office")
	ada.fill(found, "", "use", "0", "name_0", "Home").says(422, "Home is already connected")
	testFoundBelongsToWhoSearched(t, w, s, again)
	testDirect(w, s)
}

// A ticket opens an account with its password, so it must be useless to others, and later.
func testFoundBelongsToWhoSearched(t *testing.T, w *world, s davtest.Server, found *response) {
	t.Helper()
	values := found.Page().Forms()[1].Values
	for _, f := range found.Page().Forms() {
		if f.Names["ticket"] {
			values = f.Values
		}
	}
	bo := w.bo()
	values.Set("use", "0")
	values.Set("workspace", "other")
	bo.postForm(findPath+"/found", values).says(400, "Please search for your calendars again")
	for _, bad := range []string{"", "x", "%%%", strings.Repeat("A", 4000)} {
		values.Set("ticket", bad)
		bo.postForm(findPath+"/found", values).says(400, "Please search for your calendars again")
	}
	fresh := bo.find(s)
	w.Clock.Advance(61 * time.Minute)
	bo = w.bo() // bo has just signed in
	bo.fill(fresh, "", "use", "0").says(400, "Please search for your calendars again")
}

func testDirect(w *world, s davtest.Server) {
	w.T.Helper()
	w.bo().submit(findPath, "way", "direct", "name", "Direct", "url", s.Calendar, "username", s.Username, "password",
		s.Password).leads("/settings/calendars?saved=1")
	if c := w.calendarNamed("other", "Direct"); c.URL != s.Calendar {
		w.T.Errorf("got %+v", c)
	}
}

func TestFind_AHostileAddressIsRefusedBeforeItIsAsked(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	for url, says := range map[string]string{
		"ftp://acme.example/": "Address must be a full URL", "": "Address must be a full URL",
		"https://a:b@acme.example/": "no user name",
		"http://192.168.0.1/":       "No calendars were found.", "http://169.254.169.254/": "No calendars were found.",
	} {
		ada.submit(findPath, "way", "find", "url", url, "username", "ada", "password", "pass").says(422, says)
	}
	ada.submit(findPath, "way", "find", "url", "https://acme.example/", "username", "ada").says(422,
		"Please enter the password")
}
