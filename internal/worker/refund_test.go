package worker

import (
	"testing"
	"time"

	"slotd"
	"slotd/internal/jobs"
	"slotd/internal/mail"
	"slotd/internal/money/accounts"
	"slotd/internal/money/ledger"
	"slotd/internal/money/stripe"
	"slotd/internal/money/stripe/stripetest"
	"slotd/internal/store/testdb"
)

const refunds = "POST /v1/refunds"

// The problem goes away by itself, or the owner has solved it. In the end the money was refunded once, and nobody was
// alarmed.
func TestRefund_ComesToPassOnceWhateverHappens(t *testing.T) {
	for name, trouble := range map[string]func(w *paid, payment string){
		"none": func(*paid, string) {},
		"errors": func(w *paid,
			_ string) {
			w.stripe.AddFault(stripetest.Fault{Request: refunds, Status: 500, Times: 3})
		},
		"too many requests": func(w *paid,
			_ string) {
			w.stripe.AddFault(stripetest.Fault{Request: refunds, Status: 429, Times: 3})
		},
		"broken connections": func(w *paid,
			_ string) {
			w.stripe.AddFault(stripetest.Fault{Request: refunds, Times: 3})
		},
		"errors, and yet done": func(w *paid, _ string) {
			w.stripe.AddFault(stripetest.Fault{Request: refunds, Status: 500, After: true, Times: 1})
		},
		"broken connections, and yet done": func(w *paid,
			_ string) {
			w.stripe.AddFault(stripetest.Fault{Request: refunds, After: true, Times: 1})
		},
		"all questions fail, and yet done": func(w *paid, _ string) {
			w.stripe.AddFault(stripetest.Fault{Request: refunds, After: true, Times: 1})
			w.stripe.AddFault(stripetest.Fault{Request: "GET ", Status: 500, Times: 2})
		},
		"made by hand":         func(w *paid, payment string) { w.stripe.RefundByHand(payment, price) },
		"made by hand in part": func(w *paid, payment string) { w.stripe.RefundByHand(payment, 2000) },
		"made by hand in part, and told of": func(w *paid,
			payment string) {
			w.stripe.RefundByHand(payment, 2000)
			w.deliver()
		},
		"made by hand, and told of": func(w *paid,
			payment string) {
			w.stripe.RefundByHand(payment, price)
			w.deliver()
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newPaid(t, testdb.SQLite(t))
			b := w.buy(tuesday)
			w.MustCancel(b, "")
			trouble(w, w.Money(b).Payment)
			w.settleFor(10 * time.Minute)
			w.wantSettled(b)
			w.deliver()
			w.wantSettled(b)
			w.wantOwnerMails(b)
		})
	}
}

// A pending refund may be returned. Then another one is made.
func TestRefund_ThatComesBackIsMadeAgain(t *testing.T) {
	for name, learn := range map[string]func(w *paid){"told of": (*paid).deliver,
		"asked about": func(w *paid) { w.settleFor(7 * time.Hour) }} {
		t.Run(name, func(t *testing.T) {
			eachPaid(t, func(t *testing.T, w *paid) {
				b := w.buy(tuesday)
				w.stripe.RefundsBecome("pending")
				w.MustCancel(b, "")
				w.settle()
				w.WantLedger(b, ledger.Paid, ledger.RefundRequested, ledger.Refunded)
				if len(w.pendingJobs()) != 1 {
					t.Error("nobody looks whether it arrives")
				}
				w.stripe.Update(w.stripe.Refunds()[0].ID, "failed")
				w.stripe.RefundsBecome("succeeded")
				learn(w)
				w.settleFor(7 * time.Hour)
				w.deliver()
				w.WantLedger(b, ledger.Paid, ledger.RefundRequested, ledger.Refunded, ledger.Failed, ledger.Refunded)
				if n := len(w.stripe.Refunds()); n != 2 {
					t.Errorf("%d refunds", n)
				}
				w.wantSettled(b)
				w.wantOwnerMails(b)
			})
		})
	}
}

