package mail

import (
	"fmt"
	netmail "net/mail"
	"strings"
	"time"
)

// SignInLink is a link that lets its holder in, once.
type SignInLink struct {
	From, To  netmail.Address
	Workspace string          // the one it makes its holder an owner of; empty: it only signs in
	By        netmail.Address // who invites; the zero value: nobody in particular
	URL       string
	ExpiresIn string // in words
	ID        string // of the mail
}

// SignIn sends an owner the link.
func SignIn(l SignInLink, now time.Time) Message {
	h := headers{
		from:    netmail.Address{Name: firstOf(line(l.From.Name), "slotd"), Address: line(l.From.Address)},
		to:      netmail.Address{Name: line(l.To.Name), Address: line(l.To.Address)},
		replyTo: netmail.Address{Name: line(l.By.Name), Address: line(l.By.Address)},
		subject: "Your sign-in link",
		date:    now,
		id:      strings.Map(inID, strings.ToLower(l.ID)),
	}
	text := "Open this link to sign in:"
	if l.Workspace != "" {
		h.subject = "Become an owner of " + line(l.Workspace)
		text = fmt.Sprintf("%s to become an owner of %s. Open this link to accept:", l.invites(), line(l.Workspace))
	}
	return h.message(plainPart([]byte(fmt.Sprintf("%s\n\n    %s\n\nIt works once, within %s. If you did not expect "+
		"this mail, leave it alone: nothing happens.\n", text, line(l.URL), l.ExpiresIn))))
}

// invites names the inviter by their address too: a name can be anybody's.
func (l *SignInLink) invites() string {
	name, address := line(l.By.Name), line(l.By.Address)
	switch {
	case address == "":
		return "You are invited"
	case name == "":
		return address + " invites you"
	}
	return name + " (" + address + ") invites you"
}
