package stripe

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"slotd/internal/money/ledger"
)

func TestCheckout_ChargesTheAmountAsItIs(t *testing.T) {
	for _, price := range []struct {
		currency string
		amount   int64
	}{{"usd", 5000}, {"eur", 1}, {"jpy", 5000}, {"kwd", 12340}, {"usd", 99_999_999}} {
		t.Run(fmt.Sprint(price.amount, price.currency), func(t *testing.T) {
			d := newFixture(t)
			o := d.order()
			o.Amount, o.Currency = price.amount, price.currency
			opened, err := d.Checkout(background, o)
			d.must(err)
			if opened.Status != Open || opened.Payment != "" || len(opened.Entries) != 0 ||
				!strings.HasPrefix(opened.URL, d.stripe.URL) {
				t.Errorf("opened: %+v", opened)
			}
			if at := d.stripe.Sessions()[0]; at.Amount != price.amount || at.Currency != price.currency {
				t.Errorf("charged: %d %s", at.Amount, at.Currency)
			}
			d.must(d.stripe.Pay(opened.ID))
			paid, err := d.Session(background, opened.ID)
			d.must(err)
			want := []ledger.Entry{{Kind: ledger.Paid, Amount: price.amount, Currency: price.currency,
				Reference: paid.Payment}}
			if diff := cmp.Diff(want, paid.Entries); diff != "" || paid.Status != Complete || paid.Payment == "" {
				t.Errorf("paid: %+v\n%s", paid, diff)
			}
			entry, pending, err := d.Refund(background, booking, paid.Payment, price.amount, 0)
			want = []ledger.Entry{{Kind: ledger.Refunded, Amount: price.amount, Currency: price.currency,
				Reference: d.stripe.Refunds()[0].ID}}
			if diff := cmp.Diff(want, []ledger.Entry{entry}); err != nil || pending || diff != "" {
				t.Errorf("refunded: %v, %v\n%s", pending, err, diff)
			}
		})
	}
}

func TestCheckout_TellsStripeWhatItIsAbout(t *testing.T) {
	d := newFixture(t)
	o := d.order()
	_, err := d.Checkout(background, o)
	d.must(err)
	got := d.stripe.Sessions()[0]
	want := map[string]string{workspaceKey: "7", bookingKey: booking.ID.String()}
	if diff := cmp.Diff(want, got.Metadata); diff != "" || got.Reference != booking.ID.String() {
		t.Errorf("%s, %s", got.Reference, diff)
	}
	if got.Name != o.Title || got.Email != o.Email || got.SuccessURL != o.SuccessURL || got.CancelURL != o.CancelURL ||
		got.ExpiresAt.Unix() != o.ExpiresAt.Unix() {
		t.Errorf("got %+v", got)
	}
}

func TestCheckout_AgainIsTheSame(t *testing.T) {
	d := newFixture(t)
	o := d.order()
	first, err := d.Checkout(background, o)
	d.must(err)
	second, err := d.Checkout(background, o)
	d.must(err)
	if diff := cmp.Diff(first, second); diff != "" || len(d.stripe.Sessions()) != 1 {
		t.Errorf("%d checkouts, %s", len(d.stripe.Sessions()), diff)
	}
	o.Amount++
	if _, err := d.Checkout(background, o); !IsFinal(err) {
		t.Errorf("the same booking at another price: %v", err)
	}
	o.ID[0]++
	if _, err := d.Checkout(background, o); err != nil || len(d.stripe.Sessions()) != 2 {
		t.Errorf("another booking: %v, %d checkouts", err, len(d.stripe.Sessions()))
	}
}

func TestRefund_AgainIsTheSameUntilItFails(t *testing.T) {
	d := newFixture(t)
	payment := d.paidSession().Payment
	d.stripe.RefundsBecome("pending")
	refund := func(failures int) ledger.Entry {
		t.Helper()
		entry, pending, err := d.Refund(background, booking, payment, 5000, failures)
		if err != nil || !pending {
			t.Fatalf("under way: %v, %v", pending, err)
		}
		return entry
	}
	first := refund(0)
	if again := refund(0); again != first || len(d.stripe.Refunds()) != 1 {
		t.Errorf("%v, then %v", first, again)
	}
	d.stripe.Update(first.Reference, "failed")
	next := refund(1)
	if next.Reference == first.Reference || refund(1) != next || len(d.stripe.Refunds()) != 2 {
		t.Errorf("%v, then %v of %d", first, next, len(d.stripe.Refunds()))
	}
	if _, _, err := d.Refund(background, booking, payment, 1, 2); !IsFinal(err) ||
		!strings.Contains(err.Error(), "already been refunded") {
		t.Errorf("more than there is: %v", err)
	}
}