// wantDue checks that the owner can see what is due.
func (w *paid) wantDue(b *slotd.Booking, want int64) {
	w.T.Helper()
	all, err := w.records().ListPayments(background, w.Actor.WorkspaceID, monday, 10)
	w.Must(err)
	if len(all) != 1 || all[0].BookingID != b.ID.String() || all[0].Due.AmountCents != want ||
		(all[0].Note() != "") != (want > 0) {
		w.T.Errorf("the list says %+v, want %d due", all, want)
	}
}

// A refund that keeps failing is tried forever. The owner gets one mail, and sees the refund in the list until it is
// made.
func TestRefund_ThatCannotBeMadeIsTriedForEver(t *testing.T) {
	skipIfShort(t)
	for name, trouble := range map[string]func(w *paid) (mend func()){
		"Stripe is down": func(w *paid) func() {
			w.stripe.AddFault(stripetest.Fault{Request: refunds, Status: 500, Times: 1000})
			return w.stripe.ClearFaults
		},
		"the key is gone": func(w *paid) func() {
			right := w.payments.Accounts.OperatorKeys
			w.payments.Accounts.OperatorKeys = stripe.Keys{Secret: "sk_test_another"}
			return func() { w.payments.Accounts.OperatorKeys = right }
		},
		"payments are not set up any more": func(w *paid) func() {
			right := w.payments.Accounts.OperatorKeys
			w.payments.Accounts.OperatorKeys = stripe.Keys{}
			return func() { w.payments.Accounts.OperatorKeys = right }
		},
		"every refund comes back": func(w *paid) func() {
			w.stripe.RefundsBecome("failed")
			return func() { w.stripe.RefundsBecome("succeeded") }
		},
		"the owner refunds in the dashboard": func(w *paid) func() {
			w.stripe.AddFault(stripetest.Fault{Request: refunds, Status: 403, Times: 1000})
			return func() { w.stripe.RefundByHand(w.stripe.Sessions()[0].Intent, price) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newPaid(t, testdb.SQLite(t))
			b := w.buy(tuesday)
			w.MustCancel(b, "")
			mend := trouble(w)
			w.settleFor(time.Hour)
			w.wantDue(b, price)
			w.wantOwnerMails(b, mail.RefundDue)
			w.settleFor(5 * 24 * time.Hour)
			w.wantDue(b, price)
			w.wantOwnerMails(b)
			mend()
			w.settleFor(7 * time.Hour)
			w.wantDue(b, 0)
			w.wantSettled(b)
		})
	}
}

// A payment into a workspace's own account is refunded from there, or waits until the account is connected again.
func TestRefund_WaitsForItsAccount(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *paid) {
		byOperator := accounts.Change{Slug: "acme", By: slotd.Operator, Now: w.now()}
		connect := func() {
			keys := stripe.Keys{Secret: w.stripe.Key, Webhook: w.stripe.Secret}
			w.Must(w.payments.Accounts.Connect(background, byOperator, keys))
		}
		connect()
		right := w.payments.Accounts.OperatorKeys
		w.payments.Accounts.OperatorKeys = stripe.Keys{Secret: "sk_test_another"}
		cannotDrop := func() {
			if err := w.payments.Accounts.Disconnect(background, byOperator, false); !slotd.Is(err,
				slotd.InvalidArgument) {
				t.Errorf("dropped, with something open: %v", err)
			}
		}
		b, session := w.checkout(tuesday)
		cannotDrop()
		w.Must(w.stripe.Pay(session))
		w.settleFor(time.Hour)
		w.WantState(b, slotd.Confirmed)
		w.MustCancel(b, "")
		cannotDrop()
		w.Must(w.payments.Accounts.Disconnect(background, byOperator, true))
		w.payments.Accounts.OperatorKeys = right // which did not receive the money
		w.settleFor(4 * 24 * time.Hour)
		w.wantDue(b, price)
		w.wantOwnerMails(b, mail.RefundDue)
		w.payments.Accounts.OperatorKeys = stripe.Keys{}
		connect()
		w.settleFor(7 * time.Hour)
		w.wantSettled(b)
		w.Must(w.payments.Accounts.Disconnect(background, byOperator, false))
	})
}

