package ledger

import (
	"testing"

	"slotd"

	"pgregory.net/rapid"
)

// A statement may also contain the payment's id, or that nobody can pay anymore.
func TestAccount_OrderAndRepetitionChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries, closed := randomEntries(t), rapid.Bool().Draw(t, "closed")
		one, other := &Account{State: slotd.Canceled}, &Account{State: slotd.Canceled}
		one.Post(Statement{Entries: entries, Payment: "pi", Closed: closed})
		for _, e := range shuffled(t, entries) {
			other.Post(Statement{Entries: []Entry{e}, Payment: "pi"})
		}
		other.Post(Statement{Payment: "pi", Closed: closed})
		if one.Payment != other.Payment || one.Closed != other.Closed || one.Effect(true) != other.Effect(true) ||
			one.NextStep(true, true) != other.NextStep(true, true) {
			t.Fatalf("%+v\n%+v", one, other)
		}
	})
}

func TestAccount_PostReturnsWhatIsNew(t *testing.T) {
	a := &Account{State: slotd.Held}
	paid := entry(Paid, 5000, "pi")
	if added := a.Post(Statement{Entries: []Entry{paid, paid}}); len(added) != 1 || added[0] != paid ||
		a.Payment != "pi" || !a.Closed {
		t.Fatalf("added %v: %+v", added, a)
	}
	if added := a.Post(Statement{Entries: []Entry{paid}, Payment: "another"}); len(added) != 0 || a.Payment != "pi" {
		t.Errorf("added %v: %+v", added, a)
	}
}

// standings are the possible ledgers, for the tables below.
var standings = map[string][]Entry{
	"unpaid":     nil,
	"promised":   {entry(Authorized, 5000, "pi")},
	"paid":       {entry(Paid, 5000, "pi")},
	"due":        {entry(Paid, 5000, "pi"), entry(RefundRequested, 5000, "all")},
	"a cent due": {entry(Paid, 5000, "pi"), entry(RefundRequested, 5000, "all"), entry(Refunded, 4999, "re_0")},
	"went back":  {entry(Paid, 5000, "pi"), entry(RefundRequested, 5000, "all"), entry(Refunded, 5000, "re_0")},
	"came back": {entry(Paid, 5000, "pi"), entry(RefundRequested, 5000, "all"), entry(Refunded, 5000, "re_0"),
		entry(Failed, 5000, "re_0")},
}

func TestEffect(t *testing.T) {
	for _, c := range []struct {
		state     slotd.State
		money     string
		closed    bool
		before    Effect // while the hold lasts
		afterHold Effect
	}{
		{slotd.Held, "unpaid", false, NoEffect, NoEffect},
		{slotd.Held, "unpaid", true, ReleaseHold, ReleaseHold},
		{slotd.Held, "promised", false, NoEffect, NoEffect},
		{slotd.Held, "promised", true, ReleaseHold, ReleaseHold}, // the promised payment failed
		{slotd.Held, "paid", true, Confirm, Recheck},
		{slotd.Expired, "unpaid", false, NoEffect, NoEffect},
		{slotd.Expired, "unpaid", true, ReleaseHold, ReleaseHold},
		{slotd.Expired, "promised", false, NoEffect, NoEffect},
		{slotd.Expired, "paid", true, Recheck, Recheck}, // the guest left the checkout, and paid after all
		{slotd.Confirmed, "paid", true, NoEffect, NoEffect},
		{slotd.Canceled, "paid", true, NoEffect, NoEffect}, // without a right to a refund
		{slotd.Canceled, "due", true, StartRefund, StartRefund},
		{slotd.Canceled, "a cent due", true, StartRefund, StartRefund},
		{slotd.Canceled, "went back", true, NoEffect, NoEffect},
		{slotd.Canceled, "came back", true, StartRefund, StartRefund},
	} {
		a := &Account{State: c.state, Ledger: standings[c.money], Closed: c.closed}
		if before, after := a.Effect(false), a.Effect(true); before != c.before || after != c.afterHold {
			t.Errorf("%s, %s, closed %v: %d and then %d, want %d and %d", c.state, c.money, c.closed, before, after,
				c.before, c.afterHold)
		}
	}
}

