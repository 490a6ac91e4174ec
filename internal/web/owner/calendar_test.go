package owner

import (
	"net/http"
	"strings"
	"testing"

	"slotd"
	"slotd/internal/calendar/oauth"
)

// connectFeed connects an ICS calendar through the form.
func (b *window) connectFeed(name string, s *icsServer) {
	b.w.T.Helper()
	b.submit("/settings/calendars/new/ics", "name", name, "url", s.address(), "username", s.username, "password",
		s.password).leads("/settings/calendars?saved=1")
}

func TestCalendar_WhatIsTypedWrongIsSaidAndKept(t *testing.T) {
	w := lite(t)
	feed, ada := newICSServer(t, "", ""), w.ada()
	ada.connectFeed("Club", feed)
	reads := feed.reads.Load()
	long := strings.Repeat("x", 300)
	for _, c := range []struct{ field, value, says string }{
		{"name", "", "Name must not be empty"},
		{"name", "a\x00b", "control characters"},
		{"name", long, "at most 200"},
		{"name", "Club", "different from the others"},
		{"url", "", "Address must be a full URL"},
		{"url", "javascript:alert(1)", "Address must be a full URL"},
		{"url", "file:///etc/passwd", "Address must be a full URL"},
		{"url", "https://ada:pass@acme.example/", "no user name and no password"},
		{"url", feed.URL + "/a#b", "must have no part that begins with #"},
		{"url", "https://acme.example/" + strings.Repeat("x", 2000), "at most 2000"},
		{"username", "a:b", "without a colon"},
		{"stale_after", "0", "from 1 to 10080"},
		{"stale_after", "10081", "from 1 to 10080"},
		{"stale_after", "soon", "from 1 to 10080"},
		{"stale_after", "9999999999999999999999", "from 1 to 10080"},
		{"password", "without a name", "Enter a username too"},
	} {
		fields := map[string]string{"name": "Second <b>", "url": feed.address(), "username": "", "password": "",
			"stale_after": "15"}
		fields[c.field] = c.value
		p := ada.submit("/settings/calendars/new/ics", "name", fields["name"], "url", fields["url"], "username",
			fields["username"], "password", fields["password"], "stale_after", fields["stale_after"])
		p.says(http.StatusUnprocessableEntity, c.says)
		if c.field != "name" && !strings.Contains(p.Body, `value="Second &lt;b&gt;"`) {
			t.Errorf("%s %q: what was typed is gone, or is markup: %s", c.field, c.value, p.Body)
		}
	}
	if n := feed.reads.Load(); n != reads {
		t.Errorf("wrong values were tried %d times", n-reads)
	}
}

func TestCalendar_AnOutsiderOfItsNetworkIsNotReached(t *testing.T) {
	w := lite(t)
	w.ada().submit("/settings/calendars/new/ics", "name", "Inside", "url", "http://10.0.0.1/x.ics").says(422,
		"It can't be read.")
}

func TestCalendar_AnEditKeepsThePasswordWhileItsAddressStays(t *testing.T) {
	w := lite(t)
	feed, ada := newICSServer(t, "ada", "first"), w.ada()
	ada.connectFeed("Club", feed)
	path := w.calendarPath("Club")
	ada.submit(path, "stale_after", "60").leads("/settings/calendars?saved=1")
	if c := w.calendarNamed("acme", "Club"); c.StaleAfterMinutes != 60 || c.URL != feed.address() {
		t.Errorf("got %+v", c)
	}
	ada.post(path+"/test", "workspace", "acme").says(200, "1 busy time in the next two years")
	ada.submit(path, "username", "bob").says(422, "Please enter the password")
	ada.submit(path, "url", feed.URL+"/elsewhere.ics").says(422, "Please enter the password")

	feed.password = "second"
	ada.submit(path, "password", "first").says(422, "It can't be read.")
	ada.submit(path, "password", "second").leads("/settings/calendars?saved=1")
	ada.get("/settings/calendars").says(200, "just now")
	ada.submit(path, "url", feed.URL+"/elsewhere.ics", "password", "second").leads("/settings/calendars?saved=1")
	if c := w.calendarNamed("acme", "Club"); c.URL != feed.URL+"/elsewhere.ics" {
		t.Errorf("got %+v", c)
	}
	w.appliesUnchanged("acme")
	if log := w.activityText("acme"); !strings.Contains(log, "calendar Club: password changed") ||
		strings.Contains(log, "second") {
		t.Errorf("the activity is %s", log)
	}
}

