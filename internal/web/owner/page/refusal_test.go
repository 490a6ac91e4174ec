package page

import (
	"fmt"
	"strings"
	"testing"

	"slotd"
)

func TestErrorText_HasASentenceForEveryCodeAndReason(t *testing.T) {
	if len(errorPages) != len(slotd.Codes) || len(nextSteps) != len(slotd.Reasons) {
		t.Errorf("%d codes and %d reasons here, %d and %d there", len(errorPages), len(nextSteps), len(slotd.Codes),
			len(slotd.Reasons))
	}
	facts := slotd.Facts{Name: "somebody", EventType: "intro", Count: 7, ID: "i1"}
	for _, code := range slotd.Codes {
		page := errorPages[code]
		got := ErrorText(fmt.Errorf("wrapped: %w", slotd.NewError(code, facts)))
		if page.Status < 400 || page.Title == "" || got == "" || strings.Contains(got, "{") {
			t.Errorf("%s: %+v, %s", code, page, got)
		}
	}
	for reason, about := range slotd.Reasons {
		next, ok := nextSteps[reason]
		err := slotd.Because(reason, facts)
		got := ErrorText(err)
		if !ok || !strings.HasSuffix(got, next.String()) || strings.Contains(got, "{") || strings.Contains(got, "slotd ") ||
			CodeOf(err) != about.Code {
			t.Errorf("%s: %s", reason, got)
		}
	}
	if err := Refuse(slotd.InvalidArgument, "Not here."); ErrorText(err) != "Not here." ||
		CodeOf(fmt.Errorf("wrapped: %w", err)) != slotd.InvalidArgument {
		t.Error(err)
	}
}
