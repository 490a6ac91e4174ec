package mail

import "slotd/internal/lib/say"

// These limit how many runes of foreign text a subject shows, so that the time stays visible.
const (
	titleInSubject  = 60
	personInSubject = 40
)

// wording holds the sentences about one kind of change. Subject and lead take the title, the other person and the time.
type wording struct{ subject, heading, lead say.Sentence }

var wordings = map[Recipient]map[Kind]wording{
	ToAttendee: {
		Booked: {"Booked: %s with %s, %s", "Your booking is confirmed",
			"Your booking is confirmed: %s with %s on %s."},
		Rescheduled: {"Rescheduled: %s with %s, %s", "Your booking was rescheduled",
			"Your booking was rescheduled: %s with %s is now on %s."},
		Canceled: {"Canceled: %s with %s, %s", "Your booking was canceled",
			"Your booking was canceled: %s with %s on %s."},
		Reminder: {"Reminder: %s with %s, %s", "Your booking is coming up",
			"Your booking is coming up: %s with %s on %s."},
		PaidTooLate: {"Not booked: %s with %s, %s", "Your payment came too late",
			"Your payment came too late: %s with %s on %s."},
	},
	ToHost: {
		Booked: {"Booked: %s with %s, %s", "You have a new booking",
			"You have a new booking: %s with %s on %s."},
		Rescheduled: {"Rescheduled: %s with %s, %s", "A booking was rescheduled",
			"A booking was rescheduled: %s with %s is now on %s."},
		Canceled: {"Canceled: %s with %s, %s", "A booking was canceled",
			"A booking was canceled: %s with %s on %s."},
	},
}

// setTexts says what, when and with whom: in the subject, the first line and the preview.
func (v *view) setTexts(n *Notice, start string) {
	w := wordings[n.To][n.Kind]
	v.Heading = w.heading
	v.Subject = w.subject.With(shorten(v.Title, titleInSubject), shorten(v.Person, personInSubject), start)
	v.Lead = w.lead.With(v.Title, v.Person, v.When)
	v.Preview = v.When.String()
	if v.OldTime != "" {
		v.Lead += " " + say.T("It was on %s.", v.OldTime)
		v.Preview = say.T("%s, was %s", v.When, v.OldTime)
	}
	if n.Kind == PaidTooLate {
		v.Note = "This time was no longer available when your payment arrived. Nothing was booked, and you'll get a " +
			"full refund."
		v.Lead += " " + v.Note.String()
	}
	v.Footer = "You're receiving this because someone booked with this address."
	if n.To == ToHost {
		v.Footer = "You're receiving this because you're the host."
	}
}
