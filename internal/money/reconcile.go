package money

import (
	"context"
	"fmt"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/money/ledger"
	"slotd/internal/money/stripe"
)

// Compare lists the differences between our ledger and Stripe's records of one checkout. It changes nothing.
func Compare(ctx context.Context, client *stripe.Client, sessionID string, ours ledger.Ledger,
	currency string) (differences []string, err error) {
	s, err := client.Session(ctx, sessionID)
	if stripe.IsMissing(err) {
		return []string{say.T("Stripe does not know the checkout %s", sessionID)}, nil
	} else if err != nil {
		return nil, err
	}
	entries := s.Entries
	if s.Payment != "" && len(s.Entries) > 0 && s.Entries[0].Kind == ledger.Paid {
		refunds, _, err := client.Refunds(ctx, s.Payment)
		if err != nil {
			return nil, err
		}
		entries = append(entries, refunds...)
	}
	theirs := ledger.Ledger(nil)
	for _, e := range entries {
		theirs, _ = theirs.Post(e)
		if _, isNew := ours.Post(e); isNew {
			differences = append(differences, say.T("Stripe has %s, slotd has not", describe(e)))
		}
	}
	for _, e := range ours {
		if e.Kind != ledger.Paid && e.Kind != ledger.Refunded {
			continue
		}
		if _, isNew := theirs.Post(e); isNew {
			differences = append(differences, say.T("slotd has %s, Stripe has not", describe(e)))
		}
	}
	if a, b := ours.Balance(), theirs.Balance(); a != b && len(differences) == 0 {
		differences = append(differences, say.T("slotd counts %d, Stripe %d", a, b))
	}
	if due := ours.Due(); due > 0 {
		differences = append(differences, say.T("%s is due to the guest",
			slotd.Price{AmountCents: due, Currency: currency}))
	}
	return differences, nil
}

func describe(e ledger.Entry) string {
	return fmt.Sprintf("%s %s (%s)", e.Kind, slotd.Price{AmountCents: e.Amount, Currency: e.Currency}, e.Reference)
}
