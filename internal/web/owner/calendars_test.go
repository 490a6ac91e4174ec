package owner

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"slotd"
	"slotd/internal/store/sqlcgen"
	"slotd/internal/workspace"
	"slotd/internal/workspace/file"
)

// secretPath is part of a feed's address, which no page may show.
const secretPath = "/s3cretpath/basic.ics"

// icsServer serves a calendar with one event. It asks for the password if one is set.
type icsServer struct {
	*httptest.Server
	broken   atomic.Bool
	username string
	password string
	reads    atomic.Int32
}

func newICSServer(t testing.TB, username, password string) *icsServer {
	s := &icsServer{username: username, password: password}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *icsServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.reads.Add(1)
	name, secret, _ := r.BasicAuth()
	switch {
	case s.broken.Load():
		w.WriteHeader(http.StatusInternalServerError)
	case name != s.username || secret != s.password:
		w.WriteHeader(http.StatusUnauthorized)
	default:
		fmt.Fprint(w, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Dentist\r\nDTSTART:20270202T100000Z\r\nDTEND:20270202T110000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
	}
}

func (s *icsServer) address() string { return s.URL + secretPath }

// calendarNamed returns a stored calendar of the workspace.
func (w *world) calendarNamed(slug, name string) slotd.Calendar {
	w.T.Helper()
	p, err := w.Site.Cache.Latest(background, w.id(slug))
	w.Must(err)
	for _, c := range p.Calendars {
		if c.Name == name {
			return c
		}
	}
	w.T.Fatalf("%s has no calendar %s", slug, name)
	return slotd.Calendar{}
}

func (w *world) calendarPath(name string) string {
	w.T.Helper()
	return fmt.Sprint("/settings/calendars/", w.calendarNamed("acme", name).ID)
}

// appliesUnchanged fails unless applying the exported file changes nothing.
func (w *world) appliesUnchanged(slug string) {
	w.T.Helper()
	exported, err := file.Read([]byte(w.export(slug)))
	w.Must(err)
	before, err := workspace.Put(background, w.DB,
		workspace.Change{Desired: &exported.Workspace, Keys: w.Workspaces.Keys, Now: w.Clock.Now()})
	w.Must(err)
	if lines := file.Diff(before.Workspace, &exported.Workspace); len(lines) > 0 {
		w.T.Errorf("applying the export changes %q", lines)
	}
}

// activityText returns the whole activity of a workspace.
func (w *world) activityText(slug string) string {
	w.T.Helper()
	rows, err := w.DB.Read().ActivityBefore(background,
		sqlcgen.ActivityBeforeParams{WorkspaceID: w.id(slug), At: w.Clock.Now().UnixMilli() + 1, Limit: 1000})
	w.Must(err)
	var all strings.Builder
	for _, row := range rows {
		fmt.Fprintln(&all, row.Kind, row.Detail)
	}
	return all.String()
}

func TestCalendars_AFeedIsConnectedTestedReadAndDisconnected(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		feed, ada := newICSServer(t, "", ""), w.ada()
		ada.get("/settings/calendars").says(200, "No calendar is connected")
		ada.get("/settings/calendars/new").says(200, "ICS address", "CalDAV", "Google Calendar")
		ada.submit("/settings/calendars/new/ics", "name", "Club", "url", feed.address(), "stale_after",
			"30").leads("/settings/calendars?saved=1")
		ada.get("/settings/calendars?saved=1").says(200, "Saved.", "Club", "1 busy time", "just now", "127.0.0.1", "/…")
		if file := w.export("acme"); !strings.Contains(file, "stale_after_minutes: 30") ||
			!strings.Contains(file, feed.address()) {
			t.Errorf("the file is\n%s", file)
		}
		w.appliesUnchanged("acme")
		w.Clock.Advance(3 * time.Minute)
		path := w.calendarPath("Club")
		ada.post(path+"/test", "workspace", "acme").says(200, "1 busy time in the next two years", "3 minutes ago")
		ada.post(path+"/read", "workspace",
			"acme").leads(strings.Replace("/settings/calendars#calendar-ID", "ID", path[len("/settings/calendars/"):],
			1))
		ada.get("/settings/calendars").says(200, "just now")
		ada.get(path+"/disconnect").says(200, "Disconnect Club?")
		ada.submit(path+"/disconnect", "workspace", "acme").leads("/settings/calendars?saved=1")
		ada.get("/settings/calendars").says(200, "No calendar is connected")
		ada.get(path).says(404)
		for _, want := range []string{"calendar Club: connected", "calendar Club: disconnected"} {
			if !strings.Contains(w.activityText("acme"), want) {
				t.Errorf("the activity does not say %q: %s", want, w.activityText("acme"))
			}
		}
	})
}

