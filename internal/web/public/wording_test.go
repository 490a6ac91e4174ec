package public

import (
	"strings"
	"testing"

	"slotd"
)

func TestProblems_SayWhatToDo(t *testing.T) {
	right := guest{"Grace", "grace@example.com", "+1 555 0100", "Notes"}
	for want, change := range map[string]func(*guest){
		"Please enter your name.":                                               func(g *guest) { g.Name = "" },
		"Your name is too long: use at most 200 characters.":                    func(g *guest) { g.Name = strings.Repeat("a", 201) },
		"Please enter your name as plain text, without a link.":                 func(g *guest) { g.Name = "see https://x" },
		"Please enter your email address.":                                      func(g *guest) { g.Email = "" },
		"Please enter an email address like grace@example.com.":                 func(g *guest) { g.Email = "grace" },
		"Please enter your phone number.":                                       func(g *guest) { g.Phone = " " },
		"Your phone number is too long: use at most 200 characters.":            func(g *guest) { g.Phone = strings.Repeat("1", 201) },
		"Please enter your phone number as plain text.":                         func(g *guest) { g.Phone = "1\x002" },
		"Your notes are too long: use at most 5000 characters.":                 func(g *guest) { g.Notes = strings.Repeat("a", 5001) },
		"Your notes contain characters that can't be used. Please remove them.": func(g *guest) { g.Notes = "a\x00b" },
	} {
		g := right
		change(&g)
		if got := g.problems(true); len(got) != 1 || got[0].Reason != want {
			t.Errorf("%q: %v", want, got)
		}
	}
}

func TestDuration(t *testing.T) {
	for minutes, want := range map[int]string{1: "1 minute", 45: "45 minutes", 60: "1 hour", 61: "1 hour 1 minute",
		150: "2 hours 30 minutes", 1440: "24 hours"} {
		if got := duration(minutes); got != want {
			t.Errorf("%d: %q, want %q", minutes, got, want)
		}
	}
}

func TestRefundTerms(t *testing.T) {
	for hours, want := range map[int]string{0: "Full refund if you cancel before it starts.",
		1: "Full refund if you cancel at least 1 hour before.", 24: "Full refund if you cancel at least 24 hours before."} {
		if got := refundTerms(&slotd.RefundPolicy{FullUntilHoursBefore: hours}); got != want {
			t.Errorf("%d: %q, want %q", hours, got, want)
		}
	}
}

func TestLocation_OfAPhoneCallSaysWhoCalls(t *testing.T) {
	ada := slotd.Host{Name: "Ada Park"}
	ask, dial := slotd.Location{Type: slotd.Phone, Ask: true}, slotd.Location{Type: slotd.Phone, Text: "Call +1 555 0100."}
	if got := locationText(ask, ada); got != "Ada Park will call you" {
		t.Error(got)
	}
	if got := locationText(dial, ada); got != "Call +1 555 0100." {
		t.Error(got)
	}
	for text, want := range map[string]string{ask.Sentence(ada): "Ada Park will call you", "Room 5": "Room 5"} {
		if got := bookedLocation(&slotd.Booking{Location: text}, ada); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
