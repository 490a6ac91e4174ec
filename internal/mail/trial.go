package mail

import (
	netmail "net/mail"
	"strings"
	"time"
)

// Test is a mail that an operator sends to see whether mails arrive. Each needs an id of its own.
func Test(from netmail.Address, to string, now time.Time, id string) Message {
	h := headers{
		from:    netmail.Address{Name: firstOf(line(from.Name), "slotd"), Address: line(from.Address)},
		to:      netmail.Address{Address: line(to)},
		subject: "Test mail from slotd",
		date:    now,
		id:      "test." + strings.Map(inID, strings.ToLower(id)),
	}
	return h.message(plainPart([]byte("This is a test mail from slotd. It arrived, so the mails about bookings will " +
		"arrive as well.\n")))
}

func inID(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
		return r
	}
	return '-'
}
