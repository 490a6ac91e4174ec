package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"slotd/internal/money/stripe/stripetest"
	"slotd/internal/store/testdb"
	"slotd/test/await"
	"slotd/test/harness"
)

// connect gives acme an account of its own.
func (pl *deployment) connect(s *stripetest.Stripe) outcome {
	pl.t.Helper()
	e := env{"SLOTD_OWN_KEY_FILE": write(pl.t, "key", s.Key+"\n"), "SLOTD_OWN_WEBHOOK_SECRET": s.Secret,
		"SLOTD_STRIPE_KEY": "sk_the_operators"}
	return run(pl.t, e, "", append([]string{"payments", "connect", "--workspace", "acme"}, pl.flags...)...).exits(pl.t,
		0)
}

func TestPaymentsConnect_IsNoPartOfTheWorkspaceFile(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(paid)
		before, stripe := pl.export("acme"), stripetest.Start(t)
		if o := pl.connect(stripe); !strings.Contains(o.out,
			"https://YOUR-SERVER/api/stripe/webhook?workspace=acme\n") || strings.Contains(o.out+o.err, stripe.Key) {
			t.Errorf("printed %s%s", o.out, o.err)
		}
		pl.wantSame("the export", pl.export("acme"), before)
		pl.mustApply(before).prints(t, "nothing changed").says(t) // and no warning
		pl.serve(nil, "--base-url", "https://book.example")
		if o := pl.connect(stripe); !strings.Contains(o.out,
			"https://book.example/api/stripe/webhook?workspace=acme\n") {
			t.Errorf("printed %s", o.out)
		}
		if stored := strings.Join(pl.rows("SELECT CAST(sealed AS TEXT) FROM payment_accounts"), ""); stored == "" ||
			strings.Contains(stored, "VERYSECRET") {
			t.Errorf("the database holds %q", stored)
		}
		pl.run("payments", "disconnect", "--workspace", "acme").exits(t, 0)
		pl.run("payments", "disconnect", "--workspace", "acme").exits(t, 1).says(t, "no Stripe account of its own")
		pl.wantSame("the export", pl.export("acme"), before)
	})
}

func TestKeyRotate_KeepsTheOwnAccount(t *testing.T) {
	t.Parallel()
	pl := onSQLite(t)
	s := &paymentServer{pl: pl, stripe: stripetest.Start(t)}
	pl.mustApply(paid)
	pl.connect(s.stripe)
	s.process = pl.serve(nil, "--stripe-api", s.stripe.URL)
	s.stripe.Webhook = s.url + "/api/stripe/webhook?workspace=acme"
	first, _ := s.sell(3)
	pl.run("key", "rotate").exits(t, 0)
	harness.ForgetOldKeys(t, filepath.Join(pl.Data, "secret.key"))
	second, _ := s.sell(4) // through the server that was already running
	o := pl.run("payments", "reconcile", "--workspace", "acme", "--stripe-api", s.stripe.URL).exits(t, 0)
	o.says(t, "2 payments compared with Stripe")

	another := filepath.Join(t.TempDir(), "another.key")
	for _, path := range []string{another, write(t, "wrong.key", "nonsense")} {
		pl.run("payments", "reconcile", "--workspace", "acme", "--secret-key-file", path).exits(t, 1)
	}
	if _, err := os.Stat(another); err == nil {
		t.Error("a mistyped path made a key file")
	}
	pl.run("payments", "disconnect", "--workspace", "acme").exits(t, 0)
	o = pl.run("payments", "reconcile", "--workspace", "acme", "--stripe-api", s.stripe.URL).exits(t, 1).says(t,
		"2 differences in 2 payments")
	for _, id := range []string{first, second} {
		if !strings.Contains(o.out, id+
			"  its checkout is in an account of the workspace's own that is no longer connected\n") {
			t.Errorf("printed %s", o.out)
		}
	}
}

func TestApply_WarnsOfPricesUntilThereIsAnAccount(t *testing.T) {
	t.Parallel()
	pl, warning := onSQLite(t), "event type advice has a price, but payments aren't set up"
	warns := func(when string, want bool, args ...string) {
		t.Helper()
		if o := pl.apply(paid, args...).exits(t, 0); strings.Contains(o.err, warning) != want {
			t.Errorf("%s: %q", when, o.err)
		}
	}
	warns("before there is anything", true, "--dry-run")
	warns("before a server has run", true)
	stop := func(args ...string) {
		s := pl.serve(nil, args...)
		s.Terminate(t)
		s.Wait(t)
	}
	stop()
	warns("with a server that takes no money", true)
	stop("--stripe-key", "sk_test_1")
	warns("with the operator's account", false)
	stop()
	warns("when the operator has none any more", true)
	pl.connect(stripetest.Start(t))
	warns("with an account of its own", false)
	pl.run("payments", "disconnect", "--workspace", "acme").exits(t, 0)
	warns("without it", true, "--dry-run")
}

func TestMetrics_CountThePaymentsThatWait(t *testing.T) {
	t.Parallel()
	pl, address := onSQLite(t), testdb.FreeAddr(t)
	s := pl.servePayments("--metrics-listen", address)
	s.hold(3)
	await.True(t, "nothing has failed or is late", func() bool { // on a busy machine a job is late at times
		response, err := http.Get("http://" + address + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		return err == nil && strings.Contains(string(text), `slotd_jobs_failed{queue="payment"} 0`+"\n") &&
			strings.Contains(string(text), `slotd_jobs_overdue_seconds{queue="payment"} 0`+"\n")
	})
}
