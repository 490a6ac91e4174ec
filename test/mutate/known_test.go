package main

import "testing"

const entry = `# A comment.

testdata/small limit
- const limit = 10
+ const limit = 11
Nobody withdraws that little,
as far as the tests know.
`

func TestKnown_MatchesWhereverTheLineIs(t *testing.T) {
	all, err := parseKnown(entry)
	if err != nil || len(all) != 1 || all[0].why != "Nobody withdraws that little, as far as the tests know." {
		t.Fatalf("%+v, %v", all, err)
	}
	n := 0
	found := loadSmall(t).mutations()
	for _, m := range found {
		m.line += 100
		if isKnown(all, m) {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d mutations match", n)
	}
	if stale := unmatched(all, small, found); len(stale) != 0 {
		t.Errorf("stale: %v", stale)
	}
}

func TestKnown_ReportsAnEntryThatNothingMatches(t *testing.T) {
	all, err := parseKnown(entry)
	if err != nil {
		t.Fatal(err)
	}
	all[0].before = "const limit = 5"
	if stale := unmatched(all, small, loadSmall(t).mutations()); len(stale) != 1 {
		t.Errorf("stale: %v", stale)
	}
	if stale := unmatched(all, "another", nil); len(stale) != 0 {
		t.Errorf("stale in a package that was not asked for: %v", stale)
	}
}

func TestKnown_NeedsAReason(t *testing.T) {
	if _, err := parseKnown("internal/jobs pause\n- a\n+ b\n"); err == nil {
		t.Error("an entry without a reason is accepted")
	}
}

// An entry in the list whose code is gone would be found only by the next long run.
func TestKnown_EveryEntryMatchesTheTree(t *testing.T) {
	t.Chdir("../..")
	all, err := parseKnown(equivalents)
	if err != nil {
		t.Fatal(err)
	}
	checked := map[string]bool{}
	for _, k := range all {
		if checked[k.pkg] {
			continue
		}
		checked[k.pkg] = true
		p, err := load(k.pkg)
		if err != nil {
			t.Fatal(err)
		}
		for _, stale := range unmatched(all, k.pkg, p.mutations()) {
			t.Errorf("no mutation matches %s", stale.change)
		}
	}
}
