package ledger

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func entry(kind Kind, amount int64, reference string) Entry {
	return Entry{Kind: kind, Amount: amount, Currency: "usd", Reference: reference}
}

// randomEntries returns entries that the payment service may report about one payment: refunds by us and by hand,
// some of which fail, and disputes.
func randomEntries(t *rapid.T) []Entry {
	all := []Entry{entry(Paid, 5000, "pi"), entry(RefundRequested, 5000, "all"), entry(Authorized, 5000, "pi")}
	for i := range rapid.IntRange(0, 3).Draw(t, "refunds") {
		name, amount := fmt.Sprintf("re_%d", i), rapid.Int64Range(1, 5000).Draw(t, "amount")
		all = append(all, entry(Refunded, amount, name), entry(Failed, amount, name))
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "disputes") {
		name := fmt.Sprintf("dp_%d", i)
		all = append(all, entry(Disputed, 5000, name), entry(DisputeWon, 5000, name))
	}
	return slices.DeleteFunc(all, func(Entry) bool { return rapid.Bool().Draw(t, "untold") })
}

// shuffled returns the same entries in another order, some of them repeated.
func shuffled(t *rapid.T, entries []Entry) []Entry {
	all := slices.Clone(entries)
	for _, e := range entries {
		all = append(all, slices.Repeat([]Entry{e}, rapid.IntRange(0, 2).Draw(t, "times"))...)
	}
	return rapid.Permutation(all).Draw(t, "order")
}

func postAll(entries []Entry) (l Ledger) {
	for _, e := range entries {
		l, _ = l.Post(e)
	}
	return l
}

// summary formats all figures that other packages use.
func summary(l Ledger) string {
	return fmt.Sprintf("sum %d, due %d, refunded %d, paid %d by %q, requested %v, disputed %v, %d refunds came back",
		l.Balance(), l.Due(), l.Refunded(), l.Paid(), l.Payment(), l.RefundRequested(), l.IsDisputed(),
		l.FailedRefunds())
}

func TestPost_OrderAndRepetitionChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := randomEntries(t)
		once, other := postAll(entries), postAll(shuffled(t, entries))
		if summary(once) != summary(other) {
			t.Fatalf("%v:\n%s\n%v:\n%s", once, summary(once), other, summary(other))
		}
	})
}

func TestPost_AddsEachEntryOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := postAll(shuffled(t, randomEntries(t)))
		for i, e := range l {
			if slices.Index(l, e) != i {
				t.Fatalf("%v stands twice in %v", e, l)
			}
			if after, isNew := l.Post(e); isNew || len(after) != len(l) {
				t.Fatalf("%v is new to %v", e, l)
			}
		}
	})
}

func TestPost_WhatIsPastIsNothingNew(t *testing.T) {
	for name, c := range map[string]struct{ known, late Entry }{
		"it went back, and is known to have come back": {entry(Failed, 5000, "re_0"), entry(Refunded, 5000, "re_0")},
		"it was promised, and is known to have come":   {entry(Paid, 5000, "pi"), entry(Authorized, 5000, "pi")},
	} {
		if after, isNew := (Ledger{c.known}).Post(c.late); isNew || len(after) != 1 {
			t.Errorf("%s: %v", name, after)
		}
	}
	if _, isNew := (Ledger{entry(Failed, 5000, "re_0")}).Post(entry(Refunded, 5000, "re_1")); !isNew {
		t.Error("another refund is not heard of")
	}
	if _, isNew := (Ledger{}).Post(entry(Authorized, 5000, "pi")); !isNew {
		t.Error("a promise is not heard of although nothing is known yet")
	}
}

func TestRefundAfter_PausesFromTheSecondFailureOn(t *testing.T) {
	const pause = 6 * time.Hour
	at := time.Date(2027, 2, 1, 8, 0, 0, 0, time.UTC)
	l := Ledger{entry(Paid, 5000, "pi"), entry(RefundRequested, 5000, "all")}
	for i, want := range []time.Time{{}, {}, at.Add(2 * time.Hour).Add(pause), at.Add(3 * time.Hour).Add(pause)} {
		if i > 0 {
			failed := entry(Failed, 5000, fmt.Sprintf("re_%d", i))
			failed.At = at.Add(time.Duration(i) * time.Hour)
			l = append(l, failed)
		}
		if got := l.RefundAfter(pause); !got.Equal(want) {
			t.Errorf("after %d failures: %v, want %v", i, got, want)
		}
	}
}

