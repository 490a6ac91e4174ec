package mail

// How much of a foreign text a subject shows, in runes, so that the time stays in sight.
const (
	titleInSubject  = 60
	personInSubject = 40
)

type words struct{ subject, heading, is string }

var wordings = map[Recipient]map[Kind]words{
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

// word says what, when and with whom: in the subject, in the first line and at a glance.
func (v *view) word(n *Notice, start string) {
	w := wordings[n.To][n.Kind]
	v.Heading = w.heading
	v.Subject = w.subject + ": " + shorten(v.Title, titleInSubject) + " with " + shorten(v.Person, personInSubject) +
		", " + start
	v.Glance = v.When.String()
	v.Lead = w.heading + ": " + v.Title + " with " + v.Person + w.is + v.Glance + "."
	if v.Was != "" {
		v.Lead += " It was on " + v.Was + "."
		v.Glance += ", before: " + v.Was
	}
	if n.Kind == PaidTooLate {
		v.Note = "The time was held for you for a while, and is not free any more. So nothing is booked, and you get " +
			"all your money back."
		v.Lead += " " + v.Note
	}
	v.Why = "You get this mail because this address was given for a booking."
	if n.To == ToHost {
		v.Why = "You get this mail as the host."
	}
}
