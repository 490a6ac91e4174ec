package worker

import (
	"testing"
	"time"

	"slotd"
	"slotd/internal/mail"
	"slotd/internal/money/ledger"
)

func TestDispute_IsRecordedAndTheOwnerMailedOnce(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *paid) {
		b := w.buy(tuesday)
		payment := w.Money(b).Payment
		w.stripe.Dispute(payment, "needs_response")
		w.deliver()
		w.WantLedger(b, ledger.Paid, ledger.Disputed)
		w.wantOwnerMails(b, mail.PaymentDisputed)
		w.stripe.Dispute(payment, "under_review")
		w.deliver()
		w.wantOwnerMails(b)
		w.WantState(b, slotd.Confirmed)
		w.stripe.Dispute(payment, "won")
		w.deliver()
		if m := w.Money(b); m.Ledger.Balance() != price || m.Ledger.IsDisputed() {
			t.Errorf("won, and the ledger says %+v", m.Ledger)
		}
		w.MustCancel(b, "")
		w.settle()
		w.wantSettled(b)
	})
}

func TestDispute_ThatIsLostLeavesNothingToRefund(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *paid) {
		b := w.buy(tuesday)
		payment := w.Money(b).Payment
		w.stripe.Dispute(payment, "needs_response")
		w.stripe.Dispute(payment, "lost")
		w.deliver()
		canceled, err := w.Cancel(background, w.Actor, b.ID, "")
		if w.Must(err); canceled.RefundedCents != 0 {
			t.Errorf("refunded %d", canceled.RefundedCents)
		}
		w.settleFor(24 * time.Hour)
		if n := w.stripe.Requests(refunds); n != 0 {
			t.Errorf("%d refunds were asked for", n)
		}
		w.WantLedger(b, ledger.Paid, ledger.Disputed, ledger.RefundRequested)
	})
}

// The booking was canceled during the dispute, so money that comes back is refunded.
func TestDispute_ThatIsWonAfterACancellationIsRefunded(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *paid) {
		b := w.buy(tuesday)
		payment := w.Money(b).Payment
		w.stripe.Dispute(payment, "needs_response")
		w.deliver()
		w.MustCancel(b, "")
		w.settleFor(24 * time.Hour)
		w.stripe.Dispute(payment, "won")
		w.deliver()
		w.settle()
		w.wantSettled(b)
		w.WantLedger(b, ledger.Paid, ledger.Disputed, ledger.RefundRequested, ledger.DisputeWon, ledger.Refunded)
	})
}
