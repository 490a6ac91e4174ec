package worker

import (
	"context"
	netmail "net/mail"

	"slotd/internal/jobs"
	"slotd/internal/mail"
	"slotd/internal/money/ledger"
	"slotd/internal/store"
)

// TellOwnerOfMoney mails the owner about a payment. It says nothing if that is over.
func (m *Mailer) SendPaymentMail(ctx context.Context, j *jobs.Job) (func(context.Context, *store.Tx) error, error) {
	money, err := m.Booking.PaymentState(ctx, j.WorkspaceID, j.Booking)
	if err != nil || money == nil {
		return nil, err
	}
	about := mail.PaymentProblem{Trouble: mail.PaymentProblemKind(j.Detail), Booking: money.Booking,
		Payment: money.Payment, ID: j.ID}
	about.Amount = *money.Booking.Price
	switch about.Trouble {
	case mail.RefundDue:
		about.Amount.AmountCents = money.Ledger.Due()
	case mail.PaymentDisputed:
		about.Amount.AmountCents = money.Ledger.Total(ledger.Disputed) - money.Ledger.Total(ledger.DisputeWon)
	}
	if about.Amount.AmountCents <= 0 {
		return nil, nil
	}
	p, err := m.Cache.Latest(ctx, j.WorkspaceID)
	if err != nil {
		return nil, err
	}
	about.From, about.To = m.MailFrom, netmail.Address{Name: p.Host.Name, Address: p.Host.Email}
	about.Workspace, about.Slug = p.Name, p.Slug
	done, err := m.sendToOwner(ctx, j, mail.PaymentTrouble(about, m.Now()))
	if err != nil {
		return nil, err
	}
	return done, m.forgetErased(ctx, j, money.Booking)
}
