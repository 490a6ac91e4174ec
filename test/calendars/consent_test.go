package calendars

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"slotd/test/await"
	"slotd/test/harness"
)

func TestConsent_ConnectsACalendar(t *testing.T) {
	for _, name := range clouds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := onSQLite(t)
			service := startCloud(t, d, name)
			service.putTaken()
			if output := d.apply(t, "acme", service.calendar()); !strings.Contains(output, "slotd calendar connect") {
				t.Errorf("apply does not say what to do: %s", output)
			}
			acme := d.office(t, "acme", service.calendar())
			s := d.Serve(t)
			wantUnavailable(t, acme, s)
			await.True(t, "list says what to do",
				func() bool { return strings.Contains(d.listLine(t, "acme").Error, "Connect it again to allow access.") })

			o := owner{t}
			page := o.open(o.agree(d.consentLink(t, "acme")).String())
			if page.status != http.StatusOK || !strings.Contains(page.text, "Connect your") ||
				service.TokenRequests() != 0 {
				t.Errorf("the page answers %d, after %d requests for a token: %s", page.status, service.TokenRequests(),
					page.text)
			}
			wantUnavailable(t, acme, s) // opening a page changes nothing
			if done := o.press(s, page.form(), "same-origin"); !strings.Contains(done.text,
				"Your calendar is connected") {
				t.Errorf("the button answers %d %s", done.status, done.text)
			}
			wantOpen(t, "after the consent", acme.open(t, s), []string{"01-15T09"})
			a, err := acme.create(s, "call", "01-15T09")
			wantCode(t, "a busy slot", "slot_unavailable")(a, err)
		})
	}
}

func wantUnavailable(t *testing.T, o office, s *harness.Server) {
	t.Helper()
	a, err := o.availability(s, "2030-01-14", 14)
	wantCode(t, "get_availability", "calendar_unavailable")(a, err)
	a, err = o.create(s, "call", "01-17T09")
	wantCode(t, "create_booking", "calendar_unavailable")(a, err)
	if status, err := o.page(s); status != http.StatusServiceUnavailable || err != nil {
		t.Errorf("the page answers %d, %v", status, err)
	}
}

// Anything but the owner's own recent consent connects nothing and disconnects nothing.
func TestConsent_Refusals(t *testing.T) {
	for _, name := range clouds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := onSQLite(t)
			service := startCloud(t, d, name)
			acme, other := d.office(t, "acme", service.calendar()), d.office(t, "other", service.calendar())
			s, o := d.Serve(t), owner{t}

			fresh := func(slug string) url.Values { return o.agree(d.consentLink(t, slug)).Query() }
			d.AdvanceClock(-2 * time.Hour) // affects only commands: what they sign now is old for the server
			old := fresh("acme")
			d.AdvanceClock(2 * time.Hour)
			forged, otherWorkspace, good := fresh("acme"), fresh("acme"), fresh("acme")
			forged.Set("state", flipLetter(forged.Get("state")))
			otherWorkspace.Set("state", fresh("other").Get("state"))
			denied := url.Values{"state": good["state"], "error": {"access_denied"}}

			before := service.TokenRequests()
			wantRejected(t, "a forged state", o, s, forged, http.StatusForbidden, "has expired")
			wantRejected(t, "an old state", o, s, old, http.StatusForbidden, "has expired")
			if page := o.open(s.URL + "/oauth/calendar?" + denied.Encode()); !strings.Contains(page.text,
				"grant access") || len(page.form()) > 0 {
				t.Errorf("access denied: %d %s", page.status, page.text)
			}
			if page := o.press(s, good, "cross-site"); page.status != http.StatusForbidden {
				t.Errorf("a form of another site: %d %s", page.status, page.text)
			}
			if n := service.TokenRequests() - before; n > 0 {
				t.Errorf("%d codes were redeemed", n)
			}
			if page := o.press(s, otherWorkspace, "same-origin"); !strings.Contains(page.text, "isn't connected") ||
				!strings.Contains(page.text, "Open the link again") || strings.Contains(page.text, "automatically") {
				t.Errorf("another workspace's state: %d %s", page.status, page.text)
			}
			wantUnavailable(t, acme, s)
			wantUnavailable(t, other, s)

			if page := o.press(s, good, "same-origin"); !strings.Contains(page.text, "is connected") {
				t.Fatalf("a good consent: %d %s", page.status, page.text)
			}
			if page := o.press(s, good, "same-origin"); !strings.Contains(page.text, "no longer works") {
				t.Errorf("a code that was used: %d %s", page.status, page.text)
			}
			wantOpen(t, "after the second use of a code", acme.open(t, s), nil)
			wantUnavailable(t, other, s)
		})
	}
}

// wantRejected checks that the server rejects both the page and the form that its button would send.
func wantRejected(t *testing.T, what string, o owner, s *harness.Server, form url.Values, status int, says string) {
	t.Helper()
	for _, page := range []ownerPage{o.open(s.URL + "/oauth/calendar?" + form.Encode()),
		o.press(s, form, "same-origin")} {
		if page.status != status || !strings.Contains(page.text, says) {
			t.Errorf("%s: %d %s", what, page.status, page.text)
		}
	}
}

// flipLetter returns state with one letter in the middle changed.
func flipLetter(state string) string {
	i := len(state) / 2
	other := "A"
	if state[i:i+1] == other {
		other = "B"
	}
	return state[:i] + other + state[i+1:]
}
