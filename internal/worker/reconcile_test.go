package worker

import (
	"strings"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking/records"
	"slotd/internal/money/stripe/stripetest"
	"slotd/internal/store/testdb"
)

// wantDifferences checks that each difference contains the text that is wanted for it.
func (w *paid) wantDifferences(want ...string) {
	w.T.Helper()
	_, got, err := w.reconciler().Reconcile(background, w.Actor.WorkspaceID, monday)
	w.Must(err)
	if len(got) != len(want) {
		w.T.Fatalf("got %+v, want %q", got, want)
	}
	for i := range want {
		if !strings.Contains(got[i].What, want[i]) {
			w.T.Errorf("got %q, want %q", got[i].What, want[i])
		}
	}
}

func (w *paid) reconciler() *records.Service {
	return &records.Service{DB: w.DB, Now: w.now, Accounts: w.payments.Accounts}
}

func TestReconcile_FindsNothingAfterEveryFlow(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *paid) {
		w.buy(tuesday)
		w.MustCancel(w.buy(tuesday.Add(time.Hour)), "")
		w.settle()
		released, _ := w.checkout(tuesday.Add(2 * time.Hour))
		w.Must(w.Release(background, w.Actor, released.ID))
		w.settle()
		w.hold(tuesday.Add(3 * time.Hour)) // its checkout is never opened
		w.checkout(tuesday.Add(4 * time.Hour))
		late, session := w.checkout(tuesday.Add(5 * time.Hour))
		w.Must(w.stripe.Pay(session))
		w.Clock.Set(late.Hold.Until)
		w.create("intro", late.StartsAt, email)
		w.settleFor(time.Minute)
		w.WantState(late, slotd.Canceled)
		disputed := w.Money(w.buy(tuesday.Add(6 * time.Hour)))
		w.stripe.Dispute(disputed.Payment, "lost")
		w.deliver()
		w.wantDifferences()
		compared, _, err := w.reconciler().Reconcile(background, w.Actor.WorkspaceID, monday)
		if w.Must(err); compared != 6 {
			t.Errorf("compared %d, want all but the one that was never opened", compared)
		}
	})
}

func TestReconcile_SaysWhatIsDifferent(t *testing.T) {
	for name, c := range map[string]struct {
		make func(w *paid)
		want []string
	}{
		"a payment that we do not know of": {func(w *paid) {
			_, session := w.checkout(tuesday)
			w.Must(w.stripe.Pay(session))
		}, []string{"Stripe has paid 50.00 EUR"}},
		"a refund by hand": {func(w *paid) {
			b := w.buy(tuesday)
			w.stripe.RefundByHand(w.Money(b).Payment, 2000)
		}, []string{"Stripe has refunded 20.00 EUR"}},
		"a dispute": {func(w *paid) {
			b := w.buy(tuesday)
			w.stripe.Dispute(w.Money(b).Payment, "lost")
		}, []string{"Stripe has disputed 50.00 EUR"}},
		"a refund that is due": {func(w *paid) {
			b := w.buy(tuesday)
			w.stripe.AddFault(stripetest.Fault{Request: refunds, Status: 500, Times: 1000})
			w.MustCancel(b, "")
			w.settle()
		}, []string{"50.00 EUR is due to the guest"}},
		"a checkout that Stripe does not know": {func(w *paid) {
			b := w.hold(tuesday)
			w.Must(w.SaveCheckout(background, w.Actor.WorkspaceID, b.ID, "cs_gone", "https://pay.example/"))
		}, []string{"Stripe does not know the checkout cs_gone"}},
		"a refund that came back": {func(w *paid) {
			b := w.buy(tuesday)
			w.MustCancel(b, "")
			w.settle()
			w.stripe.Update(w.stripe.Refunds()[0].ID, "failed")
		}, []string{"Stripe has failed 50.00 EUR"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newPaid(t, testdb.SQLite(t))
			c.make(w)
			w.wantDifferences(c.want...)
		})
	}
}
