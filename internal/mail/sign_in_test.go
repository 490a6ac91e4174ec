package mail

import (
	netmail "net/mail"
	"strings"
	"testing"
)

func invitation(by netmail.Address) SignInLink {
	return SignInLink{
		From: netmail.Address{Address: "slotd@book.example"},
		To:   netmail.Address{Name: "Cy", Address: "cy@new.example"}, Workspace: "Acme Inc", By: by,
		URL: "https://book.example/login/abc", ExpiresIn: "7 days", ID: "ticket.1",
	}
}

func TestInvitation_SaysWhoInvites(t *testing.T) {
	for _, c := range []struct {
		by            netmail.Address
		says, replyTo string
	}{
		{netmail.Address{Name: "Ada Park", Address: "ada@acme.example"},
			"Ada Park (ada@acme.example) invited you to become an owner of Acme Inc.", "ada@acme.example"},
		{netmail.Address{Address: "ada@acme.example"}, "ada@acme.example invited you to become an owner of Acme Inc.",
			"ada@acme.example"},
		{netmail.Address{}, "You're invited to become an owner of Acme Inc.", ""},
	} {
		r := parse(t, SignInMail(invitation(c.by), now).Data)
		if !strings.HasPrefix(r.plain, c.says) || !strings.Contains(r.plain, "https://book.example/login/abc") {
			t.Error(r.plain)
		}
		if got := r.header.Get("Reply-To"); !strings.Contains(got, c.replyTo) || c.replyTo == "" && got != "" {
			t.Errorf("answers go to %q, want %q", got, c.replyTo)
		}
	}
}

func TestSignInLink_IsAnsweredToNobody(t *testing.T) {
	link := invitation(netmail.Address{})
	link.Workspace = ""
	r := parse(t, SignInMail(link, now).Data)
	if r.header.Get("Reply-To") != "" || strings.Contains(r.plain, "invite") {
		t.Error(r.header, r.plain)
	}
}

func TestInvitation_ForeignTextChangesNothingButWords(t *testing.T) {
	ada := netmail.Address{Name: "Ada", Address: "ada@acme.example"}
	harmless := parse(t, SignInMail(invitation(ada), now).Data)
	for _, s := range hostile {
		link := invitation(netmail.Address{Name: s, Address: "ada@acme.example"})
		link.Workspace, link.To.Name = s, s
		m := SignInMail(link, now)
		r := parse(t, m.Data)
		if len(r.header) != len(harmless.header) ||
			strings.Count(r.plain, "\n") != strings.Count(harmless.plain, "\n") ||
			r.address(t, "Reply-To").Address != "ada@acme.example" {
			t.Errorf("%q: %v\n%s", s, r.header, r.plain)
		}
		expectWellFormed(t, m, r)
	}
}
