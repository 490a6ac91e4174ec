package calendars

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"slotd/internal/calendar/davtest"
)

func TestKey_RotatesWhileTheServerRuns(t *testing.T) {
	t.Parallel()
	dav, d := davtest.Radicale(t), onSQLite(t)
	acme := d.office(t, "acme", davAccount(dav.URL))
	d.sync(t)
	s := d.start(t)
	if output := d.command(t, "", "key", "rotate"); !strings.HasPrefix(output, "1 credentials are sealed") {
		t.Errorf("key rotate says %s", output)
	}
	forgetOldKeys(t, filepath.Join(d.data, "secret.key"))
	putTalk(t, dav, 0)
	a, err := acme.create(s, "talk", talk(0).Format(time.RFC3339))
	wantCode(t, "what was entered after the rotation", "slot_unavailable")(a, err)
	b := must(t)(acme.create(s, "talk", talk(1).Format(time.RFC3339)))
	eventually(t, "the booking is written", func() bool { return dav.Text(t, b.BookingID+".ics") != "" })
}

// forgetOldKeys leaves only the newest key, so that everything that can still be read was sealed with it.
func forgetOldKeys(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	newest, old, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	if old == "" {
		t.Fatal("the previous key was not kept")
	}
	if err := os.WriteFile(path, []byte(newest+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestKey_AnotherFile(t *testing.T) {
	t.Parallel()
	dav, d := davtest.Radicale(t), onSQLite(t)
	dav.Put(t, "taken.ics", taken)
	acme := d.office(t, "acme", calendars(davAt(dav.Calendar)))
	d.sync(t)
	s := d.start(t)
	s = d.restartLater(t, s, 16*time.Minute, "--secret-key-file", filepath.Join(t.TempDir(), "another.key"))
	eventually(t, "the server warns", func() bool {
		return slices.ContainsFunc(strings.Split(s.log.String(), "\n"), func(line string) bool {
			return strings.Contains(line, "level=WARN") && strings.Contains(line, "another key file")
		})
	})
	wantUnavailable(t, acme, s)
	if l := d.listLine(t, "acme"); l.State != "failing" || !strings.Contains(l.Error, "another key file") {
		t.Errorf("the calendar is %+v", l)
	}
	s = d.restartLater(t, s, time.Minute)
	eventually(t, "the right key opens it again", func() bool { return acme.readable(s) })
	wantOpen(t, "with the right key", acme.open(t, s), []string{"01-15T09"})
}
