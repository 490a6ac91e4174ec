package worker

import (
	"context"
	netmail "net/mail"

	"slotd/internal/jobs"
	"slotd/internal/mail"
	"slotd/internal/money/ledger"
	"slotd/internal/store"
)

// SendPaymentMail mails the owner about a problem with a payment. It sends nothing if the problem is solved.
func (m *Mailer) SendPaymentMail(ctx context.Context, j *jobs.Job) (func(context.Context, *store.Tx) error, error) {
	state, err := m.Booking.PaymentState(ctx, j.WorkspaceID, j.Booking)
	if err != nil || state == nil {
		return nil, err
	}
	problem := mail.PaymentProblem{Kind: mail.PaymentProblemKind(j.Detail), Booking: state.Booking,
		Payment: state.Payment, ID: j.ID}
	problem.Amount = *state.Booking.Price
	switch problem.Kind {
	case mail.RefundDue:
		problem.Amount.AmountCents = state.Ledger.Due()
	case mail.PaymentDisputed:
		problem.Amount.AmountCents = state.Ledger.Total(ledger.Disputed) - state.Ledger.Total(ledger.DisputeWon)
	}
	if problem.Amount.AmountCents <= 0 {
		return nil, nil
	}
	snap, err := m.Cache.Latest(ctx, j.WorkspaceID)
	if err != nil {
		return nil, err
	}
	problem.From, problem.To = m.MailFrom, netmail.Address{Name: snap.Host.Name, Address: snap.Host.Email}
	problem.Workspace, problem.Slug = snap.Name, snap.Slug
	done, err := m.sendToOwner(ctx, j, mail.PaymentMail(problem, m.Now()))
	if err != nil {
		return nil, err
	}
	return done, m.forgetErased(ctx, j, state.Booking)
}
