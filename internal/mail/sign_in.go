package mail

import (
	netmail "net/mail"
	"strings"
	"time"

	"slotd/internal/lib/say"
)

// SignInLink is a link that signs its holder in, once.
type SignInLink struct {
	From, To  netmail.Address
	Workspace string          // the link makes its holder an owner of this workspace; if empty, it only signs in
	By        netmail.Address // who sent the invitation; zero if nobody in particular
	URL       string
	ExpiresIn string // in words
	ID        string // id of the mail
}

// SignInMail returns the mail with the sign-in link for an owner.
func SignInMail(l SignInLink, now time.Time) Message {
	h := headers{
		from: netmail.Address{Name: firstNonEmpty(cleanLine(l.From.Name), "slotd"),
			Address: cleanLine(l.From.Address)},
		to:      netmail.Address{Name: cleanLine(l.To.Name), Address: cleanLine(l.To.Address)},
		replyTo: netmail.Address{Name: cleanLine(l.By.Name), Address: cleanLine(l.By.Address)},
		subject: say.T("Your sign-in link"),
		date:    now,
		id:      strings.Map(idRune, strings.ToLower(l.ID)),
	}
	text := say.T("Open this link to sign in:")
	if l.Workspace != "" {
		h.subject = say.T("Invitation to %s", cleanLine(l.Workspace))
		text = l.invitation()
	}
	return h.message(plainPart([]byte(text + "\n\n    " + cleanLine(l.URL) + "\n\n" +
		say.T("The link works once, within %s. If you didn't expect this email, you can ignore it.", l.ExpiresIn) +
		"\n")))
}

// invitation includes the inviter's address, because anybody can use any name.
func (l *SignInLink) invitation() string {
	name, address, workspace := cleanLine(l.By.Name), cleanLine(l.By.Address), cleanLine(l.Workspace)
	switch {
	case address == "":
		return say.T("You're invited to become an owner of %s. Open this link to accept:", workspace)
	case name == "":
		return say.T("%s invited you to become an owner of %s. Open this link to accept:", address, workspace)
	}
	return say.T("%s (%s) invited you to become an owner of %s. Open this link to accept:", name, address, workspace)
}