func TestRefundedAt_IsTheLastRequestOrRefund(t *testing.T) {
	at := time.Date(2027, 2, 1, 8, 0, 0, 0, time.UTC)
	var l Ledger
	for i, c := range []struct {
		kind Kind
		want time.Time
	}{
		{Paid, time.Time{}},
		{RefundRequested, at.Add(1 * time.Hour)},
		{Failed, at.Add(1 * time.Hour)},
		{Refunded, at.Add(3 * time.Hour)},
		{Disputed, at.Add(3 * time.Hour)},
	} {
		e := entry(c.kind, 5000, fmt.Sprint("ref_", i))
		e.At = at.Add(time.Duration(i) * time.Hour)
		l = append(l, e)
		if got := l.RefundedAt(); !got.Equal(c.want) {
			t.Errorf("after %s: %v, want %v", c.kind, got, c.want)
		}
	}
}

// Two callers that post to the same ledger must not overwrite each other's entries.
func TestPost_LeavesTheLedgerBeforeAsItWas(t *testing.T) {
	l := make(Ledger, 0, 8)
	l = append(l, entry(Paid, 5000, "pi"))
	one, _ := l.Post(entry(Refunded, 1000, "re_0"))
	l.Post(entry(Refunded, 2000, "re_1"))
	if one[1].Reference != "re_0" {
		t.Errorf("the other's entry: %v", one[1])
	}
}

func TestSums(t *testing.T) {
	paid, request := entry(Paid, 5000, "pi"), entry(RefundRequested, 5000, "all")
	refunded, failed := entry(Refunded, 5000, "re_0"), entry(Failed, 5000, "re_0")
	disputed, won := entry(Disputed, 5000, "dp"), entry(DisputeWon, 5000, "dp")
	for _, c := range []struct {
		name    string
		entries []Entry
		want    string
	}{
		{"nothing", nil, `sum 0, due 0, refunded 0, paid 0 by "", requested false, disputed false, 0 refunds came back`},
		{"promised", []Entry{entry(Authorized, 5000, "pi")},
			`sum 0, due 0, refunded 0, paid 0 by "", requested false, disputed false, 0 refunds came back`},
		{"paid", []Entry{paid}, `sum 5000, due 0, refunded 0, paid 5000 by "pi", requested false, disputed false, 0 refunds came back`},
		{"is to go back", []Entry{paid, request},
			`sum 5000, due 5000, refunded 0, paid 5000 by "pi", requested true, disputed false, 0 refunds came back`},
		{"went back", []Entry{paid, request, refunded},
			`sum 0, due 0, refunded 5000, paid 5000 by "pi", requested true, disputed false, 0 refunds came back`},
		{"came back", []Entry{paid, request, refunded, failed},
			`sum 5000, due 5000, refunded 0, paid 5000 by "pi", requested true, disputed false, 1 refunds came back`},
		{"came back before it went", []Entry{paid, request, failed, refunded},
			`sum 5000, due 5000, refunded 0, paid 5000 by "pi", requested true, disputed false, 1 refunds came back`},
		{"a part by hand", []Entry{paid, entry(Refunded, 2000, "re_9"), request},
			`sum 3000, due 3000, refunded 2000, paid 5000 by "pi", requested true, disputed false, 0 refunds came back`},
		{"disputed", []Entry{paid, disputed},
			`sum 0, due 0, refunded 0, paid 5000 by "pi", requested false, disputed true, 0 refunds came back`},
		{"disputed and refunded", []Entry{paid, request, refunded, disputed},
			`sum -5000, due 0, refunded 5000, paid 5000 by "pi", requested true, disputed true, 0 refunds came back`},
		{"won", []Entry{paid, disputed, won},
			`sum 5000, due 0, refunded 0, paid 5000 by "pi", requested false, disputed false, 0 refunds came back`},
		{"the payment failed", []Entry{entry(Authorized, 5000, "pi"), entry(Failed, 5000, "pi"), paid},
			`sum 5000, due 0, refunded 0, paid 5000 by "pi", requested false, disputed false, 0 refunds came back`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := summary(postAll(c.entries)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
