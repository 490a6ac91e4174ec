package file

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
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

// validate checks a file as an editor does, which knows YAML's own types. ok is false for what is no YAML.
func validate(t testing.TB, s *jsonschema.Resolved, text string) (ok bool, err error) {
	t.Helper()
	if len(text) > 64<<10 || strings.Count(text, "*") > 20 { // too large or too many aliases for an editor
		return false, nil
	}
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(text), &node); err != nil {
		return false, nil
	}
	if len(node.Content) == 0 {
		return true, s.Validate(nil)
	}
	return true, s.Validate(editorValue(node.Content[0], 0))
}

// editorValue returns a value by YAML 1.2, in which a date is text.
func editorValue(n *yaml.Node, depth int) any {
	if depth > 50 { // an alias inside of itself
		return nil
	}
	switch n.Kind {
	case yaml.AliasNode:
		return editorValue(n.Alias, depth+1)
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			list = append(list, editorValue(item, depth+1))
		}
		return list
	case yaml.MappingNode:
		object := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			object[n.Content[i].Value] = editorValue(n.Content[i+1], depth+1)
		}
		return object
	}
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return n.Value == "true"
	case "!!int", "!!float":
		var number float64
		if n.Decode(&number) == nil {
			return number
		}
	}
	return n.Value
}

var theSchema = sync.OnceValue(func() *jsonschema.Resolved { return resolvedSchema(panicker{}) })

// panicker lets a value be computed once for all tests.
type panicker struct{ testing.TB }

func (panicker) Helper()           {}
func (panicker) Fatal(args ...any) { panic(args) }

var accepted atomic.Int32

// wantSchemaAccepts fails the test if an editor would mark a file that slotd reads.
func wantSchemaAccepts(t testing.TB, text string) {
	t.Helper()
	if accepted.Add(1) > 300 { // tests with random files read thousands
		return
	}
	if _, err := validate(t, theSchema(), text); err != nil {
		t.Errorf("the schema does not accept what is read: %v\n%.2000s", err, text)
	}
}

// beyondSchema are problems that no schema can say: they compare parts of the file, or are about YAML itself.
var beyondSchema = regexp.MustCompile("aliases|nested too deeply|larger than|in plain digits|" +
	"as a comment|tags such as|merge keys|name one of the schedules|must be left out|true or false, without quotes|" +
	"second time|one calendar only|no user name and no password|begins with #|come with a username|" +
	"different from the others|full URL such as")

// wantSchemaRefuses fails the test if an editor would not mark a file that slotd rejects, although a schema can say why.
func wantSchemaRefuses(t testing.TB, text string, problems error) {
	t.Helper()
	for _, line := range strings.Split(problems.Error(), "\n") {
		if beyondSchema.MatchString(line) {
			return
		}
	}
	if ok, err := validate(t, theSchema(), text); ok && err == nil {
		t.Errorf("the schema accepts what is wrong in form: %v\n%.2000s", problems, text)
	}
}

func TestSchema_AcceptsWhatIsExported(t *testing.T) {
	s := resolvedSchema(t)
	rapid.Check(t, func(rt *rapid.T) {
		w := anyWorkspace.Draw(rt, "workspace")
		w.Calendars = anyCalendars(rt)
		text := string(Export(&w))
		if ok, err := validate(t, s, text); !ok || err != nil {
			rt.Fatalf("%v\n%s", err, text)
		}
	})
}

// These are odd, but they are read.
func TestSchema_AcceptsEmptyTextsAndCapitals(t *testing.T) {
	for _, look := range []string{`{accent: "", logo: ""}`, `{logo: "HTTPS://acme.example/l.svg"}`} {
		mustRead(t, "look: "+look+"\n"+small)
		if ok, err := validate(t, theSchema(), "look: "+look+"\n"+small); !ok || err != nil {
			t.Errorf("%s: %v", look, err)
		}
	}
}

func TestSchema_RefusesWhatIsWrongInForm(t *testing.T) {
	s := resolvedSchema(t)
	wantSchemaAccepts(t, small)
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
		if ok, err := validate(t, s, small+more); !ok || err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// What the documentation shows can be applied, and no editor marks it.
func TestSchema_AcceptsTheExamplesOfTheDocs(t *testing.T) {
	pages, err := filepath.Glob("../../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := map[string]string{}
	for _, path := range append(pages, "../../../README.md") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
			if example := m[1]; strings.HasPrefix(example, "workspace:") {
				examples[path] += example
			} else if !strings.HasPrefix(example, "#") { // a part of a file
				examples[path+" "+example] = small + example
			}
		}
	}
	demo, err := os.ReadFile("../../../cmd/slotd/demo.yaml")
	if err != nil {
		t.Fatal(err)
	}
	examples["the demo"] = string(demo)
	for about, text := range examples {
		if _, err := Read([]byte(text)); err != nil {
			t.Errorf("%s: %v", about, err)
		}
		if ok, err := validate(t, theSchema(), text); !ok || err != nil {
			t.Errorf("%s: the schema does not accept it: %v", about, err)
		}
	}
	if len(examples) < 4 {
		t.Errorf("found only %d examples", len(examples))
	}
}