func TestCalendars_WhatCannotBeReadIsSaidInWords(t *testing.T) {
	w := lite(t)
	feed, ada := newICSServer(t, "", ""), w.ada()
	ada.submit("/settings/calendars/new/ics", "name", "Club", "url",
		feed.address()).leads("/settings/calendars?saved=1")
	path := w.calendarPath("Club")
	feed.broken.Store(true)
	ada.post(path+"/test", "workspace", "acme").says(200, "The test failed.")
	ada.post(path+"/read", "workspace", "acme")
	ada.get("/settings/calendars").says(200, "It can't be read.", "We use the last copy until",
		"Change its address or password")
	w.Clock.Advance(16 * time.Minute)
	ada.get("/settings/calendars").says(200, "Bookings are paused until it can be read.")
}

func TestCalendars_WhatIsUnreadableIsConnectedOnlyIfItsOwnerInsists(t *testing.T) {
	w := lite(t)
	feed, ada := newICSServer(t, "", ""), w.ada()
	feed.broken.Store(true)
	page := ada.submit("/settings/calendars/new/ics", "name", "Club", "url", feed.address()).says(422,
		"It can't be read.", "Connect it anyway")
	if strings.Contains(w.export("acme"), "Club") {
		t.Fatal("it is connected")
	}
	ada.fill(page, "/settings/calendars/new/ics", "anyway", "on").leads("/settings/calendars?saved=1")
	ada.get("/settings/calendars").says(200, "It can't be read.", "Bookings are paused")
}

func TestCalendars_SecretsStandInNoPageLogOrActivity(t *testing.T) {
	w := lite(t)
	const password = "p4ssword-<of>-ada"
	feed, ada := newICSServer(t, "ada", password), w.ada()
	pages := []*response{ada.submit("/settings/calendars/new/ics", "name", "Club", "url", feed.address(), "username",
		"ada",
		"password", "wr0ng-one").says(422, "It can't be read.")}
	ada.submit("/settings/calendars/new/ics", "name", "Club", "url", feed.address(), "username", "ada", "password",
		password).leads("/settings/calendars?saved=1")
	path := w.calendarPath("Club")
	feed.password = "another"
	pages = append(pages, ada.post(path+"/test", "workspace", "acme"), ada.get("/settings/calendars"), ada.get(path),
		ada.get(path+"/disconnect"))
	pages = append(pages, ada.submit(path, "password", "wr0ng-one").says(422, "It can't be read."))
	for _, p := range pages {
		for _, secret := range []string{"p4ssword", "wr0ng-one"} {
			if strings.Contains(p.Body, secret) {
				t.Errorf("%s is in %s", secret, p.Body)
			}
		}
	}
	for _, p := range pages[1:] {
		if strings.Contains(p.Body, "s3cretpath") {
			t.Errorf("the address is in %s", p.Body)
		}
	}
	for name, text := range map[string]string{"log": w.Log.String(), "activity": w.activityText("acme")} {
		if strings.Contains(text, "p4ssword") || strings.Contains(text, "s3cretpath") ||
			strings.Contains(text, "wr0ng-one") {
			t.Errorf("a secret is in the %s: %s", name, text)
		}
	}
}

func TestCalendars_AreTheirOwnersOnly(t *testing.T) {
	w := lite(t)
	feed := newICSServer(t, "", "")
	w.ada().submit("/settings/calendars/new/ics", "name", "Club", "url",
		feed.address()).leads("/settings/calendars?saved=1")
	path, bo, before := w.calendarPath("Club"), w.bo(), w.export("acme")
	bo.submit("/settings/calendars/new/ics", "name", "Own", "url",
		newICSServer(t, "", "").address()).leads("/settings/calendars?saved=1")
	reads := feed.reads.Load()
	for _, at := range []string{"", "/disconnect", "/consent"} {
		bo.get(path + at).says(404)
	}
	for _, at := range []string{"", "/disconnect", "/test", "/read"} {
		bo.post(path+at, "workspace", "other", "url", feed.address(), "stale_after", "1").says(404)
		bo.post(path+at, "workspace", "acme", "stale_after", "1").says(409)
		w.stranger().post(path+at, "workspace", "acme").says(403)
	}
	for _, id := range []string{"0", "-1", "x", "99999999999999999999", "%00"} {
		w.ada().get("/settings/calendars/" + id).says(404)
	}
	if w.export("acme") != before || feed.reads.Load() != reads {
		t.Error("bo changed or read acme's calendar")
	}
}

func TestCalendars_ASignInOfLongAgoIsNotEnough(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	w.Clock.Advance(3 * time.Hour)
	for _, path := range []string{"/settings/calendars", "/settings/calendars/new/ics", "/settings/payments"} {
		if p := ada.get(path); !strings.HasPrefix(p.Location(), "/login/again") {
			t.Errorf("%s: %d to %q", path, p.Status, p.Location())
		}
	}
	ada.post("/settings/calendars/new/ics", "workspace", "acme", "name", "x").says(403)
}
