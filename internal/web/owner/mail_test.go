package owner

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"slotd/internal/mail"
	"slotd/internal/mail/delivery"
	"slotd/internal/workspace/file"
)

// wantApplied fails unless applying the workspace's own file changes nothing.
func (w *world) wantApplied(slug string) {
	w.T.Helper()
	exported, err := file.Read([]byte(w.export(slug)))
	w.Must(err)
	p, err := w.Site.Cache.Latest(background, w.id(slug))
	w.Must(err)
	if lines := file.Diff(&p.Workspace, &exported.Workspace); len(lines) > 0 {
		w.T.Errorf("applying the export would change %q", lines)
	}
}

func TestMail_TheHostIsWhatTheFileSays(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	ada.get("/settings/mail").says(200, "sent from slotd@book.example", "to ada@acme.example")
	ada.submit("/settings/mail", "name", "Ada & Söhne", "email", "desk@acme.example").leads("/settings/mail?saved=1")
	ada.get("/settings/mail?saved=1").says(200, "Saved.")
	if file := w.export("acme"); !strings.Contains(file, "Ada & Söhne") ||
		!strings.Contains(file, "desk@acme.example") {
		t.Errorf("%s", file)
	}
	w.wantApplied("acme")
	if got := w.notedAs("acme", "workspace.changed"); len(got) != 1 || !strings.Contains(got[0], "desk@acme.example") {
		t.Errorf("%q", got)
	}
}

func TestMail_HostileHostsAreRefusedAndStayInTheForm(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	before := w.export("acme")
	for _, c := range []struct{ name, email, reason, field string }{
		{"", "a@b.example", "Name must not be empty", "name"},
		{strings.Repeat("x", 201), "a@b.example", "at most 200", "name"},
		{"Ada\nBcc: all@example.com", "a@b.example", "one line", "name"},
		{"Ada", "", "Email must be", "email"},
		{"Ada", "a@b.example\nBcc: all@example.com", "Email must be", "email"},
		{"Ada", `"><script>alert(1)</script>@b.example`, "Email must be", "email"},
		{"Ada", strings.Repeat("x", 250) + "@b.example", "Email must be", "email"},
		{"Ada", "ada", "Email must be", "email"},
	} {
		p := ada.submit("/settings/mail", "name", c.name, "email", c.email).says(422, c.reason)
		if !strings.Contains(p.Body, `href="#`+c.field+`"`) || strings.Contains(p.Body, "<script>alert") {
			t.Errorf("%q %q: %s", c.name, c.email, p.Text())
		}
	}
	if w.export("acme") != before {
		t.Error("something was changed")
	}
}

func TestMail_TwoOwnersWhoEditTheHost(t *testing.T) {
	w := lite(t)
	ada, eve := w.ada(), w.owner("acme", "eve@acme.example")
	open := ada.get("/settings/mail")
	eve.submit("/settings/mail", "name", "Eve").leads("/settings/mail?saved=1")
	p := ada.fill(open, "/settings/mail", "name", "Ada Lovelace").says(409, "Someone else changed this",
		"Name is now “Eve”")
	if strings.Contains(p.Text(), "address is now") || !strings.Contains(p.Body, `value="Ada Lovelace"`) {
		t.Errorf("%s", p.Body)
	}
	ada.fill(p, "/settings/mail", "name", "Ada Lovelace").leads("/settings/mail?saved=1")
	if !strings.Contains(w.export("acme"), "Ada Lovelace") {
		t.Error("saving again did not put theirs away")
	}
	// Saving the same values twice is not a conflict.
	ada.fill(open, "/settings/mail", "name", "Ada Lovelace").leads("/settings/mail?saved=1")
	w.bo().post("/settings/mail", "workspace", "acme", "seen", "x", "name", "Bo", "email", "bo@other.example").says(409,
		"another workspace")
	if strings.Contains(w.export("acme"), "Bo") {
		t.Error("bo is acme's host")
	}
}

