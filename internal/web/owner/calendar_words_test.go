package owner

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Nobody reads a calendar again that is not connected, so the page must not promise it.
func TestConnect_PromisesNothingAboutWhatIsNotConnected(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	addresses := []string{gone.URL + "/x.ics"}
	for _, status := range []int{500, 503, 429, 404, 401} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
			_ *http.Request) {
			w.WriteHeader(status)
		}))
		t.Cleanup(s.Close)
		addresses = append(addresses, s.URL+"/x.ics")
	}
	for i, address := range addresses {
		pages := []*response{
			ada.submit("/settings/calendars/new/ics", "name", "Club", "url", address).says(422,
				"It can't be read.", "127.0.0.1"),
			ada.submit(findPath, "url", address, "username", "ada", "password", "secret", "way", "find").says(422,
				"No calendars were found.", "127.0.0.1"),
			ada.submit(findPath, "name", "Club", "url", address, "username", "ada", "password", "secret", "way",
				"direct").says(422, "It can't be read.", "127.0.0.1"),
		}
		for _, p := range pages {
			if strings.Contains(p.Text(), "automatically") ||
				strings.Contains(p.Text(), "Please try again later.") != (i < 4) {
				t.Errorf("%d: %s", i, p.Text())
			}
		}
	}
}

func TestConnect_AConnectedCalendarIsStillReadAgain(t *testing.T) {
	w := lite(t)
	feed, ada := newICSServer(t, "", ""), w.ada()
	ada.submit("/settings/calendars/new/ics", "name", "Club", "url",
		feed.address()).leads("/settings/calendars?saved=1")
	feed.broken.Store(true)
	ada.post(w.calendarPath("Club")+"/read", "workspace", "acme")
	ada.get("/settings/calendars").says(200, "We'll try again automatically.")
}
