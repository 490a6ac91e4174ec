package mail

import (
	"html/template"
	"strings"

	"slotd"
	"slotd/internal/availability/when"
	"slotd/internal/lib/color"
	"slotd/internal/lib/say"
	"slotd/internal/mail/invite"
)

// view is the data for both forms of a mail, text and HTML. All of it is cleaned.
type view struct {
	Subject string
	Heading say.Sentence // such as "Your booking is confirmed"
	Lead    string       // first line of the text: heading, what, with whom and when
	Note    say.Sentence // further explanation below the heading; may be empty
	Preview string       // shown beside the subject in a list of mails

	Title    string
	Person   string
	When     when.Span
	OldTime  string // the time before a move
	Canceled bool
	Facts    []fact

	Join, BookAgain, Reschedule, Cancel string
	Google, Outlook, File               string

	Workspace string
	Footer    say.Sentence
	Accent    template.CSS
	OnAccent  template.CSS
}

// fact is one row of the table.
type fact struct {
	Label say.Sentence
	Lines []string
	Href  string
}

// Text returns the value for the text form. Later lines are indented, so that notes cannot pass for rows.
func (f fact) Text() string { return strings.Join(f.Lines, "\n"+strings.Repeat(" ", labelWidth)) }

func newView(n *Notice) *view {
	b, l := n.Booking, n.local()
	v := &view{
		Title:     n.title(),
		Person:    n.otherPerson().Name,
		When:      l.Span(b.StartsAt, b.EndsAt),
		Canceled:  n.bookingGone(),
		Workspace: n.workspace(),
	}
	if n.Kind == Rescheduled && !n.OldStart.IsZero() {
		v.OldTime = l.Instant(n.OldStart)
	}
	v.setTexts(n, l.ShortInstant(b.StartsAt))
	v.setLinks(n)
	v.Facts = n.facts()
	v.setColors(n.Workspace.Accent)
	return v
}

// local returns the formatter for times in the recipient's time zone.
func (n *Notice) local() when.Local {
	if n.To == ToHost {
		return when.InNamed(n.Workspace.TimeZone, false)
	}
	return when.InNamed(n.Booking.Attendee.TimeZone, false)
}

// setColors marks values as CSS only after color.OrDefault has made sure that they are colors.
func (v *view) setColors(accent string) {
	accent = color.OrDefault(accent)
	v.Accent, v.OnAccent = template.CSS(accent), template.CSS(color.TextOn(accent))
}

func (v *view) setLinks(n *Notice) {
	v.Reschedule, v.Cancel = n.reschedule(), n.cancel()
	if v.Canceled {
		if n.To == ToAttendee {
			v.BookAgain = webLink(n.BookingURL)
		}
		return
	}
	v.Join = webLink(n.Booking.JoinURL)
	v.Google, v.Outlook, v.File = n.GoogleURL(), n.OutlookURL(), webLink(n.CalendarURL)
}

// reschedule and cancel return the attendee's own links, or "" if the recipient is the host or the booking is gone.
func (n *Notice) reschedule() string { return n.ownLink(n.RescheduleURL) }
func (n *Notice) cancel() string     { return n.ownLink(n.CancelURL) }

func (n *Notice) ownLink(s string) string {
	if n.To != ToAttendee || n.bookingGone() {
		return ""
	}
	return webLink(s)
}

// facts returns the rows that are not empty.
func (n *Notice) facts() []fact {
	b := n.Booking
	var all []fact
	if n.Kind == Canceled || n.Kind == Rescheduled {
		all = append(all, fact{Label: "Reason", Lines: cleanLines(n.Reason)})
	}
	all = append(all, fact{Label: "Where", Lines: cleanLines(b.Location)})
	all = append(all, fact{Label: "Price", Lines: cleanLines(n.price())})
	if !n.bookingGone() {
		all = append(all, fact{Label: "Join", Lines: cleanLines(cleanLine(b.JoinURL)), Href: webLink(b.JoinURL)})
	}
	all = append(all, fact{Label: "With", Lines: []string{n.otherPerson().Name}})
	if n.To == ToHost {
		all = append(all,
			fact{Label: "Email", Lines: cleanLines(cleanLine(b.Attendee.Email)), Href: mailto(b.Attendee.Email)},
			fact{Label: "Phone", Lines: cleanLines(cleanLine(b.Attendee.Phone))},
			fact{Label: "Notes", Lines: cleanLines(b.Notes)},
			fact{Label: "Booking ID", Lines: []string{b.ID.String()}})
	}
	return withoutEmpty(all)
}

// bookingGone reports whether the booking no longer exists.
func (n *Notice) bookingGone() bool { return n.Kind == Canceled || n.Kind == PaidTooLate }

// price says what was paid or what is refunded.
func (n *Notice) price() string {
	b := n.Booking
	switch {
	case b.Price == nil || n.Kind == Rescheduled || n.Kind == Reminder:
		return ""
	case !n.bookingGone():
		return say.T("%s, paid", b.Price)
	case b.RefundedCents == 0:
		return say.T("%s, no refund for this cancellation", b.Price)
	}
	return refundTexts[n.To].With(slotd.Price{AmountCents: b.RefundedCents, Currency: b.Price.Currency})
}

var refundTexts = map[Recipient]say.Sentence{
	ToAttendee: "%s will be refunded to your original payment method; this can take up to ten days",
	ToHost:     "%s will be refunded to the guest",
}

func withoutEmpty(all []fact) []fact {
	var nonEmpty []fact
	for _, f := range all {
		if len(f.Lines) > 0 {
			nonEmpty = append(nonEmpty, f)
		}
	}
	return nonEmpty
}

func mailto(address string) string {
	if !isAddress(address) {
		return ""
	}
	return invite.Mailto(address)
}
