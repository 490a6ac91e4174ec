package mail

import (
	"fmt"
	netmail "net/mail"
	"strings"
	"time"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/mail/invite"
)

// Kind is what happened to a booking.
type Kind string

const (
	Booked      Kind = "booked"
	Rescheduled Kind = "rescheduled"
	Canceled    Kind = "canceled"
	Reminder    Kind = "reminder"      // nothing happened: it starts soon
	PaidTooLate Kind = "paid_too_late" // the payment is refunded; sent to the attendee only
)

// Recipient says which of the two people a mail is for.
type Recipient string

const (
	ToAttendee Recipient = "attendee"
	ToHost     Recipient = "host"
)

// Notice is everything that one mail contains. Its names, titles and texts come from strangers and are not trusted.
type Notice struct {
	Kind     Kind
	To       Recipient
	Booking  *slotd.Booking // as it was right after the change
	OldStart time.Time      // Rescheduled: the previous start
	At       time.Time      // when the change was made: the invite's DTSTAMP
	Reason   string         // Canceled, Rescheduled: in the words of whoever did it; may be empty or have newlines
	Minutes  int            // Reminder: how long before the start it should arrive

	Workspace Workspace
	From      netmail.Address // the server's address; if it has no name, the workspace's name is shown

	CancelURL     string // for the attendee only
	RescheduleURL string // for the attendee only
	CalendarURL   string // the .ics file on our server
	BookingURL    string // the event type's public page; may be empty
}

// Workspace is what a mail shows of a workspace.
type Workspace struct {
	Name     string
	TimeZone string
	Host     slotd.Host
	Accent   string // "" or "#rrggbb"
}

// Compose writes the mail for the notice. Composing it again changes only the date.
func Compose(n *Notice, now time.Time) (Message, error) {
	if err := n.check(); err != nil {
		return Message{}, err
	}
	v := newView(n)
	h := headers{
		from:    netmail.Address{Name: firstNonEmpty(cleanLine(n.From.Name), v.Workspace), Address: n.From.Address},
		to:      n.recipient(),
		replyTo: n.otherPerson(),
		subject: v.Subject,
		date:    now,
		id:      n.id(),
		thread:  n.Booking.ID.String() + "." + string(n.To),
	}
	body, err := n.body(v)
	if err != nil {
		return Message{}, fmt.Errorf("write the mail %s: %w", n.id(), err)
	}
	return h.message(body), nil
}

// check rejects notices that no retry could send.
func (n *Notice) check() error {
	switch n.Kind {
	case Booked, Rescheduled, Canceled, Reminder, PaidTooLate:
	default:
		return fmt.Errorf("there is no mail about %.40q", n.Kind)
	}
	if n.To != ToAttendee && (n.To != ToHost || n.Kind == Reminder || n.Kind == PaidTooLate) {
		return fmt.Errorf("a mail about %q does not go to %.40q", n.Kind, n.To)
	}
	if !isAddress(n.From.Address) {
		return fmt.Errorf("%.80q cannot be the sender of mails", n.From.Address)
	}
	if !isAddress(n.recipient().Address) {
		return fmt.Errorf("the %s of booking %s has no usable address", n.To, n.Booking.ID)
	}
	return nil
}

// id identifies the mail among all mails and names its file in the outbox. A retry has the same id; another move of
// the same booking has another sequence.
func (n *Notice) id() string {
	id := fmt.Sprintf("%s.%d.%s.%s", n.Booking.ID, n.Booking.Sequence, n.Kind, n.To)
	if n.Kind == Reminder {
		id += fmt.Sprintf(".%d", n.Minutes)
	}
	return strings.Map(idRune, id)
}

func (n *Notice) body(v *view) (entity, error) {
	text, err := v.text()
	if err != nil {
		return entity{}, err
	}
	html, err := v.html()
	if err != nil {
		return entity{}, err
	}
	if n.Kind == Reminder || n.Kind == PaidTooLate { // the event is in the calendar already, or never was
		return alternative(plainPart(text), htmlPart(html)), nil
	}
	method := n.method()
	ics := encodeBase64(InviteFile(n, method))
	return mixed(alternative(plainPart(text), htmlPart(html), invitePart(ics, method)), attachment(ics)), nil
}

func (n *Notice) method() invite.Method {
	if n.Kind == Canceled {
		return invite.Cancel
	}
	return invite.Request
}

func (n *Notice) recipient() netmail.Address {
	if n.To == ToHost {
		return n.host()
	}
	return n.attendee()
}

func (n *Notice) otherPerson() netmail.Address {
	if n.To == ToHost {
		return n.attendee()
	}
	return n.host()
}

func (n *Notice) host() netmail.Address {
	h := n.Workspace.Host
	return netmail.Address{Name: firstNonEmpty(cleanLine(h.Name), cleanLine(h.Email)), Address: h.Email}
}

func (n *Notice) attendee() netmail.Address {
	a := n.Booking.Attendee
	// the attendee's data may be erased
	return netmail.Address{Name: firstNonEmpty(cleanLine(a.Name), cleanLine(a.Email), say.T("a guest")), Address: a.Email}
}

func (n *Notice) workspace() string { return firstNonEmpty(cleanLine(n.Workspace.Name), n.host().Name) }

func (n *Notice) title() string {
	return firstNonEmpty(cleanLine(n.Booking.EventTitle), say.T("Meeting"))
}

// summary returns the title that a calendar shows to the recipient.
func (n *Notice) summary() string { return say.T("%s with %s", n.title(), n.otherPerson().Name) }

// isAddress accepts bare addresses that need no quoting. Bookings are made with no others.
func isAddress(s string) bool {
	a, err := netmail.ParseAddress(s)
	return err == nil && a.Address == s && isVisibleASCII(s)
}

func domain(address string) string { return address[strings.LastIndexByte(address, '@')+1:] }

func firstNonEmpty(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}