func (w *world) mails() (texts []string) {
	w.T.Helper()
	files, err := filepath.Glob(filepath.Join(w.outbox, "*.eml"))
	w.Must(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		w.Must(err)
		texts = append(texts, string(text))
	}
	return texts
}

func TestMailTest_GoesToOneselfAndSaysWhatTheServerSaid(t *testing.T) {
	w := lite(t)
	ada := w.ada()
	ada.post("/settings/mail/test", "workspace", "acme", "to", "victim@example.com", "email",
		"victim@example.com").says(200, "The test email was sent.", "written to outbox/test.")
	got := w.mails()
	if len(got) != 1 || !strings.Contains(got[0], "To: <ada@acme.example>") || strings.Contains(got[0], "victim") {
		t.Fatalf("%q", got)
	}
	if got := w.notedAs("acme", "mail.tested"); len(got) != 1 || !strings.Contains(got[0], "written to outbox/") {
		t.Errorf("%q", got)
	}
	w.ToFiles = true
	ada.get("/settings/mail").says(200, "This server doesn't send email.", "--smtp")
	ada.get("/settings/mail/test").says(405)
}

func TestMailTest_IsHeldBack(t *testing.T) {
	w := lite(t)
	ada, eve := w.ada(), w.owner("acme", "eve@acme.example")
	send := func(b *window) *response { return b.post("/settings/mail/test", "workspace", "acme") }
	for range 5 {
		send(ada).says(200)
	}
	if p := send(ada).says(429, "You can send the next one in 12 minutes"); p.Header.Get("Retry-After") != "720" ||
		len(w.mails()) != 5 {
		t.Errorf("%s, %d mails", p.Header.Get("Retry-After"), len(w.mails()))
	}
	send(eve).says(200)
	w.Clock.Advance(12 * time.Minute)
	send(ada).says(200)
	send(ada).says(429)
}

// broken is a mail server that rejects everything.
type broken struct{ err error }

func (b broken) Send(ctx context.Context, _ mail.Message) (string, error) {
	if errors.Is(b.err, context.DeadlineExceeded) {
		if _, ends := ctx.Deadline(); !ends {
			panic("nobody ends it")
		}
	}
	return "", b.err
}
func (broken) Close() error { return nil }

func TestMailTest_SaysInWordsWhyNot(t *testing.T) {
	for _, c := range []struct {
		err     error
		toFiles bool
		says    string
	}{
		{&delivery.Refused{Reason: "RCPT: 550 no <b>such</b> user"}, false,
			"The mail server rejected it: RCPT: 550 no <b>such</b> user"},
		{errors.New("mail server secret-mx:25, connect: connection refused"), false,
			"Sending failed: the mail server can't be reached."},
		{fmt.Errorf("send: %w", &net.DNSError{Err: "no such host", Name: "secret-mx.localdomain",
			Server: "10.9.8.7:53"}), false, "the mail server has an unknown host name."},
		{fmt.Errorf("wait: %w", context.DeadlineExceeded), false, "didn't answer within 20 seconds"},
		{&os.PathError{Op: "open", Path: "/srv/secret/outbox", Err: os.ErrPermission}, true, "couldn't be written"},
	} {
		w := lite(t)
		w.Sender, w.ToFiles = broken{c.err}, c.toFiles
		p := w.ada().post("/settings/mail/test", "workspace", "acme").says(200, "The test email wasn't sent.", c.says)
		got := w.notedAs("acme", "mail.tested")
		if len(got) != 1 || !strings.Contains(got[0], "not sent: ") {
			t.Errorf("%q", got)
		}
		for _, inside := range []string{"secret", "10.9.8.7", "<b>such"} {
			if strings.Contains(p.Body, inside) || inside != "<b>such" &&
				strings.Contains(strings.Join(got, ""), inside) {
				t.Errorf("%s is told: %s, %q", inside, p.Text(), got)
			}
		}
	}
}
