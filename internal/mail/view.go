package mail

import (
	"html/template"
	"strings"

	"slotd"
	"slotd/internal/availability/when"
	"slotd/internal/lib/color"
	"slotd/internal/mail/invite"
)

// view is what both faces of a mail, text and HTML, are made from. All of it is cleaned.
type view struct {
	Subject string
	Heading string // Your booking is confirmed
	Lead    string // the text's first line: heading, what, with whom and when
	Note    string // what else has to be said right there; may be empty
	Glance  string // what a list of mails shows beside the subject

	Title    string
	Person   string
	When     when.Span
	Was      string // the time before a move
	Canceled bool
	Facts    []fact

	Join, Again, Reschedule, Cancel string
	Google, Outlook, File           string

	Workspace string
	Why       string
	Accent    template.CSS
	OnAccent  template.CSS
}

// fact is one row of the table.
type fact struct {
	Label string
	Lines []string
	Href  string
}

// Text is the fact's value in the text. Its later lines are indented, so that notes cannot pass for rows.
func (f fact) Text() string { return strings.Join(f.Lines, "\n"+strings.Repeat(" ", labelWidth)) }

func newView(n *Notice) *view {
	b, l := n.Booking, n.local()
	v := &view{
		Title:     n.title(),
		Person:    n.other().Name,
		When:      l.Span(b.StartsAt, b.EndsAt),
		Canceled:  n.gone(),
		Workspace: n.workspace(),
	}
	if n.Kind == Rescheduled && !n.Was.IsZero() {
		v.Was = l.Instant(n.Was)
	}
	v.word(n, l.ShortInstant(b.StartsAt))
	v.link(n)
	v.Facts = n.facts()
	v.paint(n.Workspace.Accent)
	return v
}

// local is the recipient's time.
func (n *Notice) local() when.Local {
	if n.To == ToHost {
		return when.InNamed(n.Workspace.TimeZone, false)
	}
	return when.InNamed(n.Booking.Attendee.TimeZone, false)
}

// paint marks as CSS what is certainly a colour.
func (v *view) paint(accent string) {
	accent = color.Or(accent)
	v.Accent, v.OnAccent = template.CSS(accent), template.CSS(color.On(accent))
}

func (v *view) link(n *Notice) {
	v.Reschedule, v.Cancel = n.reschedule(), n.cancel()
	if v.Canceled {
		if n.To == ToAttendee {
			v.Again = webLink(n.BookingURL)
		}
		return
	}
	v.Join = webLink(n.Booking.JoinURL)
	v.Google, v.Outlook, v.File = n.GoogleURL(), n.OutlookURL(), webLink(n.CalendarURL)
}

// reschedule and cancel are the attendee's own links, of use until the booking is canceled.
func (n *Notice) reschedule() string { return n.ownLink(n.RescheduleURL) }
func (n *Notice) cancel() string     { return n.ownLink(n.CancelURL) }

func (n *Notice) ownLink(s string) string {
	if n.To != ToAttendee || n.gone() {
		return ""
	}
	return webLink(s)
}

// facts leaves out the rows that have nothing to say.
func (n *Notice) facts() []fact {
	b := n.Booking
	var all []fact
	if n.Kind == Canceled || n.Kind == Rescheduled {
		all = append(all, fact{Label: "Reason", Lines: lines(n.Reason)})
	}
	all = append(all, fact{Label: "Where", Lines: lines(b.Location)})
	all = append(all, fact{Label: "Price", Lines: lines(n.price())})
	if !n.gone() {
		all = append(all, fact{Label: "Join", Lines: lines(line(b.JoinURL)), Href: webLink(b.JoinURL)})
	}
	all = append(all, fact{Label: "With", Lines: []string{n.other().Name}})
	if n.To == ToHost {
		all = append(all,
			fact{Label: "E-mail", Lines: lines(line(b.Attendee.Email)), Href: mailto(b.Attendee.Email)},
			fact{Label: "Notes", Lines: lines(b.Notes)},
			fact{Label: "Booking id", Lines: []string{b.ID.String()}})
	}
	return withLines(all)
}

// gone reports whether there is no booking any more.
func (n *Notice) gone() bool { return n.Kind == Canceled || n.Kind == PaidTooLate }

// price says what was paid and what goes back.
func (n *Notice) price() string {
	b := n.Booking
	switch {
	case b.Price == nil || n.Kind == Rescheduled || n.Kind == Reminder:
		return ""
	case !n.gone():
		return b.Price.String() + ", paid"
	case b.RefundedCents == 0:
		return b.Price.String() + ", nothing is refunded for this cancellation"
	}
	return slotd.Price{AmountCents: b.RefundedCents, Currency: b.Price.Currency}.String() + refundSaid[n.To]
}

var refundSaid = map[Recipient]string{
	ToAttendee: " goes back to you the way you paid; your bank may take up to ten days",
	ToHost:     " goes back to the guest",
}

func withLines(all []fact) []fact {
	var said []fact
	for _, f := range all {
		if len(f.Lines) > 0 {
			said = append(said, f)
		}
	}
	return said
}

func mailto(address string) string {
	if !isAddress(address) {
		return ""
	}
	return invite.Mailto(address)
}
