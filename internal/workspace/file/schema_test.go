package file

import (
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

func resolvedSchema(t testing.TB) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	err := json.Unmarshal(Schema(), &s)
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// validate checks a file as an editor does, which knows YAML's own types.
func validate(t testing.TB, s *jsonschema.Resolved, text string) error {
	t.Helper()
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	encoded, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(encoded, &value)
	}
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return s.Validate(value)
}

func TestSchema_AcceptsWhatIsExported(t *testing.T) {
	s := resolvedSchema(t)
	rapid.Check(t, func(rt *rapid.T) {
		w := anyWorkspace.Draw(rt, "workspace")
		w.Calendars = anyCalendars(rt)
		if text := string(Export(&w)); validate(t, s, text) != nil {
			rt.Fatalf("%v\n%s", validate(t, s, text), text)
		}
	})
}

func TestSchema_RefusesWhatIsWrongInForm(t *testing.T) {
	s := resolvedSchema(t)
	if err := validate(t, s, small); err != nil {
		t.Fatal(err)
	}
	for name, more := range map[string]string{
		"an unknown field":       "    colour: red\n",
		"a text for a number":    "    max_per_day: many\n",
		"a number out of bounds": "    buffer_after_minutes: 1441\n",
		"a number for a list":    "    reminders_minutes_before: 60\n",
		"a word for a flag":      "    hidden: maybe\n",
		"a list for a text":      "    description: [a]\n",
		"an unknown choice":      "    price: {amount_cents: 5000, currency: xyz}\n",
		"something missing":      "    price: {amount_cents: 5000}\n",
	} {
		if err := validate(t, s, small+more); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}
