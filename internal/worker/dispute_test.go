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
		payment := w.money(b).Payment
		w.stripe.Dispute(payment, "needs_response")
		w.deliver()
		w.wantLedger(b, ledger.Paid, ledger.Disputed)
		w.wantOwnerMails(b, mail.PaymentDisputed)
		w.stripe.Dispute(payment, "under_review")
		w.deliver()
		w.wantOwnerMails(b)
		w.wantState(b, slotd.Confirmed)
		w.stripe.Dispute(payment, "won")
		w.deliver()
		if m := w.money(b); m.Ledger.Balance() != price || m.Ledger.IsDisputed() {
			t.Errorf("won, and the ledger says %+v", m.Ledger)
		}
		w.cancel(b, "")
		w.settle()
		w.wantSettled(b)
	})
}

func TestDispute_ThatIsLostLeavesNothingToRefund(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *paid) {
		b := w.buy(tuesday)
		payment := w.money(b).Payment
		w.stripe.Dispute(payment, "needs_response")
		w.stripe.Dispute(payment, "lost")
		w.deliver()
		canceled, err := w.Cancel(background, w.actor, b.ID, "")
		if w.must(err); canceled.RefundedCents != 0 {
			t.Errorf("refunded %d", canceled.RefundedCents)
		}
		w.settleFor(24 * time.Hour)
		if n := w.stripe.Requests(refunds); n != 0 {
			t.Errorf("%d refunds were asked for", n)
		}
		w.wantLedger(b, ledger.Paid, ledger.Disputed, ledger.RefundRequested)
	})
}

// The booking was canceled during the dispute, so money that comes back is refunded.
func TestDispute_ThatIsWonAfterACancellationIsRefunded(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *paid) {
		b := w.buy(tuesday)
		payment := w.money(b).Payment
		w.stripe.Dispute(payment, "needs_response")
		w.deliver()
		w.cancel(b, "")
		w.settleFor(24 * time.Hour)
		w.stripe.Dispute(payment, "won")
		w.deliver()
		w.settle()
		w.wantSettled(b)
		w.wantLedger(b, ledger.Paid, ledger.Disputed, ledger.RefundRequested, ledger.DisputeWon, ledger.Refunded)
	})
}
