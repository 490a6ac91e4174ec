package ledger

import (
	"testing"

	"pgregory.net/rapid"
)

// What is told of a payment may also say by what it comes, or that nobody can pay any more.
func TestAccount_OrderAndRepetitionChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries, closed := told(t), rapid.Bool().Draw(t, "closed")
		one, other := &Account{Stage: Canceled}, &Account{Stage: Canceled}
		one.Hear(Heard{News: entries, Payment: "pi", Closed: closed})
		for _, e := range again(t, entries) {
			other.Hear(Heard{News: []Entry{e}, Payment: "pi"})
		}
		other.Hear(Heard{Payment: "pi", Closed: closed})
		if one.Payment != other.Payment || one.Closed != other.Closed || one.Follows(true) != other.Follows(true) || one.Left(true, true) != other.Left(true, true) {
			t.Fatalf("%+v\n%+v", one, other)
		}
	})
}

func TestAccount_HearReturnsWhatIsNew(t *testing.T) {
	a := &Account{Stage: Held}
	paid := entry(Paid, 5000, "pi")
	if added := a.Hear(Heard{News: []Entry{paid, paid}}); len(added) != 1 || added[0] != paid || a.Payment != "pi" || !a.Closed {
		t.Fatalf("added %v: %+v", added, a)
	}
	if added := a.Hear(Heard{News: []Entry{paid}, Payment: "another"}); len(added) != 0 || a.Payment != "pi" {
		t.Errorf("added %v: %+v", added, a)
	}
}

// What can have become of the money, for the tables below.
var standings = map[string][]Entry{
	"unpaid":    nil,
	"promised":  {entry(Authorised, 5000, "pi")},
	"paid":      {entry(Paid, 5000, "pi")},
	"due":       {entry(Paid, 5000, "pi"), entry(RefundRequested, 5000, "all")},
	"went back": {entry(Paid, 5000, "pi"), entry(RefundRequested, 5000, "all"), entry(Refunded, 5000, "re_0")},
	"came back": {entry(Paid, 5000, "pi"), entry(RefundRequested, 5000, "all"), entry(Refunded, 5000, "re_0"), entry(Failed, 5000, "re_0")},
}

func TestFollows(t *testing.T) {
	for _, c := range []struct {
		stage     Stage
		money     string
		closed    bool
		before    Consequence // while the hold lasts
		afterHold Consequence
	}{
		{Held, "unpaid", false, Nothing, Nothing},
		{Held, "unpaid", true, LetGo, LetGo},
		{Held, "promised", false, Nothing, Nothing},
		{Held, "promised", true, LetGo, LetGo}, // the promise was broken
		{Held, "paid", true, Confirm, Recheck},
		{Expired, "unpaid", false, Nothing, Nothing},
		{Expired, "unpaid", true, LetGo, LetGo},
		{Expired, "promised", false, Nothing, Nothing},
		{Expired, "paid", true, Recheck, Recheck}, // the guest went back, and paid after all
		{Confirmed, "paid", true, Nothing, Nothing},
		{Canceled, "paid", true, Nothing, Nothing}, // without a right to a refund
		{Canceled, "due", true, GiveBack, GiveBack},
		{Canceled, "went back", true, Nothing, Nothing},
		{Canceled, "came back", true, GiveBack, GiveBack},
	} {
		a := &Account{Stage: c.stage, Ledger: standings[c.money], Closed: c.closed}
		if before, after := a.Follows(false), a.Follows(true); before != c.before || after != c.afterHold {
			t.Errorf("%s, %s, closed %v: %d and then %d, want %d and %d", c.stage, c.money, c.closed, before, after, c.before, c.afterHold)
		}
	}
}

func TestLeft(t *testing.T) {
	for _, c := range []struct {
		stage    Stage
		money    string
		closed   bool
		unopened Open // while the hold lasts; nobody can have paid
		opened   Open
		after    Open // the hold has ended; opened
	}{
		{Held, "unpaid", false, Await, Ask, EndHold},
		{Held, "unpaid", true, Settled, Settled, EndHold},
		{Held, "promised", false, Await, Ask, EndHold},
		{Expired, "unpaid", false, Abandon, Close, Close},
		{Expired, "unpaid", true, Settled, Settled, Settled},
		{Expired, "promised", false, Abandon, Close, Close},
		{Confirmed, "paid", true, Settled, Settled, Settled},
		{Canceled, "paid", true, Settled, Settled, Settled},
		{Canceled, "due", true, Refund, Refund, Refund},
		{Canceled, "went back", true, LookAt, LookAt, LookAt},
		{Canceled, "came back", true, Refund, Refund, Refund},
	} {
		a := &Account{Stage: c.stage, Ledger: standings[c.money], Closed: c.closed}
		unopened, opened, after := a.Left(false, false), a.Left(false, true), a.Left(true, true)
		if unopened != c.unopened || opened != c.opened || after != c.after {
			t.Errorf("%s, %s, closed %v: %d, %d and %d, want %d, %d and %d", c.stage, c.money, c.closed, unopened, opened, after, c.unopened, c.opened, c.after)
		}
	}
}
