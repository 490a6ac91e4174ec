package calendars

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"slotd/internal/calendar/davtest"
	"slotd/test/await"
	"slotd/test/harness"
)

func TestKey_RotatesWhileTheServerRuns(t *testing.T) {
	t.Parallel()
	dav, d := davtest.Radicale(t), onSQLite(t)
	acme := d.office(t, "acme", davAccount(dav.URL))
	d.sync(t)
	s := d.Serve(t)
	if output := d.Run(t, "key", "rotate"); !strings.HasPrefix(output, "1 credential is encrypted") {
		t.Errorf("key rotate says %s", output)
	}
	harness.ForgetOldKeys(t, filepath.Join(d.Data, "secret.key"))
	n := -1
	await.True(t, "what was entered after the rotation is refused", func() bool {
		n++
		putTalk(t, dav, n)
		return areRefused(t, []*harness.Server{s}, func() int {
			return len(raceToBook(t, acme, []*harness.Server{s}, n, 1))
		})
	})
	b := must(t)(acme.create(s, "talk", talk(n+1).Format(time.RFC3339)))
	await.True(t, "the booking is written", func() bool { return dav.Text(t, b.BookingID+".ics") != "" })
}

func TestKey_AnotherFile(t *testing.T) {
	t.Parallel()
	dav, d := davtest.Radicale(t), onSQLite(t)
	dav.Put(t, "taken.ics", taken)
	acme := d.office(t, "acme", calendars(davAt(dav.Calendar)))
	d.sync(t)
	s := d.Serve(t)
	s = d.RestartLater(t, s, 16*time.Minute, "--secret-key-file", filepath.Join(t.TempDir(), "another.key"))
	s.AwaitLog(t, regexp.MustCompile(`level=WARN .*another key file`))
	wantUnavailable(t, acme, s)
	await.True(t, "calendar list says what is wrong", func() bool {
		l := d.listLine(t, "acme")
		return l.State == "failing" && strings.Contains(l.Error, "another key file")
	})
	s = d.RestartLater(t, s, time.Minute)
	await.True(t, "the right key opens it again", func() bool { return acme.readable(s) })
	wantOpen(t, "with the right key", acme.open(t, s), []string{"01-15T09"})
}
