package slotd_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"slotd"
)

var update = flag.Bool("update", false, "write the tables of the documentation anew")

func TestStates_EachIsListedOnceAndReached(t *testing.T) {
	seen := map[slotd.State]bool{}
	for _, info := range slotd.States {
		if seen[info.State] || info.State == "" || info.Meaning == "" {
			t.Errorf("%q is listed twice, or without its name or meaning", info.State)
		}
		seen[info.State] = true
	}
	reached := map[slotd.State]bool{"": true}
	for range slotd.States {
		for _, s := range slotd.Transitions {
			if reached[s.From] {
				reached[s.To] = true
			}
		}
	}
	for state := range seen {
		if !reached[state] {
			t.Errorf("no step leads to %s", state)
		}
	}
}

func TestStates_OneThatIsNotListedIsNobodysAndTakesNoTime(t *testing.T) {
	if s := slotd.State("parked"); s.TakesTime() || s.IsOnHold() || s.IsVisible() || s.Allows(slotd.ByCancel) {
		t.Error("an unknown state has a meaning")
	}
}

func TestTransitions_AreBetweenListedStatesAndEachIsOne(t *testing.T) {
	isListed := func(s slotd.State) bool {
		return slices.ContainsFunc(slotd.States, func(info slotd.StateInfo) bool { return info.State == s })
	}
	type step struct {
		from slotd.State
		by   slotd.Cause
	}
	reasons := map[step][]slotd.HoldReason{}
	for _, s := range slotd.Transitions {
		if s.From != "" && !isListed(s.From) || !isListed(s.To) || s.From == s.To || s.By == "" || s.When == "" {
			t.Errorf("%+v", s)
		}
		k := step{s.From, s.By}
		// A booking must never have a choice: a step is for any reason, or for one that no other names.
		if others := reasons[k]; len(others) > 0 && (s.Of == "" || slices.Contains(others, s.Of) || others[0] == "") {
			t.Errorf("%s from %q leads to several states", s.By, s.From)
		}
		reasons[k] = append(reasons[k], s.Of)
	}
}

// Whoever adds a reason to hold a booking fills in one row; everything else follows from it.
func TestHoldReasons_EachCanBeConfirmedAndSaysWhatItIs(t *testing.T) {
	seen := map[slotd.HoldReason]bool{"": true}
	for _, h := range slotd.HoldReasons {
		if seen[h.Reason] || h.ConfirmedBy == "" || h.Confirmed == "" || h.EndedBy == "" || h.Began == "" ||
			h.Missed == "" || h.Conflict == "" || h.Reason.Info() != h {
			t.Errorf("%+v", h)
		}
		seen[h.Reason] = true
		b := &slotd.Booking{State: slotd.Held, Hold: slotd.Hold{Reason: h.Reason}}
		if to, err := b.Next(h.ConfirmedBy); to != slotd.Confirmed || err != nil {
			t.Errorf("%s: %s leads to %s, %v", h.Reason, h.ConfirmedBy, to, err)
		}
		other := &slotd.Booking{State: slotd.Held, Hold: slotd.Hold{Reason: "something else"}}
		if to, err := other.Next(h.ConfirmedBy); err == nil {
			t.Errorf("%s leads to %s, whatever the booking is held for", h.ConfirmedBy, to)
		}
	}
}

// A state is changed in one place, which holds to the table.
func TestTransitions_NothingElseWritesAState(t *testing.T) {
	writes := regexp.MustCompile(`\.SetBookingState\(|\bState = slotd\.\w`)
	var places []string
	for _, p := range packages(t) {
		if strings.HasSuffix(p.ImportPath, "/sqlcgen") {
			continue
		}
		for _, name := range p.GoFiles {
			text, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			for range writes.FindAll(text, -1) {
				places = append(places, strings.TrimPrefix(p.ImportPath, "slotd/")+"/"+name)
			}
		}
	}
	if want := []string{"internal/booking/transition.go"}; !slices.Equal(places, want) {
		t.Errorf("states are written in %v, want %v", places, want)
	}
	queries, err := os.ReadFile("internal/store/queries.sql")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(regexp.MustCompile(`UPDATE bookings SET[^;]*\bstate = [^;]*WHERE`).FindAll(queries, -1)); n != 1 {
		t.Errorf("%d queries write a booking's state", n)
	}
}

// The tables in the documentation are made from the lists.
func TestHowItWorks_HasTheStates(t *testing.T) {
	const path = "docs/how-it-works.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	docs := string(text)
	for name, table := range map[string]string{"states": statesTable(), "transitions": transitionsTable()} {
		place := regexp.MustCompile(`(?s)(<!-- the ` + name + ` of a booking -->\n).*?\n\n`)
		if !place.MatchString(docs) {
			t.Fatalf("there is no place for the table of %s", name)
		}
		docs = place.ReplaceAllStringFunc(docs, func(all string) string {
			head, _, _ := strings.Cut(all, "\n")
			return head + "\n" + table + "\n"
		})
	}
	if docs == string(text) {
		return
	}
	if !*update {
		t.Fatalf("%s does not have the states as the lists have them: run this test with -update", path)
	}
	if err := os.WriteFile(path, []byte(docs), 0o644); err != nil {
		t.Fatal(err)
	}
}

func statesTable() string {
	time := map[slotd.HostTime]string{slotd.Free: "no", slotd.OnHold: "until its hold ends", slotd.Taken: "yes"}
	visible := map[bool]string{true: "yes", false: "no"}
	table := "| state | what it means | takes the host's time | people and tools see it |\n|---|---|---|---|\n"
	for _, s := range slotd.States {
		table += fmt.Sprintf("| `%s` | %s | %s | %s |\n", s.State, s.Meaning, time[s.HostTime], visible[s.Visible])
	}
	return table
}

func transitionsTable() string {
	table := "| from | to | recorded as | only if held for | when |\n|---|---|---|---|---|\n"
	for _, s := range slotd.Transitions {
		from := "`" + string(s.From) + "`"
		if s.From == "" {
			from = "new"
		}
		table += fmt.Sprintf("| %s | `%s` | `%s` | %s | %s |\n", from, s.To, s.By, s.Of, s.When)
	}
	return table
}