func TestExpire_ClosesWhatIsNotPaid(t *testing.T) {
	d := newFixture(t)
	open, err := d.Checkout(background, d.order())
	d.must(err)
	closed, err := d.Expire(background, open.ID)
	if err != nil || closed.Status != Expired || len(closed.Entries) != 0 {
		t.Errorf("%+v, %v", closed, err)
	}
	if _, err := d.Expire(background, open.ID); !IsFinal(err) || IsMissing(err) {
		t.Errorf("again: %v", err)
	}
	o := d.order()
	o.ID[0]++
	paid, err := d.Checkout(background, o)
	d.must(err)
	d.must(d.stripe.Pay(paid.ID))
	if _, err := d.Expire(background, paid.ID); !IsFinal(err) {
		t.Errorf("of a paid one: %v", err)
	}
}

func TestSession_SaysWhatIsOnlyPromised(t *testing.T) {
	d := newFixture(t)
	s, err := d.Checkout(background, d.order())
	d.must(err)
	d.must(d.stripe.Promise(s.ID))
	s, err = d.Session(background, s.ID)
	if err != nil || s.Status != Complete || s.Entries[0].Kind != ledger.Authorized || s.Entries[0].Amount != 5000 {
		t.Errorf("promised: %+v, %v", s, err)
	}
	d.stripe.Keep(s.ID)
	if s, err = d.Session(background, s.ID); err != nil || s.Entries[0].Kind != ledger.Paid {
		t.Errorf("kept: %+v, %v", s, err)
	}
}

func TestRefunds_AreAllThatWereRefunded(t *testing.T) {
	d := newFixture(t)
	payment := d.paidSession().Payment
	want := func(about string, wantPending bool, kinds ...ledger.Kind) {
		t.Helper()
		entries, pending, err := d.Refunds(background, payment)
		var got []ledger.Kind
		for _, e := range entries {
			got = append(got, e.Kind)
		}
		if diff := cmp.Diff(kinds, got); err != nil || pending != wantPending || diff != "" {
			t.Errorf("%s: under way %v, %v\n%s", about, pending, err, diff)
		}
	}
	want("nothing", false)
	d.stripe.RefundByHand(payment, 1000)
	want("by hand", false, ledger.Refunded)
	d.stripe.RefundsBecome("pending")
	entry, _, err := d.Refund(background, booking, payment, 4000, 0)
	d.must(err)
	want("and by us", true, ledger.Refunded, ledger.Refunded)
	d.stripe.Update(entry.Reference, "canceled")
	want("which did not arrive", false, ledger.Refunded, ledger.Failed)
	d.stripe.Dispute(payment, "needs_response")
	want("and a dispute", false, ledger.Refunded, ledger.Failed, ledger.Disputed)
	d.stripe.Dispute(payment, "won")
	want("that was won", false, ledger.Refunded, ledger.Failed, ledger.Disputed, ledger.DisputeWon)
	if entries, _, err := d.Refunds(background, "pi_of_another"); err != nil || len(entries) != 0 {
		t.Errorf("of another payment: %v, %v", entries, err)
	}
}

func TestKeys_AreKnownByTheirLooksAndNeverPrinted(t *testing.T) {
	for key, is := range map[string][3]bool{ // a secret key, a webhook secret, any
		"sk_live_1": {true, false, true}, "rk_test_1": {true, false, true}, "whsec_1": {false, true, true},
		"pk_live_1": {false, false, true}, "": {},
		"sk_live_1\n": {}, "sk live": {}, "sk_é": {}, "whsec_\x00": {}, "sk_" + strings.Repeat("x", maxKey): {},
		"whsec_" + strings.Repeat("x", maxKey): {},
	} {
		if got := [3]bool{IsSecretKey(key), IsWebhookSecret(key), IsKey(key)}; got != is {
			t.Errorf("%.20q: %v, want %v", key, got, is)
		}
	}
	keys := Keys{"sk_live_1", "whsec_1"}
	if printed := fmt.Sprintf("%v %+v %#v %s %q", keys, keys, keys, &keys, []Keys{keys}); strings.Contains(printed,
		"_1") {
		t.Error(printed)
	}
}
