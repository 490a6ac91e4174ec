package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/money/accounts"
	"slotd/internal/money/ledger"
	"slotd/internal/money/stripe"
	"slotd/internal/store/sqlcgen"
)

// Difference is where our ledger and the payment service do not say the same.
type Difference struct {
	BookingID string `json:"booking_id"`
	What      string `json:"what"`
}

// maxCompared bounds one comparison: each booking takes up to three requests.
const maxCompared = 10_000

// Reconcile compares a workspace's payments since a time with what the payment service knows. It changes nothing.
func (p *Payments) Reconcile(ctx context.Context, workspaceID int64, since time.Time) (compared int, all []Difference,
	err error) {
	rows, err := p.Booking.DB.Read().Checkouts(ctx,
		sqlcgen.CheckoutsParams{WorkspaceID: workspaceID, CreatedAt: since.UnixMilli(), UnpaidToo: 1,
			Limit: maxCompared + 1})
	if err != nil {
		return 0, nil, fmt.Errorf("list the payments: %w", err)
	} else if len(rows) > maxCompared {
		return 0, nil, fmt.Errorf("there are more than %d payments: look at fewer days", maxCompared)
	}
	for _, row := range rows {
		if row.SessionID == "" {
			continue
		}
		id, err := uuid.Parse(row.BookingID)
		if err != nil {
			return compared, all, err
		}
		m, err := p.Booking.PaymentState(ctx, workspaceID, id)
		if err != nil {
			return compared, all, err
		}
		differences, err := p.compare(ctx, m)
		if err != nil {
			return compared, all, fmt.Errorf("booking %s: %w", id, err)
		}
		compared++
		for _, what := range differences {
			all = append(all, Difference{row.BookingID, what})
		}
	}
	return compared, all, nil
}

// compare says what each side knows and the other does not.
func (p *Payments) compare(ctx context.Context, m *booking.PaymentState) (differences []string, err error) {
	client, err := p.Accounts.Client(ctx, m.WorkspaceID, m.Account)
	if errors.Is(err, accounts.ErrNoAccount) && m.Account == accounts.Own {
		return []string{"its checkout is in an account of the workspace's own that is no longer connected"}, nil
	} else if err != nil {
		return nil, err
	}
	s, err := client.Session(ctx, m.SessionID)
	if stripe.IsMissing(err) {
		return []string{"Stripe does not know the checkout " + m.SessionID}, nil
	} else if err != nil {
		return nil, err
	}
	news := s.Entries
	if s.Payment != "" && len(s.Entries) > 0 && s.Entries[0].Kind == ledger.Paid {
		returned, _, err := client.Refunds(ctx, s.Payment)
		if err != nil {
			return nil, err
		}
		news = append(news, returned...)
	}
	theirs := ledger.Ledger(nil)
	for _, e := range news {
		theirs, _ = theirs.Post(e)
		if _, isNew := m.Ledger.Post(e); isNew {
			differences = append(differences,
				fmt.Sprintf("Stripe has %s %s (%s), slotd has not", e.Kind,
					slotd.Price{AmountCents: e.Amount, Currency: e.Currency}, e.Reference))
		}
	}
	for _, e := range m.Ledger {
		if e.Kind != ledger.Paid && e.Kind != ledger.Refunded {
			continue
		}
		if _, isNew := theirs.Post(e); isNew {
			differences = append(differences,
				fmt.Sprintf("slotd has %s %s (%s), Stripe has not", e.Kind,
					slotd.Price{AmountCents: e.Amount, Currency: e.Currency}, e.Reference))
		}
	}
	if ours, there := m.Ledger.Balance(), theirs.Balance(); ours != there && len(differences) == 0 {
		differences = append(differences, fmt.Sprintf("slotd counts %d, Stripe %d", ours, there))
	}
	if due := m.Ledger.Due(); due > 0 {
		differences = append(differences,
			fmt.Sprintf("%s is due to the guest", slotd.Price{AmountCents: due, Currency: m.Booking.Price.Currency}))
	}
	return differences, nil
}