func TestCalendar_TheSecondOfTwoEditorsSeesTheConflict(t *testing.T) {
	w := lite(t)
	feed, ada := newICSServer(t, "", ""), w.ada()
	ada.connectFeed("Club", feed)
	path := w.calendarPath("Club")
	opened := ada.get(path)
	w.ada().submit(path, "stale_after", "77").leads("/settings/calendars?saved=1")
	again := ada.fill(opened, path, "stale_after", "33").says(409, "Someone else changed this in the meantime",
		"Fallback time is now “77”")
	if w.calendarNamed("acme", "Club").StaleAfterMinutes != 77 || !strings.Contains(again.Body, `value="33"`) {
		t.Error("theirs is lost, or mine is")
	}
	ada.fill(again, path, "stale_after", "33").leads("/settings/calendars?saved=1")
	if got := w.calendarNamed("acme", "Club").StaleAfterMinutes; got != 33 {
		t.Errorf("saved again, it is %d", got)
	}

	private := newICSServer(t, "ada", "first")
	ada.connectFeed("Private", private)
	path = w.calendarPath("Private")
	opened = ada.get(path)
	private.username, private.password = "bob", "second"
	w.ada().submit(path, "username", "bob", "password", "second").leads("/settings/calendars?saved=1")
	// The conflict is shown before the form asks for a password.
	ada.fill(opened, path, "stale_after", "33").says(409, "Someone else changed this in the meantime", "bob")

	opened = ada.get(path)
	w.ada().submit(path+"/disconnect", "workspace", "acme")
	ada.fill(opened, path, "stale_after", "20").says(404)
}

func withGoogle(w *world) {
	w.Site.Calendars.Apps = map[slotd.CalendarType]oauth.App{slotd.Google: {Kind: oauth.Google, ClientID: "client-7",
		ClientSecret: "s3cret"}}
}

func TestCalendar_AServiceIsAgreedToAtTheServiceItself(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	ada.get("/settings/calendars/new/microsoft").says(200, "--microsoft-client-id and --microsoft-client-secret")
	ada.post("/settings/calendars/new/google", "workspace", "acme", "name", "Work").says(422,
		"--google-client-id and --google-client-secret")
	withGoogle(w)
	p := ada.submit("/settings/calendars/new/google", "name", "Work", "calendar", "ada@acme.example", "write_back",
		"on")
	path := w.calendarPath("Work")
	p.leads(path + "/consent")
	consent := ada.get(path+"/consent").says(200, "Continue to Google")
	if !strings.Contains(consent.Body, `href="https://accounts.google.com/o/oauth2/v2/auth?`) ||
		!strings.Contains(consent.Body, "client-7") || strings.Contains(consent.Body, "s3cret") {
		t.Errorf("the link is not there: %s", consent.Body)
	}
	if strings.Contains(consent.Header.Get("Content-Security-Policy"), "google") {
		t.Error("forms may lead to Google")
	}
	ada.get("/settings/calendars").says(200, "You haven't given access at Google yet", "Sign in with Google", "Receives bookings")
	if c := w.calendarNamed("acme", "Work"); c.Calendar != "ada@acme.example" || !c.WriteBack {
		t.Errorf("got %+v", c)
	}
	w.appliesUnchanged("acme")
	ada.submit(path, "stale_after", "20").leads("/settings/calendars?saved=1")
	ada.submit(path, "calendar", "other@acme.example").leads(path + "/consent")
	ada.submit(path, "calendar", "a b").says(422, "Calendar ID must be")
}

func TestCalendar_OneAtATimeReceivesBookings(t *testing.T) {
	w := lite(t)
	withGoogle(w)
	ada := w.ada()
	ada.submit("/settings/calendars/new/google", "name", "First", "write_back", "on")
	opened := ada.get("/settings/calendars/new/google").says(200, "Bookings are currently added to First")
	ada.fill(opened, "/settings/calendars/new/google", "name", "Second", "write_back", "on")
	if first, second := w.calendarNamed("acme", "First"), w.calendarNamed("acme", "Second"); first.WriteBack ||
		!second.WriteBack {
		t.Errorf("first %v, second %v", first.WriteBack, second.WriteBack)
	}
	late := ada.fill(opened, "/settings/calendars/new/google", "name", "Third", "write_back", "on").says(409,
		"The calendar that receives bookings is now Second.")
	ada.fill(late, "/settings/calendars/new/google", "name", "Third")
	if !w.calendarNamed("acme", "Third").WriteBack || w.calendarNamed("acme", "Second").WriteBack {
		t.Error("saved again, the bookings go elsewhere")
	}
}
