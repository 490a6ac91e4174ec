package calendars

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"slotd/test/await"
)

// After an owner revokes the permission, slotd mails them once and sends no more requests to the service.
func TestRevoked_MailsOnceAndWaits(t *testing.T) {
	for _, name := range clouds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := onSQLite(t)
			service := startCloud(t, d, name)
			service.putTaken()
			acme := d.office(t, "acme", service.calendar())
			s, o := d.Serve(t), owner{t}
			o.connect(d, s, "acme")

			service.RevokeGrant()
			a, err := acme.create(s, "call", "01-15T09")
			wantCode(t, "a busy slot", "slot_unavailable")(a, err)
			must(t)(acme.create(s, "call", "01-16T09")) // the copy is still fresh
			await.True(t, "the host is told", func() bool { return len(d.troubleMails(t)) > 0 })
			wantBroken(t, d)

			asked := service.TokenRequests() + service.Requests()
			for _, by := range []time.Duration{time.Hour, 25 * time.Hour} {
				s = d.RestartLater(t, s, by)
				wantUnavailable(t, acme, s)
				d.Try("", "calendar", "sync", "--workspace", "acme")
			}
			wantBroken(t, d)
			if n := service.TokenRequests() + service.Requests() - asked; n > 0 {
				t.Errorf("%d requests, though only the owner can mend it", n)
			}
			service.RefuseTokens("")
			o.connect(d, s, "acme")
			wantOpen(t, "after the second consent", acme.open(t, s), []string{"01-15T09", "01-16T09"})
			if l := d.listLine(t, "acme"); l.State != "ok" || l.Error != "" {
				t.Errorf("the calendar is %+v", l)
			}
			wantOneMail(t, d)
		})
	}
}

func wantBroken(t *testing.T, d deployment) {
	t.Helper()
	if l := d.listLine(t, "acme"); l.State != "broken" || !strings.Contains(l.Error, "Connect it again") {
		t.Errorf("the calendar is %+v", l)
	}
	wantOneMail(t, d)
}

func wantOneMail(t *testing.T, d deployment) {
	t.Helper()
	mails := d.troubleMails(t)
	if len(mails) != 1 || !strings.Contains(mails[0], "ada@acme.example") ||
		!strings.Contains(mails[0], "slotd calendar connect") {
		t.Errorf("the host got %q", mails)
	}
}

func (d deployment) troubleMails(t *testing.T) (all []string) {
	t.Helper()
	for _, mail := range d.mails(t) {
		if strings.Contains(mail, "Subject: Your calendar private needs your attention") {
			all = append(all, mail)
		}
	}
	return all
}

// A password that is rejected again and again causes one mail only.
func TestRefused_MailsOnce(t *testing.T) {
	t.Parallel()
	d := onSQLite(t)
	p := newProxy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, taken) }))
	d.office(t, "acme", calendars("name: private, type: ics, url: "+p.URL+secretPath+password))
	d.sync(t)
	p.setTrouble(answerWith(http.StatusUnauthorized, "WWW-Authenticate", `Basic realm="x"`))
	for range 3 {
		d.AdvanceClock(2 * time.Hour)
		if output, exit := d.Try("", "calendar", "sync", "--workspace", "acme"); exit == 0 {
			t.Errorf("the calendar was read: %s", output)
		}
	}
	s := d.Serve(t)
	await.True(t, "the host is told", func() bool { return len(d.troubleMails(t)) > 0 })
	stop(t, s)
	before := p.count()
	s = d.RestartLater(t, s, 2*time.Hour)
	await.True(t, "the calendar is tried once more", func() bool {
		next, err := time.Parse(time.RFC3339, d.listLine(t, "acme").NextRead)
		return p.count() > before && err == nil && next.After(d.Now())
	})
	stop(t, s)
	if list := d.Run(t, "jobs", "list"); strings.Contains(list, "calendar_trouble") {
		t.Errorf("there is another mail to send: %s", list)
	}
	if mails := d.troubleMails(t); len(mails) != 1 || !strings.Contains(mails[0], "ada@acme.example") {
		t.Errorf("the host got %q", mails)
	}
	p.setTrouble(nil)
	d.RestartLater(t, s, 2*time.Hour)
	await.True(t, "the calendar recovers", func() bool { return d.listLine(t, "acme").State == "ok" })
}

// After fixing the password, the owner need not wait for the pause that follows a rejected one.
func TestRefused_IsAskedAgainAtOnceByCommand(t *testing.T) {
	t.Parallel()
	d := onSQLite(t)
	p := newProxy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, taken) }))
	d.office(t, "acme", calendars("name: private, type: ics, url: "+p.URL+secretPath+password))
	p.setTrouble(answerWith(http.StatusUnauthorized, "WWW-Authenticate", `Basic realm="x"`))
	if output, exit := d.Try("", "calendar", "sync", "--workspace", "acme"); exit == 0 {
		t.Errorf("the calendar was read: %s", output)
	}
	p.setTrouble(nil)
	d.sync(t)
	if l := d.listLine(t, "acme"); l.State != "ok" {
		t.Errorf("the calendar is %+v", l)
	}
}

func TestThrottled_TheServiceIsLeftAlone(t *testing.T) {
	for _, name := range clouds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := onSQLite(t)
			service := startCloud(t, d, name)
			acme := d.office(t, "acme", service.calendar())
			s := d.Serve(t)
			owner{t}.connect(d, s, "acme")
			service.Throttle(1, 30*time.Minute)
			service.putTaken()
			must(t)(acme.create(s, "call", "01-16T09")) // the copy is still fresh
			await.True(t, "the pause is noted", func() bool { return d.listLine(t, "acme").State == "failing" })
			asked := service.Requests()
			s = d.RestartLater(t, s, 20*time.Minute)
			wantUnavailable(t, acme, s)
			if n := service.Requests() - asked; n > 0 {
				t.Errorf("%d requests during the pause that was asked for", n)
			}
			s = d.RestartLater(t, s, 11*time.Minute)
			await.True(t, "the calendar is read after the pause", func() bool { return acme.readable(s) })
			wantOpen(t, "after the pause", acme.open(t, s), []string{"01-15T09", "01-16T09"})
		})
	}
}
