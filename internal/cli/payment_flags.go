package cli

import (
	"log/slog"
	"net/url"
	"strings"
	"time"

	"slotd/internal/booking"
	"slotd/internal/lib/say"
	"slotd/internal/lib/seal"
	"slotd/internal/money/accounts"
	"slotd/internal/money/stripe"
	"slotd/internal/store"
)

// Payments holds the flags for payments to workspaces without an account of their own.
type Payments struct {
	Stripe stripe.Keys
	API    string
	Hold   time.Duration
}

// Define adds the flags to fs.
func (f *Payments) Define(fs *FlagSet) {
	fs.StringVar(&f.Stripe.Secret, "stripe-key", "",
		"secret key of the Stripe account that guests pay into (default: none; paid event types can't be "+
			"booked)")
	fs.StringVar(&f.Stripe.Webhook, "stripe-webhook-secret", "",
		"signing secret that Stripe's dashboard shows for the webhook endpoint /api/stripe/webhook")
	fs.StringVar(&f.API, "stripe-api", stripe.DefaultAPI, "another address for Stripe's API, for tests")
	fs.DurationVar(&f.Hold, "payment-hold", booking.DefaultHold, "how long to hold a time while its guest pays")
}

// Check validates the flags.
func (f *Payments) Check() error {
	f.API = strings.TrimRight(f.API, "/")
	u, err := url.Parse(f.API)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return Usagef("--stripe-api must be a URL such as %s", stripe.DefaultAPI)
	}
	if problem := keyProblem("--stripe-key", f.Stripe.Secret, "pk_", "whsec_"); problem != "" {
		return Usagef("%s; use a secret or restricted key, such as sk_live_… or rk_live_…", problem)
	}
	if problem := keyProblem("--stripe-webhook-secret", f.Stripe.Webhook, "pk_", "sk_", "rk_"); problem != "" {
		return Usagef("%s; use the signing secret that Stripe shows for the endpoint, such as whsec_…", problem)
	}
	if f.Hold < time.Minute || f.Hold > 23*time.Hour {
		return Usagef("--payment-hold must be from 1m to 23h, such as 30m")
	}
	return nil
}

// keyProblem returns what is wrong with a key, without repeating it, or "". A key with the prefix of another kind is in
// the wrong flag. Other prefixes are allowed: servers that stand in for Stripe may have keys of any form.
func keyProblem(flag, key string, otherPrefixes ...string) string {
	if key != "" && !stripe.IsKey(key) {
		return say.T("%s has characters that no key has", flag)
	}
	for _, prefix := range otherPrefixes {
		if strings.HasPrefix(key, prefix) {
			return say.T("%s can't start with %s", flag, prefix)
		}
	}
	return ""
}

// Warn logs what is missing if only one of the key and the webhook secret is set.
func (f *Payments) Warn(log *slog.Logger) {
	switch {
	case f.Stripe.Secret != "" && f.Stripe.Webhook == "":
		log.Warn("no webhook secret is set: payments are noticed only by asking Stripe, which takes up to a minute; " +
			"--stripe-webhook-secret sets one")
	case f.Stripe.Secret == "" && f.Stripe.Webhook != "":
		log.Warn("a webhook secret is set, but no Stripe key: nobody can pay, except where a workspace has an " +
			"account of its own; --stripe-key sets one")
	}
}

// StoredValue returns the value of PaymentsSetting.
func (f *Payments) StoredValue() string {
	if f.Stripe.Secret == "" {
		return ""
	}
	return "stripe"
}

// Accounts returns the service that finds the account into which a workspace's guests pay.
func (f *Payments) Accounts(db *store.DB, keys *seal.Keys) *accounts.Service {
	return &accounts.Service{DB: db, Keys: keys, OperatorKeys: f.Stripe, API: f.API}
}