// Problems that last for days and follow each other do not make the job give up.
func TestRefund_IsNotGivenUpAfterManyTroubles(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *paid) {
		b := w.buy(tuesday)
		w.MustCancel(b, "")
		w.stripe.AddFault(stripetest.Fault{Request: refunds, Status: 500, Times: 1})
		w.settle()
		right := w.payments.Accounts.OperatorKeys
		w.payments.Accounts.OperatorKeys = stripe.Keys{Secret: "sk_test_another"}
		w.settleFor(4 * 24 * time.Hour)
		w.payments.Accounts.OperatorKeys = right
		w.stripe.AddFault(stripetest.Fault{Request: "GET /v1/refunds", Status: 500, Times: 1})
		w.settleFor(7 * time.Hour)
		for _, e := range w.pendingJobs() {
			if e.State == jobs.Failed {
				t.Fatalf("given up: %+v", e)
			}
		}
		w.settleFor(24 * time.Hour)
		w.wantSettled(b)
	})
}

// It may take days until a refund arrives or is returned.
func TestRefund_IsWatchedAcrossTroubles(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *paid) {
		b := w.buy(tuesday)
		w.stripe.RefundsBecome("pending")
		w.stripe.AddFault(stripetest.Fault{Request: refunds, Status: 500, Times: 1})
		w.MustCancel(b, "")
		w.settleFor(4 * 24 * time.Hour)
		w.stripe.AddFault(stripetest.Fault{Request: "GET /v1/refunds", Status: 500, Times: 1})
		w.settleFor(24 * time.Hour)
		w.stripe.RefundsBecome("succeeded")
		w.stripe.Update(w.stripe.Refunds()[0].ID, "failed")
		w.settleFor(24 * time.Hour)
		w.wantSettled(b)
	})
}

// A bank may return a refund after weeks, without any event that reports it.
func TestRefund_ThatComesBackLaterIsFound(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *paid) {
		b := w.buy(tuesday)
		w.MustCancel(b, "")
		w.settle()
		w.wantSettled(b)
		w.settleFor(10 * 24 * time.Hour)
		w.stripe.Update(w.stripe.Refunds()[0].ID, "failed")
		w.settleFor(8 * 24 * time.Hour)
		w.wantSettled(b)
		if n := len(w.stripe.Refunds()); n != 2 {
			t.Errorf("%d refunds", n)
		}
		w.settleFor(maxTransit)
		if left := w.pendingJobs(); len(left) != 0 {
			t.Errorf("looked at for ever: %+v", left)
		}
	})
}

// A refund that is accepted and returned again and again is one problem, so the owner gets one mail.
func TestRefund_ThatAlwaysComesBackIsOneTrouble(t *testing.T) {
	eachPaid(t, func(t *testing.T, w *paid) {
		b := w.buy(tuesday)
		w.stripe.RefundsBecome("pending")
		w.MustCancel(b, "")
		for range 8 {
			w.settleFor(7 * time.Hour)
			all := w.stripe.Refunds()
			w.stripe.Update(all[len(all)-1].ID, "failed")
		}
		w.settle()
		w.wantOwnerMails(b, mail.RefundDue)
		w.stripe.RefundsBecome("succeeded")
		w.settleFor(24 * time.Hour)
		w.wantSettled(b)
		last := w.stripe.Refunds()
		w.stripe.RefundsBecome("failed")
		w.stripe.Update(last[len(last)-1].ID, "failed")
		w.settleFor(9 * 24 * time.Hour)
		w.wantOwnerMails(b, mail.RefundDue) // a new problem, so a second mail
	})
}

// A refund is not watched forever when its account is gone.
func TestRefund_IsNotLookedAtForEver(t *testing.T) {
	skipIfShort(t)
	w := newPaid(t, testdb.SQLite(t))
	b := w.buy(tuesday)
	w.MustCancel(b, "")
	w.settle()
	w.payments.Accounts.OperatorKeys = stripe.Keys{}
	w.settleFor(maxTransit + 24*time.Hour)
	if left := w.pendingJobs(); len(left) != 0 {
		t.Errorf("left to be done: %+v", left)
	}
}
