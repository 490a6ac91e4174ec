package workspace

import "testing"

// A field that the owner's forms do not show says why, so that none is forgotten.
func TestFields_HaveAnInputOrAReason(t *testing.T) {
	wantInputs(t, "workspace", Fields)
	wantInputs(t, "schedules", ScheduleFields)
	wantInputs(t, "event_types", EventTypeFields)
	wantInputs(t, "calendars", CalendarFields)
}

func wantInputs[T any](t *testing.T, path string, fields []Field[T]) {
	t.Helper()
	for _, f := range fields {
		at := JoinPath(path, f.Name)
		if object, ok := f.Kind.(Object[T]); ok {
			wantInputs(t, at, object.Fields)
			continue
		}
		if (f.Input == "") != f.NoInput {
			t.Errorf("%s must have either an input or NoInput", at)
		}
		if (f.Input == "") != (f.Label == "") {
			t.Errorf("%s must have a label if it has an input", at)
		}
		if f.Help == "" {
			t.Errorf("%s must say what it is for", at)
		}
	}
}
