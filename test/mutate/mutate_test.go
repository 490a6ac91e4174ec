package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const small = "testdata/small"

func loadSmall(t *testing.T) *pkg {
	t.Helper()
	p, err := load(small)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The list has nothing of the method String, nor of the log line.
func TestMutations_FindsEachKind(t *testing.T) {
	var got []string
	for _, m := range loadSmall(t).mutations() {
		c := m.change()
		got = append(got, string(m.kind)+" "+c.function+": "+c.after)
	}
	want := []string{
		"const limit: const limit = 11",
		"const limit: const limit = 9",
		"delete Account.Withdraw: (nothing)",
		"delete Account.Withdraw: (nothing)",
		"negate Account.Withdraw: if !(amount < limit || !force && amount != a.Balance) {",
		"logic Account.Withdraw: if amount < limit && !force && amount != a.Balance {",
		"compare Account.Withdraw: if amount <= limit || !force && amount != a.Balance {",
		"logic Account.Withdraw: if amount < limit || !force || amount != a.Balance {",
		"drop Account.Withdraw: if amount < limit || force && amount != a.Balance {",
		"compare Account.Withdraw: if amount < limit || !force && amount == a.Balance {",
		"delete Account.Withdraw: (nothing)",
		"noerror Account.Withdraw: return nil",
		"arith Account.Withdraw: a.Balance += amount",
		"delete Refused: func Refused(a *Account) bool { }",
		"compare Refused: func Refused(a *Account) bool { return a.Withdraw(1, false) == nil }",
		"const Refused: func Refused(a *Account) bool { return a.Withdraw(2, false) != nil }",
		"const Refused: func Refused(a *Account) bool { return a.Withdraw(0, false) != nil }",
		"bool Refused: func Refused(a *Account) bool { return a.Withdraw(1, true) != nil }",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestMutations_TellEqualLinesOfOneFunctionApart(t *testing.T) {
	seen := map[change]bool{}
	p, err := load("../../internal/identity") // it has many
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range p.mutations() {
		if seen[m.change()] {
			t.Errorf("twice: %s", m)
		}
		seen[m.change()] = true
	}
}

func TestCompiles_RejectsAMissingReturnAndAnUnusedImport(t *testing.T) {
	p := loadSmall(t)
	rejected := []string{`return errors.New("no")`, "return nil",
		"func Refused(a *Account) bool { return a.Withdraw(1, false) != nil }"}
	for _, m := range p.mutations() {
		want := !slices.Contains(rejected, m.change().before) || m.kind != deletion && m.kind != noError
		if got := p.compiles(m); got != want {
			t.Errorf("compiles: %v: %s", got, m)
		}
	}
}

func TestSample_SameSeedSameMutations(t *testing.T) {
	p := loadSmall(t)
	found := p.mutations()
	list := func(seed uint64) (all []string) {
		for _, m := range sample(found, 6, seed, p.compiles) {
			all = append(all, m.String())
		}
		return all
	}
	if one, other := list(1), list(1); len(one) != 6 || !slices.Equal(one, other) {
		t.Errorf("%v\n%v", one, other)
	}
	if slices.Equal(list(1), list(2)) {
		t.Error("another seed picks the same")
	}
}

func TestSample_TakesEachKindBeforeAnyTwice(t *testing.T) {
	p := loadSmall(t)
	seen := map[kind]bool{}
	for _, m := range sample(p.mutations(), 8, 1, p.compiles) { // all kinds but noError, which does not compile here
		if seen[m.kind] {
			t.Errorf("%s twice", m.kind)
		}
		seen[m.kind] = true
	}
}

func TestTry_SurvivesUnlessATestNotices(t *testing.T) {
	p := loadSmall(t)
	before, err := os.ReadFile(filepath.Join(small, "small.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range p.mutations() {
		var want outcome
		switch m.change().after {
		case "const limit = 11":
			want = survived
		case "a.Balance += amount":
			want = killed
		default:
			continue
		}
		result, by, err := try(context.Background(), p, m, "1m")
		if err != nil || result != want || (want == killed) != strings.Contains(by, "TestWithdraw_TakesTheAmount") {
			t.Errorf("%s %s %v, want %s: %s", result, by, err, want, m)
		}
	}
	if after, err := os.ReadFile(filepath.Join(small, "small.go")); err != nil || string(after) != string(before) {
		t.Errorf("the source has changed: %v", err)
	}
}
