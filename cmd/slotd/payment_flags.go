package main

import (
	"net/url"
	"strings"
	"time"

	"slotd/internal/booking"
	"slotd/internal/pay"
	"slotd/internal/seal"
	"slotd/internal/store"
	"slotd/internal/till"
)

// paymentFlags say how guests pay, where a workspace has no account of its own.
type paymentFlags struct {
	stripe pay.Keys
	api    string
	hold   time.Duration
}

func (f *paymentFlags) define(fs *flagSet) {
	fs.StringVar(&f.stripe.Secret, "stripe-key", "", "secret key of the Stripe account that guests pay into (default: none, so that paid event types cannot be booked)")
	fs.StringVar(&f.stripe.Webhook, "stripe-webhook-secret", "", "what Stripe signs its events with, as its dashboard shows it for the endpoint /api/stripe/webhook")
	fs.StringVar(&f.api, "stripe-api", pay.DefaultAPI, "another address of Stripe's interface, for tests")
	fs.DurationVar(&f.hold, "payment-hold", booking.DefaultHold, "how long a time is held for a guest who pays")
}

func (f *paymentFlags) check() error {
	f.api = strings.TrimRight(f.api, "/")
	u, err := url.Parse(f.api)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return usagef("--stripe-api must be a URL such as %s", pay.DefaultAPI)
	}
	if !pay.IsKey(f.stripe.Secret) && f.stripe.Secret != "" || !pay.IsKey(f.stripe.Webhook) && f.stripe.Webhook != "" {
		return usagef("--stripe-key and --stripe-webhook-secret hold visible characters only, such as sk_live_… and whsec_…")
	}
	if f.hold < time.Minute || f.hold > 23*time.Hour {
		return usagef("--payment-hold must be from 1m to 23h, such as 30m")
	}
	return nil
}

// paymentsSetting is whether the server has an account, for other commands.
const paymentsSetting = "payments"

func (f *paymentFlags) setting() string {
	if f.stripe.Secret == "" {
		return ""
	}
	return "stripe"
}

func (f *paymentFlags) till(db *store.DB, keys *seal.Keys) *till.Service {
	return &till.Service{DB: db, Keys: keys, Operator: f.stripe, API: f.api}
}
