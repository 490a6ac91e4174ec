package kit

import (
	"strings"
	"testing"

	"slotd/internal/calendar"
)

func TestCalendarError_HasASentenceForEveryAdviceAndPromisesNothing(t *testing.T) {
	for _, a := range calendar.Advices() {
		e := calendar.Errorf(calendar.Unusable, "It is %d.", 7).Advise(a)
		next, ok := strings.CutPrefix(CalendarError(e), "It is 7.")
		if a == calendar.NoAdvice {
			ok = ok && next == ""
		} else {
			ok = ok && strings.HasPrefix(next, " ") && strings.HasSuffix(next, ".")
		}
		for _, promise := range []string{"We'll", "keep trying", "automatically", "slotd"} {
			ok = ok && !strings.Contains(next, promise)
		}
		if !ok {
			t.Errorf("%d: %q", a, CalendarError(e))
		}
	}
	if len(calendarAdvice) != len(calendar.Advices()) {
		t.Errorf("%d advices here, %d there", len(calendarAdvice), len(calendar.Advices()))
	}
}
