package doctor

import (
	"context"
	"strings"

	"slotd/internal/availability/snapshot"
	"slotd/internal/lib/say"
	"slotd/internal/money/accounts"
	"slotd/internal/money/stripe"
)

func (s *Server) payments(ctx context.Context, c *snapshot.Config, name say.Sentence) Check {
	paid := 0
	for i := range c.EventTypes {
		if e := &c.EventTypes[i]; e.Public() && e.Price != nil {
			paid++
		}
	}
	switch s.Accounts.Account(c) {
	case accounts.Own:
		keys, err := s.Accounts.OwnKeys(ctx, c.WorkspaceID)
		if err != nil {
			return Check{name, Fail, say.T("The workspace's own Stripe key was encrypted with another key file, so nobody " +
				"can pay."), say.T("Start the server with that key file, or enter the Stripe key again.")}
		}
		return judgeKeys(name, say.T("The workspace's own Stripe account"), keys, paid > 0)
	case accounts.Operator:
		return judgeKeys(name, say.T("The server's Stripe account"), s.Accounts.OperatorKeys, paid > 0)
	}
	switch {
	case paid > 0 && s.OperatorKeyHidden:
		return hiddenOperator(name)
	case paid > 0:
		return Check{name, Warn, say.N(paid, "%d event type has a price, but nobody can pay.",
			"%d event types have a price, but nobody can pay."),
			say.T("Enter a Stripe key under Payments, or start slotd serve with --stripe-key.")}
	}
	return Check{name, OK, say.T("Payments aren't set up, and no event type has a price."), ""}
}

// judgeKeys detects live or test mode by the prefix of the key.
func judgeKeys(name say.Sentence, account string, keys stripe.Keys, used bool) Check {
	mode := say.T("live mode")
	test := strings.HasPrefix(keys.Secret, "sk_test_") || strings.HasPrefix(keys.Secret, "rk_test_")
	if test {
		mode = say.T("test mode")
	}
	switch {
	case keys.Webhook == "":
		return Check{name, Warn, say.T("%s (%s) has no webhook secret, so payments are noticed up to a minute late.",
			account, mode), say.T("Create a webhook endpoint in Stripe, and enter its secret next to the key.")}
	case test && used:
		return Check{name, Warn, say.T("%s is in test mode: no real money is charged.", account),
			say.T("Enter the live key when you're done testing.")}
	}
	return Check{name, OK, say.T("%s is in use (%s).", account, mode), ""}
}

func hiddenOperator(name say.Sentence) Check {
	return Check{name, Unknown, say.T("The server has a Stripe key, but this command doesn't have it."),
		say.T("Run this command with the same --stripe-key as slotd serve.")}
}

// operator checks the server's own Stripe account, regardless of which workspaces use it.
func (s *Server) operator() Check {
	switch {
	case s.Accounts.OperatorKeys != (stripe.Keys{}) && s.Accounts.OperatorKeys.Secret == "":
		return Check{"stripe", Warn, say.T("A webhook secret is set, but no Stripe key."),
			say.T("Start slotd serve with --stripe-key, or remove the secret.")}
	case s.Accounts.OperatorKeys.Secret != "":
		return judgeKeys("stripe", say.T("The server's Stripe account"), s.Accounts.OperatorKeys, true)
	case s.OperatorKeyHidden:
		return hiddenOperator("stripe")
	}
	return Check{"stripe", OK, say.T("The server has no Stripe account of its own."), ""}
}
