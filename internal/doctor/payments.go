package doctor

import (
	"context"
	"fmt"
	"strings"

	"slotd/internal/availability/snapshot"
	"slotd/internal/money/accounts"
	"slotd/internal/money/stripe"
)

func (s *Server) payments(ctx context.Context, c *snapshot.Config, name string) Check {
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
			return Check{name, Fail, "The workspace's own Stripe key was sealed with another key file: nobody can pay.",
				"Start the server with that file, or enter the key again."}
		}
		return judgeKeys(name, "The workspace's own Stripe account", keys, paid > 0)
	case accounts.Operator:
		return judgeKeys(name, "The server's Stripe account", s.Accounts.OperatorKeys, paid > 0)
	}
	switch {
	case paid > 0 && s.OperatorKeyHidden:
		return hiddenOperator(name)
	case paid > 0:
		return Check{name, Warn, fmt.Sprintf("%s a price, and nobody can pay.", countHave(paid, "event type")),
			"Enter a Stripe key on the page Payments, or start slotd serve with --stripe-key."}
	}
	return Check{name, OK, "None are set up, and nothing has a price.", ""}
}

func countHave(n int, thing string) string {
	if n == 1 {
		return "1 " + thing + " has"
	}
	return fmt.Sprintf("%d %ss have", n, thing)
}

// judgeKeys detects live or test mode by the prefix of the key.
func judgeKeys(name, account string, keys stripe.Keys, used bool) Check {
	mode := "live mode"
	test := strings.HasPrefix(keys.Secret, "sk_test_") || strings.HasPrefix(keys.Secret, "rk_test_")
	if test {
		mode = "test mode"
	}
	switch {
	case keys.Webhook == "":
		return Check{name, Warn, account + " (" + mode +
			") has no webhook secret: payments are noticed up to a minute late.", "Make a webhook endpoint in " +
			"Stripe, and enter its secret beside the key."}
	case test && used:
		return Check{name, Warn, account + " is in test mode: no money moves.",
			"Enter the live key when you are done with testing."}
	}
	return Check{name, OK, account + " is used, in " + mode + ".", ""}
}

func hiddenOperator(name string) Check {
	return Check{name, Unknown, "The server has a Stripe key, which this command was not given.",
		"Run it with the --stripe-key that slotd serve has."}
}

// operator checks the server's own Stripe account, regardless of which workspaces use it.
func (s *Server) operator() Check {
	switch {
	case s.Accounts.OperatorKeys != (stripe.Keys{}) && s.Accounts.OperatorKeys.Secret == "":
		return Check{"stripe", Warn, "A webhook secret is set, but no key.",
			"Start slotd serve with --stripe-key, or without the secret."}
	case s.Accounts.OperatorKeys.Secret != "":
		return judgeKeys("stripe", "The server's Stripe account", s.Accounts.OperatorKeys, true)
	case s.OperatorKeyHidden:
		return hiddenOperator("stripe")
	}
	return Check{"stripe", OK, "The server has no account of its own.", ""}
}
