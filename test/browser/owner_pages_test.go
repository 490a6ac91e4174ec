package browser

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// startOwnerPages starts a server with everything that the settings pages can show, and returns those pages.
func startOwnerPages(t *testing.T, o office, g guest) (s *program, pages []state) {
	t.Helper()
	s = startAt(t, monday, o.file())
	s.bookByForm(t, "/acme/intro", g, takenSlot, freeSlot)
	s.Apply(t, unread)
	var bookings []struct{ ID string }
	must(t, json.Unmarshal([]byte(s.Run(t, "booking", "list", "--workspace", "acme", "--json")), &bookings))
	booking := "/settings/bookings/" + bookings[0].ID
	calendar := regexp.MustCompile(`/settings/calendars/\d+`).FindString(s.textAs(t, s.session(t, "unread"),
		"/settings/calendars"))
	for _, path := range []string{
		"/login?to=/settings/mcp", "/login/again", "/login/no-such-link",
		"/setup/workspace", "/setup/hours", "/setup/event-type",
		"/settings/bookings", "/settings/bookings?state=past", "/settings/bookings?state=canceled",
		"/settings/bookings?q=nobody", "/settings/bookings?view=day&date=2030-11-05",
		booking, booking + "/reschedule", booking + "/cancel", "/settings/bookings/no-such-booking", "/settings/people",
		"/settings/event-types", "/settings/event-types/new", "/settings/event-types/intro",
		"/settings/event-types/paid", "/settings/event-types/new?copy=visit",
		"/settings/hours", "/settings/hours/default", "/settings/hours/rare?date=2030-12-18&month=2030-12",
		"/settings/hours/default/holidays?country=de&year=2030",
		"/settings/calendars", "/settings/calendars/new", "/settings/calendars/new/ics",
		"/settings/calendars/new/caldav", "/settings/calendars/new/google", calendar, calendar + "/disconnect",
		"/settings/mcp", "/settings/mcp/try", "/settings/payments", "/settings/mail", "/settings/look",
		"/settings/explain", "/settings/explain?event=intro&slot=" + takenSlot, "/settings/members",
		"/settings/activity", "/settings/doctor", "/settings/account", "/settings/workspaces",
	} {
		pages = append(pages, state{name: "owner" + strings.NewReplacer("/", "-", "?", "-", "&", "-", "=", "-",
			bookings[0].ID, "id").Replace(path), url: s.URL + path})
	}
	return s, pages
}

// session signs in as an owner and returns the value of the session cookie.
func (p *program) session(t *testing.T, workspace string) string {
	t.Helper()
	link := p.Run(t, "user", "add", "--workspace", workspace, "--email", "ada@acme.example")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := client.PostForm(p.URL+link[strings.Index(link, "/login/"):], nil)
	must(t, err)
	r.Body.Close()
	for _, c := range r.Cookies() {
		if c.Name == "slotd_session" {
			return c.Value
		}
	}
	t.Fatalf("the link of user add: %s", r.Status)
	return ""
}

// textAs returns the HTML of a page as the signed-in owner gets it.
func (p *program) textAs(t *testing.T, session, path string) string {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, p.URL+path, nil)
	must(t, err)
	r.AddCookie(&http.Cookie{Name: "slotd_session", Value: session})
	answer, err := http.DefaultClient.Do(r)
	must(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	must(t, err)
	return string(body)
}

// openAs is like open, with an owner's session cookie.
func (p *program) openAs(t *testing.T, session string, o options) *rod.Page {
	t.Helper()
	page := open(t, o)
	p.setSession(t, page, session)
	return page
}

func (p *program) setSession(t *testing.T, page *rod.Page, session string) {
	t.Helper()
	_, err := proto.NetworkSetCookie{Name: "slotd_session", Value: session, URL: p.URL}.Call(page)
	must(t, err)
}

// visitInTwoWindows visits the pages one after the other, half of them in each of two windows: opening a window for
// each page would take longer than everything else.
func visitInTwoWindows(t *testing.T, s *program, pages []state, o options,
	check func(t *testing.T, p *rod.Page, name string)) {
	t.Helper()
	sessions := map[bool]string{false: s.session(t, "acme"), true: s.session(t, "unread")}
	for half := range 2 {
		t.Run(fmt.Sprint("window ", half+1), func(t *testing.T) {
			t.Parallel()
			o.expects = []string{"40"} // the status of pages that do not exist
			p := open(t, o)
			for i, page := range pages {
				if i%2 != half && !strings.Contains(page.url, "/no-such-") {
					continue
				}
				s.setSession(t, p, sessions[strings.Contains(page.url, "/calendars/")])
				t.Run(page.name, func(t *testing.T) {
					visit(t, p, page.url)
					check(t, p, page.name)
				})
			}
		})
	}
}

func TestEveryOwnerPage_IsAccessibleAndFitsTheScreen(t *testing.T) {
	t.Parallel()
	s, pages := startOwnerPages(t, office{}, grace)
	visitInTwoWindows(t, s, pages, options{width: 1200, locale: "en-GB"}, wantOwnerPage)
}

func TestEveryOwnerPage_ForeignTextStaysTextAndFits(t *testing.T) {
	t.Parallel()
	s, pages := startOwnerPages(t, vandal, vandalsGuest)
	visitInTwoWindows(t, s, pages, options{width: 320}, func(t *testing.T, p *rod.Page, name string) {
		wantFits(t, p, 320)
		screenshot(t, p, "long-"+name+"-320")
		if got := p.MustEval(`() => String(window.pwned)`).Str(); got != "undefined" {
			t.Error("a foreign script ran")
		}
		if got := p.MustEval(`() => document.querySelectorAll("img[src=x], script:not([src]), style, [onerror]").length`).Int(); got != 0 {
			t.Errorf("%d foreign elements", got)
		}
	})
}
