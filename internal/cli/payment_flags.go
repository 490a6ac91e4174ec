package cli

import (
	"log/slog"
	"net/url"
	"strings"
	"time"

	"slotd/internal/booking"
	"slotd/internal/lib/seal"
	"slotd/internal/money/accounts"
	"slotd/internal/money/stripe"
	"slotd/internal/store"
)

// paymentFlags say how guests pay, where a workspace has no account of its own.
type Payments struct {
	Stripe stripe.Keys
	API    string
	Hold   time.Duration
}

func (f *Payments) Define(fs *FlagSet) {
	fs.StringVar(&f.Stripe.Secret, "stripe-key", "",
		"secret key of the Stripe account that guests pay into (default: none, so that paid event types cannot be "+
			"booked)")
	fs.StringVar(&f.Stripe.Webhook, "stripe-webhook-secret", "",
		"what Stripe signs its events with, as its dashboard shows it for the endpoint /api/stripe/webhook")
	fs.StringVar(&f.API, "stripe-api", stripe.DefaultAPI, "another address of Stripe's interface, for tests")
	fs.DurationVar(&f.Hold, "payment-hold", booking.DefaultHold, "how long a time is held for a guest who pays")
}

func (f *Payments) Check() error {
	f.API = strings.TrimRight(f.API, "/")
	u, err := url.Parse(f.API)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return Usagef("--stripe-api must be a URL such as %s", stripe.DefaultAPI)
	}
	if wrong := wrongKey(f.Stripe.Secret, "pk_", "whsec_"); wrong != "" {
		return Usagef("--stripe-key %s: it wants a secret or restricted key, such as sk_live_… or rk_live_…", wrong)
	}
	if wrong := wrongKey(f.Stripe.Webhook, "pk_", "sk_", "rk_"); wrong != "" {
		return Usagef("--stripe-webhook-secret %s: it wants what Stripe shows for the endpoint, such as whsec_…", wrong)
	}
	if f.Hold < time.Minute || f.Hold > 23*time.Hour {
		return Usagef("--payment-hold must be from 1m to 23h, such as 30m")
	}
	return nil
}

// wrongKey says what is wrong with a key, without repeating it. One that begins like another kind of key was put into
// the wrong place; what stands in for Stripe may have keys of any look.
func wrongKey(key string, others ...string) string {
	if key != "" && !stripe.IsKey(key) {
		return "has characters that no key has"
	}
	for _, other := range others {
		if strings.HasPrefix(key, other) {
			return "begins with " + other
		}
	}
	return ""
}

// warn says what an operator who has set up half of it may not know.
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

func (f *Payments) Setting() string {
	if f.Stripe.Secret == "" {
		return ""
	}
	return "stripe"
}

func (f *Payments) Accounts(db *store.DB, keys *seal.Keys) *accounts.Service {
	return &accounts.Service{DB: db, Keys: keys, Operator: f.Stripe, API: f.API}
}
