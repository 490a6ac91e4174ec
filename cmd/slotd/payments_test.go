package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"slotd/internal/booking/records"
	"slotd/internal/money/stripe/stripetest"
	"slotd/test/await"
)

func TestPayments_WrongUsage(t *testing.T) {
	pl := onSQLite(t)
	pl.mustApply(paid)
	keys := "--own-key sk_test_hunter2 --own-webhook-secret whsec_hunter2"
	for line, exit := range map[string]int{
		"payments": 2, "payments nonsense": 2, "payments list": 2, "payments list --workspace acme extra": 2,
		"payments reconcile": 2, "payments reconcile --workspace acme --days 0": 2,
		"payments reconcile --workspace acme --days 4000":             2,
		"payments reconcile --workspace acme --stripe-key pk_hunter2": 2,
		"payments connect --workspace acme":                           2,
		"payments connect --workspace acme --own-key sk_test_hunter2": 2, "payments connect " + keys: 2,
		"payments disconnect":              2,
		"payments list --workspace nobody": 1, "payments reconcile --workspace nobody": 1,
		"payments connect --workspace nobody " + keys: 1, "payments disconnect --workspace nobody": 1,
		"payments connect --workspace acme --own-key pk_live_hunter2 --own-webhook-secret whsec_hunter2": 1,
		"payments connect --workspace acme --own-key sk_live_hunter2 --own-webhook-secret sk_hunter2":    1,
		"payments disconnect --workspace acme":                                                           1,
		"payments list --workspace acme":                                                                 0,
		"payments reconcile --workspace acme":                                                            0,
		"payments list --workspace acme --json":                                                          0,
		"payments reconcile --workspace acme -json":                                                      0,
	} {
		o := pl.run(strings.Fields(line)...)
		if o.exit != exit || strings.Contains(o.out+o.err, "hunter2") ||
			(exit != 0) != strings.Contains(o.err, "slotd: ") {
			t.Errorf("slotd %s: exit %d, want %d: %s%s", line, o.exit, exit, o.out, o.err)
		}
	}
	pl.run("payments", "list", "--workspace", "acme", "--json").prints(t, "[]")
	pl.run("payments", "reconcile", "--workspace", "acme", "--json").prints(t, "[]").says(t,
		"0 payments compared with Stripe: no differences")
	run(t, nil, "", "payments", "list", "--workspace", "acme", "--data", t.TempDir()).exits(t, 1).says(t,
		"there is no database")
}

func TestPaymentsList_ShowsWhatWasPaidAndWhatIsDue(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		s := pl.servePayments()
		refunded, _ := s.sell(3)
		s.cancel(refunded)
		await.True(t, "the money goes back", func() bool { return s.payments()[0].Refunded.AmountCents == 5000 })
		s.stripe.AddFault(stripetest.Fault{Request: "POST /v1/refunds", Status: http.StatusForbidden, Times: 1000})
		due, _ := s.sell(4)
		s.cancel(due)
		pl.outbox(due + ".refund-due") // the owner gets a mail
		disputed, payment := s.sell(5)
		s.stripe.Dispute(payment, "needs_response")
		await.True(t, "the dispute is heard of", func() bool { return s.payments()[0].Disputed })
		s.hold(6)
		held := s.payments()[0]

		o := pl.run("payments", "list", "--workspace", "acme").exits(t, 0)
		lines := strings.Split(strings.TrimSpace(o.out), "\n")
		want := []string{
			held.BookingID + " held paid 0.00 USD refunded 0.00 USD",
			disputed + " confirmed paid 50.00 USD refunded 0.00 USD disputed",
			due + " canceled paid 50.00 USD refunded 0.00 USD refund due: 50.00 USD",
			refunded + " canceled paid 50.00 USD refunded 50.00 USD",
		}
		for i, line := range lines {
			words := strings.Fields(line)
			if got := strings.Join(append(words[:1:1], words[2:]...), " "); len(lines) != len(want) || got != want[i] {
				t.Errorf("line %d is\n%s, want\n%s", i, got, want[i])
			}
		}
		if held.Ledger == nil || len(held.Ledger) != 0 || s.payments()[3].Ledger[2].Kind != "refunded" {
			t.Errorf("got %+v", s.payments())
		}
		jobs := pl.run("jobs", "list").exits(t, 0)
		for _, secret := range []string{"grace", "Okafor", s.stripe.Key, "/c/pay/"} {
			if strings.Contains(o.out+jobs.out, secret) {
				t.Errorf("%s is shown:\n%s%s", secret, o.out, jobs.out)
			}
		}
		if !strings.Contains(jobs.out, due+".settle") || !strings.Contains(jobs.out, "refund a payment: ") ||
			!strings.Contains(jobs.out, held.BookingID+".settle") {
			t.Errorf("the jobs are\n%s", jobs.out)
		}
	})
}

func TestPaymentsReconcile_PrintsWhatTheOtherSideDoesNotKnow(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		s := pl.servePayments()
		first, _ := s.sell(3)
		s.reconcile().exits(t, 0).prints(t).says(t, "1 payment compared with Stripe: no differences")
		pl.run("payments", "reconcile", "--workspace", "acme").exits(t, 1).says(t, "no Stripe key", "--stripe-key")
		wrong := pl.run("payments", "reconcile", "--workspace", "acme", "--stripe-api", s.stripe.URL, "--stripe-key",
			"sk_hunter2").exits(t, 1).says(t, "Invalid API Key")
		if strings.Contains(wrong.err, "hunter2") {
			t.Errorf("the key is repeated: %s", wrong.err)
		}

		s.stripe.DropEvents()
		s.stripe.RefundByHand(s.stripe.Sessions()[0].Intent, 2000)
		o := s.reconcile().exits(t, 1).says(t, "1 difference in 1 payment")
		if !strings.HasPrefix(o.out, first+"  Stripe has refunded 20.00 USD (re_") || strings.Count(o.out, "\n") != 1 {
			t.Errorf("printed %s", o.out)
		}
		var differences []records.Difference
		o = s.reconcile("--json").exits(t, 1)
		if err := json.Unmarshal([]byte(o.out), &differences); err != nil || len(differences) != 1 ||
			differences[0].BookingID != first {
			t.Errorf("%v: %s", err, o.out)
		}
		// Another account knows none of the payments.
		elsewhere := stripetest.Start(t)
		elsewhere.Key = s.stripe.Key
		pl.run(append([]string{"payments", "reconcile", "--workspace", "acme"}, elsewhere.Flags()...)...).exits(t,
			1).says(t, "1 difference in 1 payment")
		pl.run("payments", "reconcile", "--workspace", "acme", "--stripe-key", "sk_test_1", "--stripe-api",
			"http://127.0.0.1:1").exits(t, 1).says(t, "Stripe doesn't answer")
	})
}
