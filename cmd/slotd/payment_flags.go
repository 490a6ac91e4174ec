package main

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
type paymentFlags struct {
	stripe stripe.Keys
	api    string
	hold   time.Duration
}

func (f *paymentFlags) define(fs *flagSet) {
	fs.StringVar(&f.stripe.Secret, "stripe-key", "",
		"secret key of the Stripe account that guests pay into (default: none, so that paid event types cannot be "+
			"booked)")
	fs.StringVar(&f.stripe.Webhook, "stripe-webhook-secret", "",
		"what Stripe signs its events with, as its dashboard shows it for the endpoint /api/stripe/webhook")
	fs.StringVar(&f.api, "stripe-api", stripe.DefaultAPI, "another address of Stripe's interface, for tests")
	fs.DurationVar(&f.hold, "payment-hold", booking.DefaultHold, "how long a time is held for a guest who pays")
}

func (f *paymentFlags) check() error {
	f.api = strings.TrimRight(f.api, "/")
	u, err := url.Parse(f.api)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return usagef("--stripe-api must be a URL such as %s", stripe.DefaultAPI)
	}
	if wrong := wrongKey(f.stripe.Secret, "pk_", "whsec_"); wrong != "" {
		return usagef("--stripe-key %s: it wants a secret or restricted key, such as sk_live_… or rk_live_…", wrong)
	}
	if wrong := wrongKey(f.stripe.Webhook, "pk_", "sk_", "rk_"); wrong != "" {
		return usagef("--stripe-webhook-secret %s: it wants what Stripe shows for the endpoint, such as whsec_…", wrong)
	}
	if f.hold < time.Minute || f.hold > 23*time.Hour {
		return usagef("--payment-hold must be from 1m to 23h, such as 30m")
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
func (f *paymentFlags) warn(log *slog.Logger) {
	switch {
	case f.stripe.Secret != "" && f.stripe.Webhook == "":
		log.Warn("no webhook secret is set: payments are noticed only by asking Stripe, which takes up to a minute; " +
			"--stripe-webhook-secret sets one")
	case f.stripe.Secret == "" && f.stripe.Webhook != "":
		log.Warn("a webhook secret is set, but no Stripe key: nobody can pay, except where a workspace has an " +
			"account of its own; --stripe-key sets one")
	}
}

// paymentsSetting is whether the server has an account, for other commands.
const paymentsSetting = "payments"

func (f *paymentFlags) setting() string {
	if f.stripe.Secret == "" {
		return ""
	}
	return "stripe"
}

func (f *paymentFlags) accounts(db *store.DB, keys *seal.Keys) *accounts.Service {
	return &accounts.Service{DB: db, Keys: keys, Operator: f.stripe, API: f.api}
}
