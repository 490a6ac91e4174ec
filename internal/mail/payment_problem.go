package mail

import (
	netmail "net/mail"
	"strings"
	"time"

	"slotd"
	"slotd/internal/availability/when"
	"slotd/internal/lib/say"
)

// PaymentProblemKind is a reason to write to the owner about a payment.
type PaymentProblemKind string

const (
	RefundDue       PaymentProblemKind = "refund_due"     // the refund cannot be made
	PaymentDisputed PaymentProblemKind = "money_disputed" // the guest's bank has taken the money back
	PaymentUnknown  PaymentProblemKind = "money_unknown"  // nobody knows whether the payment arrived
)

// PaymentProblem is a payment that the owner has to look after.
type PaymentProblem struct {
	Kind      PaymentProblemKind
	From, To  netmail.Address
	Workspace string // its name
	Slug      string
	Booking   *slotd.Booking
	Amount    slotd.Price
	Payment   string // the payment service's id
	ID        string // id of the mail
}

// PaymentMail returns the mail to the owner, who is the only one who can fix the problem.
func PaymentMail(a PaymentProblem, now time.Time) Message {
	subject, _ := a.words()
	h := headers{
		from: netmail.Address{Name: firstNonEmpty(cleanLine(a.From.Name), cleanLine(a.Workspace)),
			Address: cleanLine(a.From.Address)},
		to:      netmail.Address{Name: cleanLine(a.To.Name), Address: cleanLine(a.To.Address)},
		subject: subject,
		date:    now,
		id:      strings.Map(idRune, strings.ToLower(a.ID)),
	}
	return h.message(plainPart([]byte(a.text())))
}

func (a *PaymentProblem) words() (subject, what string) {
	switch a.Kind {
	case PaymentDisputed:
		return say.T("Disputed payment: %s", a.Amount),
			say.T("The guest's bank has taken back %s. The booking is unchanged.\n\n"+
				"Your Stripe dashboard shows the reason and your deadline to respond.", a.Amount)
	case PaymentUnknown:
		return say.T("Please check a payment: %s", a.Amount),
			say.T("A guest was sent to pay %s, but the time was no longer held. slotd couldn't reach Stripe for a month, so "+
				"it doesn't know whether they paid.\n\n"+
				"Look for the payment in the dashboard of the Stripe account you used then. If it's there, refund it: "+
				"nothing was booked.", a.Amount)
	}
	return say.T("Refund failed: %s", a.Amount),
		say.T("A guest is owed %s for a booking that won't take place, but Stripe hasn't made the refund. slotd tries "+
			"again every few hours.\n\n"+
			"If that doesn't help, refund the payment in your Stripe dashboard. slotd will notice.", a.Amount)
}

func (a *PaymentProblem) text() string {
	b := a.Booking
	_, what := a.words()
	return what + "\n\n" + say.T("What:        %s\nWhen:        %s\nGuest:       %s\nBooking ID:  %s\nPayment:     %s\n\n"+
		"To see all payments of %s:\n\n    slotd payments list --workspace %s\n",
		firstNonEmpty(cleanLine(b.EventTitle), say.T("Meeting")),
		when.InNamed(b.HostZone, false).Span(b.StartsAt, b.EndsAt),
		firstNonEmpty(cleanLine(b.Attendee.Name), cleanLine(b.Attendee.Email), say.T("unknown")),
		b.ID, cleanLine(a.Payment), cleanLine(a.Workspace), cleanLine(a.Slug))
}