func TestNextStep(t *testing.T) {
	for _, c := range []struct {
		state    slotd.State
		money    string
		closed   bool
		unopened Step // while the hold lasts; nobody can have paid
		opened   Step
		after    Step // the hold has ended; opened
	}{
		{slotd.Held, "unpaid", false, Await, Ask, EndHold},
		{slotd.Held, "unpaid", true, Done, Done, EndHold},
		{slotd.Held, "promised", false, Await, Ask, EndHold},
		{slotd.Expired, "unpaid", false, Abandon, Close, Close},
		{slotd.Expired, "unpaid", true, Done, Done, Done},
		{slotd.Expired, "promised", false, Abandon, Close, Close},
		{slotd.Confirmed, "paid", true, Done, Done, Done},
		{slotd.Canceled, "paid", true, Done, Done, Done},
		{slotd.Canceled, "due", true, Refund, Refund, Refund},
		{slotd.Canceled, "a cent due", true, Refund, Refund, Refund},
		{slotd.Canceled, "went back", true, WatchRefund, WatchRefund, WatchRefund},
		{slotd.Canceled, "came back", true, Refund, Refund, Refund},
	} {
		a := &Account{State: c.state, Ledger: standings[c.money], Closed: c.closed}
		unopened, opened, after := a.NextStep(false, false), a.NextStep(false, true), a.NextStep(true, true)
		if unopened != c.unopened || opened != c.opened || after != c.after {
			t.Errorf("%s, %s, closed %v: %d, %d and %d, want %d, %d and %d", c.state, c.money, c.closed, unopened,
				opened, after, c.unopened, c.opened, c.after)
		}
	}
}

// Who let a hold expire is forgotten once nobody can pay anymore. The guests of all other bookings are kept.
func TestNextStep_ForgetsOnlyWhoDidNotPay(t *testing.T) {
	for _, c := range []struct {
		state  slotd.State
		money  string
		closed bool
		want   Step
	}{
		{slotd.Held, "unpaid", true, Done},
		{slotd.Expired, "unpaid", false, Close},
		{slotd.Expired, "unpaid", true, Forget},
		{slotd.Confirmed, "paid", true, Done},
		{slotd.Canceled, "paid", true, Done},
	} {
		a := &Account{State: c.state, Ledger: standings[c.money], Closed: c.closed, GuestKnown: true}
		if got := a.NextStep(false, true); got != c.want {
			t.Errorf("%s, %s, closed %v: %d, want %d", c.state, c.money, c.closed, got, c.want)
		}
	}
}

// Whatever may happen to a booking that waits for its payment: if the payment arrives after all, it has an effect.
// Otherwise the host would keep money for nothing.
func TestEffect_NoStateSwallowsAPayment(t *testing.T) {
	unpaid := map[slotd.State]bool{slotd.Held: true}
	for range slotd.States {
		for _, s := range slotd.Transitions {
			byMoney := s.By == slotd.ByPayment || s.By == slotd.ByLatePayment
			if unpaid[s.From] && !byMoney && (s.Of == "" || s.Of == slotd.ForPayment) {
				unpaid[s.To] = true
			}
		}
	}
	if !unpaid[slotd.Expired] || unpaid[slotd.Confirmed] {
		t.Errorf("unpaid bookings can be %v", unpaid)
	}
	for state := range unpaid {
		a := &Account{State: state, Ledger: Ledger{{Kind: Paid, Amount: 1, Reference: "pi_1"}}, Closed: true}
		if a.Effect(true) == NoEffect {
			t.Errorf("a payment for a booking that is %s is kept, and the guest gets nothing", state)
		}
	}
}
