package calendars

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"slotd/test/await"
	"slotd/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m, 8) } // most tests spend their time waiting

// monday is when the programs' clocks start, whenever the tests run, so that expectations can be worked out by hand.
var monday = time.Date(2030, 1, 7, 8, 0, 0, 0, time.UTC)

// deployment is one database, on which the tests start and stop servers.
type deployment struct{ *harness.Deployment }

func onSQLite(t *testing.T) deployment {
	t.Helper()
	return prepare(harness.OnSQLite(t))
}

func onPostgres(t *testing.T) deployment {
	t.Helper()
	return prepare(harness.OnPostgres(t))
}

func prepare(d *harness.Deployment) deployment {
	d.SetClock(monday)
	d.Setenv("SLOTD_ALLOW_NETWORKS", "127.0.0.1/32")
	d.Setenv("DAV_PASSWORD", davPassword)
	return deployment{d}
}

// eachDatabase runs the test with one server on SQLite, and with two servers on one PostgreSQL database.
func eachDatabase(t *testing.T, test func(t *testing.T, d deployment, servers int)) {
	t.Run("sqlite", func(t *testing.T) { t.Parallel(); test(t, onSQLite(t), 1) })
	t.Run("postgres", func(t *testing.T) { t.Parallel(); test(t, onPostgres(t), 2) })
}

// apply applies a workspace file and returns everything that the command prints.
func (d deployment) apply(t *testing.T, slug, calendars string) (output string) {
	t.Helper()
	output, exit := d.Try(strings.ReplaceAll(workspace, "SLUG", slug)+calendars, "apply", "-f", "-")
	if exit != 0 {
		t.Fatalf("slotd apply: exit %d, %s", exit, output)
	}
	return output
}

// office applies a workspace file and returns the workspace with a new token.
func (d deployment) office(t *testing.T, slug, calendars string) office {
	t.Helper()
	d.apply(t, slug, calendars)
	return office{slug, d.Token(t, slug)}
}

// sync reads the calendars. On a busy machine a read may exceed one of the program's own timeouts; then it tries again.
func (d deployment) sync(t *testing.T) {
	t.Helper()
	d.untilItWorks(t, "calendar", "sync", "--workspace", "acme")
}

// untilItWorks runs a command until it succeeds and returns everything that it prints.
func (d deployment) untilItWorks(t *testing.T, args ...string) (output string) {
	t.Helper()
	var exit int
	defer func() {
		if exit != 0 {
			t.Logf("slotd %s: exit %d, %s", strings.Join(args, " "), exit, output)
		}
	}()
	await.True(t, "slotd "+strings.Join(args, " ")+" works", func() bool {
		output, exit = d.Try("", args...)
		return exit == 0
	})
	return output
}

// calendarLine is a calendar's line in the output of calendar list.
type calendarLine struct {
	State    string
	Busy     int    `json:"busy_times"`
	NextRead string `json:"next_read"`
	Error    string
	Warning  string
}

func (d deployment) listLine(t *testing.T, slug string) calendarLine {
	t.Helper()
	var lines []calendarLine
	output := d.Run(t, "calendar", "list", "--workspace", slug, "--json")
	if err := json.Unmarshal([]byte(output), &lines); err != nil || len(lines) != 1 {
		t.Fatalf("%s: %v", output, err)
	}
	return lines[0]
}

func (d deployment) startServers(t *testing.T, servers int) (all []*harness.Server) {
	t.Helper()
	for range servers {
		all = append(all, d.Serve(t))
	}
	return all
}
