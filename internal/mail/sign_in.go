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
	Workspace string // the one it makes its holder an owner of; empty: it only signs in
	URL       string
	ExpiresIn string // in words
	ID        string // of the mail
}

// SignIn sends an owner the link.
func SignIn(l SignInLink, now time.Time) Message {
	h := headers{
		from:    netmail.Address{Name: firstOf(line(l.From.Name), "slotd"), Address: line(l.From.Address)},
		to:      netmail.Address{Name: line(l.To.Name), Address: line(l.To.Address)},
		subject: "Your sign-in link",
		date:    now,
		id:      strings.Map(inID, strings.ToLower(l.ID)),
	}
	text := "Open this link to sign in:"
	if l.Workspace != "" {
		h.subject = "Become an owner of " + line(l.Workspace)
		text = fmt.Sprintf("You are invited to become an owner of %s. Open this link to accept:", line(l.Workspace))
	}
	return h.message(plainPart([]byte(fmt.Sprintf("%s\n\n    %s\n\nIt works once, within %s. If you did not expect this mail, leave it alone: nothing happens.\n", text, line(l.URL), l.ExpiresIn))))
}
