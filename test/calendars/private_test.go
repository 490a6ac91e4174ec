package calendars

import (
	"net/http"
	"strings"
	"testing"

	"slotd/test/await"
)

// A host name may resolve to a private address, so the check is on the address.
func TestPrivate_NamesThatLeadInwardsAreNotFollowed(t *testing.T) {
	t.Parallel()
	inside := newProxy(t, http.NotFoundHandler())
	_, port, _ := strings.Cut(inside.addr, ":")
	for name, host := range map[string]string{"a name": "localhost:" + port, "an address": inside.addr} {
		d := onSQLite(t)
		d.Setenv("SLOTD_ALLOW_NETWORKS", "10.0.0.0/8")
		acme := d.office(t, "acme", calendars(davAt("http://"+host+"/")))
		s := d.Serve(t)
		await.True(t, "the calendar was tried", func() bool { return d.listLine(t, "acme").State == "failing" })
		if l := d.listLine(t, "acme"); !strings.Contains(l.Error, "private") ||
			!strings.Contains(l.Error, "--allow-networks") {
			t.Errorf("%s: calendar list says %q", name, l.Error)
		}
		a, err := acme.create(s, "call", "01-15T09")
		wantCode(t, name, "calendar_unavailable")(a, err)
		if output, exit := d.Try("", "calendar", "find", "--url", "http://"+host+"/"); exit == 0 ||
			!strings.Contains(output, "private") {
			t.Errorf("%s: calendar find says %s", name, output)
		}
	}
	if n := inside.count(); n > 0 {
		t.Errorf("%d requests came through", n)
	}
}
