package mail

import (
	"fmt"
	netmail "net/mail"
	"strings"
	"time"

	"slotd"
	"slotd/internal/availability/when"
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
		subject: subject + ": " + a.Amount.String(),
		date:    now,
		id:      strings.Map(idRune, strings.ToLower(a.ID)),
	}
	return h.message(plainPart([]byte(a.text())))
}

func (a *PaymentProblem) words() (subject, what string) {
	switch a.Kind {
	case PaymentDisputed:
		return "A payment is disputed",
			fmt.Sprintf("The guest's bank has taken %s back. slotd changes nothing about the booking.\n\n"+
				"Stripe's dashboard shows why, and until when you can answer.", a.Amount)
	case PaymentUnknown:
		return "Was this paid?", fmt.Sprintf("A guest was sent to pay %s, and the time was not held any longer. For "+
			"a month slotd could not ask Stripe whether the payment came.\n\n"+
			"Please look for it in the dashboard of the Stripe account that you had then. If it is there, refund it: "+
			"nothing was booked.", a.Amount)
	}
	return "A refund is due", fmt.Sprintf("%s has to go back to the guest of a booking that does not take place, but "+
		"Stripe has not made the refund. slotd tries again every few hours.\n\n"+
		"If that does not help, refund the payment in Stripe's dashboard. slotd notices that by itself.", a.Amount)
}

func (a *PaymentProblem) text() string {
	b := a.Booking
	_, what := a.words()
	return fmt.Sprintf("%s\n\nWhat:        %s\nWhen:        %s\nGuest:       %s\nBooking id:  %s\nPayment:     "+
		"%s\n\nAll payments of %s:\n\n    slotd payments list --workspace %s\n",
		what, firstNonEmpty(cleanLine(b.EventTitle), "Meeting"),
		when.InNamed(b.HostZone, false).Span(b.StartsAt, b.EndsAt),
		firstNonEmpty(cleanLine(b.Attendee.Name), cleanLine(b.Attendee.Email), "unknown"),
		b.ID, cleanLine(a.Payment), cleanLine(a.Workspace), cleanLine(a.Slug))
}
