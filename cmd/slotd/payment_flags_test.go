package main

import (
	"bytes"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"slotd/internal/cli"
	"slotd/internal/money/stripe"
)

// parsePayments parses the flags as serve does.
func parsePayments(e env, args ...string) (f cli.Payments, err error) {
	fs := (&program{err: &strings.Builder{},
		getenv: func(name string) (string, bool) { v, ok := e[name]; return v, ok }}).flags("")
	f.Define(fs)
	if _, err := fs.ParseArgs(args, 0); err != nil {
		return f, err
	}
	return f, f.Check()
}

func TestPaymentFlags_MeanTheSameWhereverTheyStand(t *testing.T) {
	want := cli.Payments{Stripe: stripe.Keys{Secret: "sk_test_1", Webhook: "whsec_1"}, API: "http://127.0.0.1:12111",
		Hold: 45 * time.Minute}
	for where, read := range map[string]func() (cli.Payments, error){
		"flags": func() (cli.Payments, error) {
			return parsePayments(nil, "--stripe-key", "sk_test_1", "--stripe-webhook-secret", "whsec_1", "--stripe-api",
				"http://127.0.0.1:12111/", "--payment-hold", "45m")
		},
		"environment": func() (cli.Payments, error) {
			return parsePayments(env{"SLOTD_STRIPE_KEY": "sk_test_1", "SLOTD_STRIPE_WEBHOOK_SECRET": "whsec_1",
				"SLOTD_STRIPE_API": "http://127.0.0.1:12111", "SLOTD_PAYMENT_HOLD": "45m"})
		},
		"files": func() (cli.Payments, error) {
			return parsePayments(env{
				"SLOTD_STRIPE_KEY_FILE":            write(t, "key", "sk_test_1\n"),
				"SLOTD_STRIPE_WEBHOOK_SECRET_FILE": write(t, "secret", "whsec_1\r\n"),
				"SLOTD_STRIPE_API_FILE":            write(t, "api", "http://127.0.0.1:12111"),
				"SLOTD_PAYMENT_HOLD_FILE":          write(t, "hold", "45m\n"),
			})
		},
	} {
		if got, err := read(); err != nil || got != want {
			t.Errorf("%s: %#v, %v", where, got, err)
		}
	}
	if got, err := parsePayments(nil); err != nil ||
		got != (cli.Payments{API: "https://api.stripe.com", Hold: 30 * time.Minute}) {
		t.Errorf("left out: %#v, %v", got, err)
	}
}

func TestPaymentFlags_HoldHasBounds(t *testing.T) {
	for hold, ok := range map[string]bool{"1m": true, "23h": true, "59s": false, "23h1s": false, "0": false,
		"-30m": false, "30": false, "long": false} {
		if _, err := parsePayments(nil, "--payment-hold", hold); (err == nil) != ok {
			t.Errorf("--payment-hold %s: %v", hold, err)
		}
	}
}

func TestServe_BadPaymentFlagsStartNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ flag, value string }{
		{"--stripe-key", "sk_hunter2\nx"}, {"--stripe-key", "sk_hunter2 "}, {"--stripe-key", "sk_hünter2"},
		{"--stripe-key", "sk_hunter2" + strings.Repeat("x", 500)},
		{"--stripe-key", "pk_live_hunter2"}, {"--stripe-key", "whsec_hunter2"},
		{"--stripe-webhook-secret", "sk_live_hunter2"}, {"--stripe-webhook-secret", "whsec_hunter2\t"},
		{"--stripe-api", "api.stripe.com"}, {"--stripe-api", "ftp://api.example"},
		{"--stripe-api", "https://ada:hunter2@api.example"}, {"--stripe-api", "https://api.example?x=1"},
		{"--stripe-api", ""},
		{"--payment-hold", "30"}, {"--payment-hold", "30s"}, {"--payment-hold", "24h"},
	} {
		pl := onSQLite(t)
		p := start(t, nil, append([]string{"serve", "--listen", "127.0.0.1:0", c.flag, c.value}, pl.flags...)...)
		exit := p.Wait(t)
		if exit != 2 || !strings.Contains(p.Log.String(), strings.TrimPrefix(c.flag, "--")) ||
			strings.Contains(p.Log.String(), "nter2") {
			t.Errorf("%s %q: exit %d: %s", c.flag, c.value, exit, p.Log)
		}
		if _, err := os.Stat(pl.Data); err == nil {
			t.Errorf("%s %q: made a directory", c.flag, c.value)
		}
		name := "SLOTD_" + strings.ToUpper(strings.ReplaceAll(strings.TrimPrefix(c.flag, "--"), "-", "_"))
		if _, err := parsePayments(env{name: c.value}); err == nil || strings.Contains(err.Error(), "nter2") {
			t.Errorf("%s=%q: %v", name, c.value, err)
		}
	}
}

func TestServe_SaysWhatIsHalfSetUp(t *testing.T) {
	for _, c := range []struct {
		keys stripe.Keys
		want string
	}{
		{stripe.Keys{}, ""},
		{stripe.Keys{Secret: "sk_hunter2", Webhook: "whsec_hunter2"}, ""},
		{stripe.Keys{Secret: "sk_hunter2"}, "no webhook secret is set"},
		{stripe.Keys{Webhook: "whsec_hunter2"}, "no Stripe key"},
	} {
		var log bytes.Buffer
		(&cli.Payments{Stripe: c.keys}).Warn(slog.New(slog.NewTextHandler(&log, nil)))
		if said := log.String(); !strings.Contains(said, c.want) || (said != "") != (c.want != "") ||
			strings.Contains(said, "hunter2") {
			t.Errorf("%#v: the log says %q", c.keys, said)
		}
	}
}
