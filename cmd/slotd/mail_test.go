package main

import (
	"bytes"
	"net/http"
	"net/mail"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"slotd/internal/cli"
	"slotd/test/await"
)

func TestMailTest_WritesToTheOutboxWithoutAServer(t *testing.T) {
	pl := onSQLite(t)
	o := pl.run("mail", "test", "--to", "ada@acme.example").exits(t, 0)
	found, err := filepath.Glob(filepath.Join(pl.Data, "outbox", "*.eml"))
	if err != nil || len(found) != 1 || !strings.Contains(o.out, filepath.Base(found[0])) {
		t.Fatalf("%v in the outbox, printed %s", found, o.out)
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	m, err := mail.ReadMessage(bytes.NewReader(data))
	if err != nil || m.Header.Get("To") != "<ada@acme.example>" || m.Header.Get("Auto-Submitted") != "auto-generated" {
		t.Errorf("%v: %s", err, data)
	}
	if info, err := os.Stat(found[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestMailTest_BadUsage(t *testing.T) {
	pl := onSQLite(t)
	pl.run("mail", "test").exits(t, 2).says(t, "--to is required")
	pl.run("mail", "test", "--to", "nobody").exits(t, 2).says(t, "--to")
	o := pl.run("mail", "test", "--to", "ada@acme.example", "--smtp", "ftp://ada:hunter2@mail.example").exits(t,
		2).says(t, "--smtp", "smtp://")
	if strings.Contains(o.err, "hunter2") {
		t.Error(o.err)
	}
	pl.run("mail", "test", "--to", "ada@acme.example", "--mail-from", "not an address").exits(t, 2).says(t,
		"--mail-from")
	o = pl.run("mail", "test", "--to", "ada@acme.example", "--smtp", "smtp://ada:hunter2@127.0.0.1:1").exits(t,
		1).says(t, "127.0.0.1:1")
	if strings.Contains(o.err, "hunter2") {
		t.Error(o.err)
	}
	if _, err := os.Stat(pl.Data); err == nil {
		t.Error("a mail that is sent makes a directory")
	}
	o = pl.run("mail", "test", "--to", "ada@acme.example", "--database",
		"postgres://ada:hunter2@127.0.0.1:1/slotd").exits(t, 1)
	if strings.Contains(o.err, "hunter2") {
		t.Error(o.err)
	}
}

func TestServe_BadMailFlagsStartNothing(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{{"--smtp", "mail.example:25"}, {"--smtp", "smtp://ada:hunter2@mail.example:0"},
		{"--mail-from", "Ada"}, {"--mail-from", "a@b.example\r\nBcc: c@d.example"}} {
		pl := onSQLite(t)
		p := start(t, nil, append(append([]string{"serve", "--listen", "127.0.0.1:0"}, flags...), pl.flags...)...)
		if exit := p.Wait(t); exit != 2 || !strings.Contains(p.Log.String(), flags[0]) ||
			strings.Contains(p.Log.String(), "hunter2") {
			t.Errorf("%v: exit %d: %s", flags, exit, p.Log)
		}
		if _, err := os.Stat(pl.Data); err == nil {
			t.Errorf("%v: made a directory", flags)
		}
	}
}

func TestMailFrom(t *testing.T) {
	for _, c := range []struct{ from, smtp, baseURL, want string }{
		{"", "", "https://book.example", "<slotd@book.example>"},
		{"", "", "http://127.0.0.1:8080", "<slotd@localhost>"},
		{"", "", "http://[::1]:8080", "<slotd@localhost>"},
		{"", "", "http://localhost:8080", "<slotd@localhost>"},
		{"", "", "", "<slotd@localhost>"},
		{"", "smtp://mail.example", "https://book.example", "<slotd@book.example>"},
		{"", "smtp://ada:secret@mail.example", "https://book.example", "<slotd@book.example>"},
		{"", "smtp://ada%40acme.example:secret@mail.example", "https://book.example", "<ada@acme.example>"},
		{"bookings@acme.example", "smtp://ada%40acme.example:secret@mail.example", "", "<bookings@acme.example>"},
		{"Acme Inc <bookings@acme.example>", "", "", `"Acme Inc" <bookings@acme.example>`},
	} {
		f := cli.Mail{SMTP: c.smtp, From: c.from}
		got, err := f.FromAddress(c.baseURL)
		if err != nil || got.String() != c.want {
			t.Errorf("%+v: %s, %v", c, got.String(), err)
		}
	}
}

// outbox waits for the mail whose file name ends with suffix and returns it.
func (pl *deployment) outbox(suffix string) (text string) {
	pl.t.Helper()
	await.True(pl.t, "the mail "+suffix, func() bool {
		found, err := filepath.Glob(filepath.Join(pl.Data, "outbox", "*"+suffix+".eml"))
		if err != nil || len(found) == 0 {
			return false
		}
		data, err := os.ReadFile(found[0])
		text = string(data)
		return err == nil
	})
	return text
}

var calendarLink = regexp.MustCompile(`/b/(?:host-)?ics/[A-Za-z0-9_-]+`)

func TestCalendarFiles_AreForWhoeverHasTheLink(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		s := pl.serve(nil)
		token := pl.token("acme")
		booked := s.mustBook(token, "intro", slotIn(2))
		link := func(who string) string {
			unfolded := strings.ReplaceAll(pl.outbox(".0.booked."+who), "=\r\n", "")
			found := calendarLink.FindString(unfolded)
			if found == "" {
				t.Fatalf("no link in the mail to the %s", who)
			}
			return found
		}
		attendee, host := link("attendee"), link("host")
		before := pl.versions()
		status, file, header := s.ask("GET", attendee, "")
		if status != http.StatusOK || !strings.HasPrefix(header.Get("Content-Type"), "text/calendar") ||
			header.Get("Cache-Control") != "no-store" ||
			header.Get("Referrer-Policy") != "no-referrer" || header.Get("X-Robots-Tag") != "noindex, nofollow" {
			t.Errorf("%d, %v", status, header)
		}
		if !strings.Contains(file, "UID:"+booked["booking_id"].(string)+"@slotd\r\n") ||
			strings.Contains(file, "knows Bo") {
			t.Errorf("the attendee's file: %s", file)
		}
		if _, file, _ := s.ask("GET", host, ""); !strings.Contains(file, "knows Bo") ||
			strings.Contains(file, "/b/cancel/") {
			t.Errorf("the host's file: %s", file)
		}
		if status, file, _ := s.ask("HEAD", attendee, ""); status != http.StatusOK || file != "" {
			t.Errorf("HEAD: %d, %s", status, file)
		}
		secret := attendee[strings.LastIndexByte(attendee, '/')+1:]
		s.wantNotFound("/b/host-ics/"+secret, "/b/ics/"+secret[1:], "/b/ics/x", "/b/ics/"+strings.Repeat("A", 5000))
		if status, _, _ := s.ask("POST", attendee, ""); status != http.StatusMethodNotAllowed {
			t.Errorf("POST: %d", status)
		}
		pl.wantSame("after all that reading", pl.versions(), before)
		if strings.Contains(s.Log.String(), secret) {
			t.Error("the link stands in the log")
		}

		if text, failed := s.call(token, "cancel_booking",
			`{"booking_id":"`+booked["booking_id"].(string)+`"}`); failed != "" {
			t.Fatal(text)
		}
		if _, file, _ := s.ask("GET", attendee, ""); !strings.Contains(file, "STATUS:CANCELLED\r\n") ||
			!strings.Contains(file, "SEQUENCE:1\r\n") {
			t.Errorf("after the cancel: %s", file)
		}
		late := pl.serve(env{"SLOTD_CLOCK_OFFSET": "840h"}) // 35 days
		if status, _, _ := late.ask("GET", attendee, ""); status != http.StatusNotFound {
			t.Errorf("a month after the end: %d", status)
		}
	})
}

func (p *process) wantNotFound(paths ...string) {
	p.t.Helper()
	for _, path := range paths {
		if status, _, _ := p.ask("GET", path, ""); status != http.StatusNotFound {
			p.t.Errorf("%.60s: %d", path, status)
		}
	}
}
