package mail

// These limit how many runes of foreign text a subject shows, so that the time stays visible.
const (
	titleInSubject  = 60
	personInSubject = 40
)

type wording struct{ subject, heading, verb string }

var wordings = map[Recipient]map[Kind]wording{
	ToAttendee: {
		Booked:      {"Booked", "Your booking is confirmed", " on "},
		Rescheduled: {"Rescheduled", "Your booking was rescheduled", " is now on "},
		Canceled:    {"Canceled", "Your booking was canceled", " on "},
		Reminder:    {"Reminder", "Your booking is coming up", " on "},
		PaidTooLate: {"Not booked", "Your payment came too late", " on "},
	},
	ToHost: {
		Booked:      {"Booked", "You have a new booking", " on "},
		Rescheduled: {"Rescheduled", "A booking was rescheduled", " is now on "},
		Canceled:    {"Canceled", "A booking was canceled", " on "},
	},
}

// setTexts says what, when and with whom: in the subject, the first line and the preview.
func (v *view) setTexts(n *Notice, start string) {
	w := wordings[n.To][n.Kind]
	v.Heading = w.heading
	v.Subject = w.subject + ": " + shorten(v.Title, titleInSubject) + " with " + shorten(v.Person, personInSubject) +
		", " + start
	v.Preview = v.When.String()
	v.Lead = w.heading + ": " + v.Title + " with " + v.Person + w.verb + v.Preview + "."
	if v.OldTime != "" {
		v.Lead += " It was on " + v.OldTime + "."
		v.Preview += ", before: " + v.OldTime
	}
	if n.Kind == PaidTooLate {
		v.Note = "The time was held for you for a while, and is not free any more. So nothing is booked, and you get " +
			"all your money back."
		v.Lead += " " + v.Note
	}
	v.Footer = "You get this mail because this address was given for a booking."
	if n.To == ToHost {
		v.Footer = "You get this mail as the host."
	}
}
