package mail

import (
	"fmt"
	netmail "net/mail"
	"strings"
	"time"
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
		subject: "Your sign-in link",
		date:    now,
		id:      strings.Map(idRune, strings.ToLower(l.ID)),
	}
	text := "Open this link to sign in:"
	if l.Workspace != "" {
		h.subject = "Become an owner of " + cleanLine(l.Workspace)
		text = fmt.Sprintf("%s to become an owner of %s. Open this link to accept:", l.invites(),
			cleanLine(l.Workspace))
	}
	return h.message(plainPart([]byte(fmt.Sprintf("%s\n\n    %s\n\nIt works once, within %s. If you did not expect "+
		"this mail, leave it alone: nothing happens.\n", text, cleanLine(l.URL), l.ExpiresIn))))
}

// invites includes the inviter's address, because anybody can use any name.
func (l *SignInLink) invites() string {
	name, address := cleanLine(l.By.Name), cleanLine(l.By.Address)
	switch {
	case address == "":
		return "You are invited"
	case name == "":
		return address + " invites you"
	}
	return name + " (" + address + ") invites you"
}
