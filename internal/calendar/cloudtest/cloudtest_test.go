package cloudtest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"slotd/internal/calendar/cloudtest"
)

func now() time.Time { return time.Date(2030, 1, 7, 9, 0, 0, 0, time.UTC) }

// The fakes would be useless if they accepted what the real services, or slotd, do not allow.
func TestFakes_Refuse(t *testing.T) {
	g, m := cloudtest.NewGoogle(t, now), cloudtest.NewMicrosoft(t, now)
	google, graph := g.URL+"/calendar/v3/calendars/primary/events", m.URL+"/v1.0/me/"
	g.Put("primary", cloudtest.Event{"id": "a"})
	m.Put("", cloudtest.Event{"id": "a"})
	const times = `"start":{"dateTime":"2030-01-08T10:00:00"},"end":{"dateTime":"2030-01-08T11:00:00"}`
	for name, c := range map[string]struct {
		method, address, body string
		status                int
	}{
		"Google: attendees": {"POST", google + "/import", `{"iCalUID":"x","attendees":[],` + times + "}",
			http.StatusBadRequest},
		"Google: no UID":           {"POST", google + "/import", "{" + times + "}", http.StatusBadRequest},
		"Google: a blind change":   {"PATCH", google + "/a", "{}", http.StatusPreconditionRequired},
		"Google: a blind deletion": {"DELETE", google + "/a", "", http.StatusPreconditionRequired},
		"Google: filters with a token": {"GET", google + "?syncToken=1&timeMin=2030-01-01T00:00:00Z", "",
			http.StatusBadRequest},
		"Google: deletions left out": {"GET", google + "?syncToken=1&showDeleted=false", "", http.StatusBadRequest},
		"Google: an odd token":       {"GET", google + "?syncToken=x", "", http.StatusGone},
		"Graph: attendees": {"POST", graph + "events", `{"attendees":[],` + times + "}",
			http.StatusBadRequest},
		"Graph: a UID of one's own": {"POST", graph + "events", `{"iCalUId":"x",` + times + "}", http.StatusBadRequest},
		"Graph: a blind change":     {"PATCH", graph + "events/a", "{}", http.StatusPreconditionRequired},
		"Graph: $select": {"GET",
			graph + "calendarView/delta?$select=id&startDateTime=2030&endDateTime=2031", "", http.StatusBadRequest},
		"Graph: no window": {"GET", graph + "calendarView/delta", "", http.StatusBadRequest},
		"Google: no PKCE": {"GET", g.URL +
			"/o/oauth2/v2/auth?client_id=slotd-client&response_type=code&scope=x&prompt=consent&access_type=offline&redirect_uri=http://x", "", http.StatusBadRequest},
	} {
		token := g.Grant()
		if strings.HasPrefix(c.address, m.URL) {
			token = m.Grant()
		}
		r, err := http.NewRequest(c.method, c.address, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Prefer", `outlook.timezone="UTC"`)
		token.SetAuthHeader(r)
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != c.status {
			t.Errorf("%s: status %d, want %d", name, answer.StatusCode, c.status)
		}
	}
	if len(g.Writes())+len(m.Writes()) != 0 {
		t.Error("something was written")
	}
}
