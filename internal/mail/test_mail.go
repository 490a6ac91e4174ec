package mail

import (
	netmail "net/mail"
	"strings"
	"time"

	"slotd/internal/lib/say"
)

// TestMail returns a mail that an operator sends to check whether mails arrive. Each needs an id of its own.
func TestMail(from netmail.Address, to string, now time.Time, id string) Message {
	h := headers{
		from:    netmail.Address{Name: firstNonEmpty(cleanLine(from.Name), "slotd"), Address: cleanLine(from.Address)},
		to:      netmail.Address{Address: cleanLine(to)},
		subject: say.T("Test email from slotd"),
		date:    now,
		id:      "test." + strings.Map(idRune, strings.ToLower(id)),
	}
	return h.message(plainPart([]byte(say.T("This is a test email from slotd. It arrived, so emails about bookings will "+
		"arrive too.") + "\n")))
}

// idRune replaces a rune that must not appear in the id of a mail.
func idRune(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
		return r
	}
	return '-'
}
