package cli

import (
	"fmt"
	"strings"
	"testing"

	"slotd"
	"slotd/internal/calendar"
)

func TestErrorMessage_HasASentenceForEveryCodeAndReason(t *testing.T) {
	if len(sentences) != len(slotd.Codes) || len(nextSteps) != len(slotd.Reasons) {
		t.Errorf("%d codes and %d reasons here, %d and %d there", len(sentences), len(nextSteps), len(slotd.Codes),
			len(slotd.Reasons))
	}
	facts := slotd.Facts{Workspace: "acme", EventType: "intro", Booking: "b1", BookingURL: "https://book.example/acme/paid",
		Name: "somebody", Count: 7, ID: "i1"}
	for _, code := range slotd.Codes {
		got := ErrorMessage(fmt.Errorf("wrapped: %w", slotd.NewError(code, facts)))
		if got == "" || strings.Contains(got, string(code)) || strings.Contains(got, "_") || strings.Contains(got, "%!") {
			t.Errorf("%s: %s", code, got)
		}
	}
	for reason := range slotd.Reasons {
		next, ok := nextSteps[reason]
		got := ErrorMessage(slotd.Because(reason, facts))
		if !ok || !strings.HasSuffix(got, next.String()) || strings.Contains(got, "{") {
			t.Errorf("%s: %s", reason, got)
		}
	}
}

func TestErrorMessage_HasASentenceForEveryAdvice(t *testing.T) {
	for _, a := range calendar.Advices() {
		e := calendar.Errorf(calendar.Unusable, "It is %d.", 7).Advise(a)
		got := ErrorMessage(fmt.Errorf("club.ics: %w", e))
		next, ok := strings.CutPrefix(got, "club.ics: It is 7.")
		if a == calendar.NoAdvice {
			ok = ok && next == ""
		} else {
			ok = ok && strings.HasPrefix(next, " ") && strings.HasSuffix(next, ".")
		}
		if !ok {
			t.Errorf("%d: %q", a, got)
		}
	}
	if len(calendarAdvice) != len(calendar.Advices()) {
		t.Errorf("%d advices here, %d there", len(calendarAdvice), len(calendar.Advices()))
	}
}
