package calendars

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"slotd/internal/calendar/cloudtest"
)

// cloud is a fake Google or Microsoft with an owner's calendar.
type cloud struct {
	account
	name string
	put  func(id string, from, until time.Time)
}

// account is the common interface of the two fakes.
type account interface {
	Requests() int
	TokenRequests() int
	RevokeGrant()
	RefuseTokens(code string)
	Throttle(n int, retryAfter time.Duration)
}

var clouds = []string{"google", "microsoft"}

// startCloud starts a fake service and configures the deployment to use it.
func startCloud(t *testing.T, d deployment, name string) cloud {
	t.Helper()
	c := cloud{name: name}
	address := ""
	if name == "google" {
		g := cloudtest.NewGoogle(t, d.Now)
		c.account, address = g, g.URL
		c.put = func(id string, from, until time.Time) {
			g.Put("primary", cloudtest.Event{"id": id, "start": cloudtest.Event{"dateTime": from.Format(time.RFC3339)},
				"end": cloudtest.Event{"dateTime": until.Format(time.RFC3339)}})
		}
	} else {
		m := cloudtest.NewMicrosoft(t, d.Now)
		c.account, address = m, m.URL
		c.put = func(id string, from, until time.Time) {
			m.Put("", cloudtest.Event{"id": id, "showAs": "busy", "start": graphTime(from), "end": graphTime(until)})
		}
	}
	flag := "SLOTD_" + strings.ToUpper(name)
	d.Setenv(flag+"_CLIENT_ID", cloudtest.ClientID)
	d.Setenv(flag+"_CLIENT_SECRET", cloudtest.ClientSecret)
	d.Setenv(flag+"_API", address)
	return c
}

func graphTime(t time.Time) cloudtest.Event {
	return cloudtest.Event{"dateTime": t.UTC().Format("2006-01-02T15:04:05.0000000"), "timeZone": "UTC"}
}

// calendar returns the calendars section of the workspace file.
func (c cloud) calendar() string { return calendars("name: private, type: " + c.name) }

// putTaken adds an event from 9 to 10 UTC on the 15th.
func (c cloud) putTaken() {
	from := time.Date(2030, 1, 15, 9, 0, 0, 0, time.UTC)
	c.put("taken", from, from.Add(time.Hour))
}

// mails returns all mails that were sent to the host and the guests.
func (d deployment) mails(t *testing.T) (all []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(d.Data, "outbox", "*.eml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(text))
	}
	return all
}
