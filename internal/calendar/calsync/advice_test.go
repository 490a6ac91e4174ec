package calsync

import (
	"strings"
	"testing"

	"slotd/internal/calendar"
)

func TestErrorText_HasASentenceForEveryAdvice(t *testing.T) {
	for _, a := range calendar.Advices() {
		e := calendar.Errorf(calendar.Unusable, "It is %d.", 7).Advise(a)
		next, ok := strings.CutPrefix(ErrorText(e), "It is 7.")
		if a == calendar.NoAdvice {
			ok = ok && next == ""
		} else {
			ok = ok && strings.HasPrefix(next, " ") && strings.HasSuffix(next, ".")
		}
		if !ok || strings.Contains(next, "slotd") || strings.Contains(next, "page") {
			t.Errorf("%d: %q", a, ErrorText(e))
		}
	}
	if len(advice) != len(calendar.Advices()) {
		t.Errorf("%d advices here, %d there", len(advice), len(calendar.Advices()))
	}
}
