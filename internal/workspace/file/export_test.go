package file

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"slotd"
	"slotd/internal/workspace"
)

func TestExport_ReadsBackExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := anyWorkspace.Draw(t, "workspace")
		if problems := workspace.Validate(&w); len(problems) > 0 {
			t.Fatalf("the test draws what is not valid: %v", problems)
		}
		data := Export(&w)
		file, err := Read(data)
		if err != nil {
			t.Fatalf("%v\nin:\n%s", err, data)
		}
		wantEqual(t, file, &File{Workspace: w})
		wantEqual(t, string(Export(&file.Workspace)), string(data))
	})
}

// Another YAML reader must find the same texts, because people read the file with their own tools.
func TestExport_IsPlainYAML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := anyWorkspace.Draw(t, "workspace")
		var other struct {
			Workspace  struct{ Slug, Name any }
			Schedules  map[string]any
			EventTypes []struct{ Slug, Title, Description any } `yaml:"event_types"`
		}
		if err := yaml.Unmarshal(Export(&w), &other); err != nil {
			t.Fatal(err)
		}
		wantEqual(t, []any{other.Workspace.Slug, other.Workspace.Name, len(other.Schedules)},
			[]any{w.Slug, w.Name, len(w.Schedules)})
		for i, e := range w.EventTypes {
			description := any(e.Description)
			if e.Description == "" {
				description = nil
			}
			wantEqual(t, []any{other.EventTypes[i].Slug, other.EventTypes[i].Title, other.EventTypes[i].Description},
				[]any{e.Slug, e.Title, description})
		}
	})
}

func TestExport_ReadsLikeTheExample(t *testing.T) {
	w := acme()
	w.EventTypes = append(w.EventTypes,
		slotd.EventType{Slug: "gone", Retired: true},
		slotd.EventType{
			Slug: "call", Title: "Call: now", Description: "Two lines,\nwith \"quotes\".\n", DurationMinutes: 15,
			Hidden:   true,
			Location: slotd.Location{Type: slotd.Phone, Ask: true}, Schedule: "default", BookingWindowDays: 14,
		})
	wantEqual(t, string(Export(&w)), testdata(t, "export.yaml"))
}

func TestExport_WritesAnEmptyWorkspace(t *testing.T) {
	w := slotd.Workspace{Slug: "a", Name: "no", TimeZone: "UTC", Host: slotd.Host{Name: "Ada", Email: "ada@a.example"}}
	wantEqual(t, string(Export(&w)), strings.Join([]string{
		`workspace: {slug: a, name: "no", time_zone: UTC}`, `host: {name: Ada, email: ada@a.example}`, `schedules: {}`, `event_types: []`, ``}, "\n"))
}

// go-yaml's own encoder would escape the first four, leave the invisible ones as they are, and write the long names of
// schedules as "? name".
func TestExport_WritesUnusualTextsReadably(t *testing.T) {
	emoji, invisible, mark := "\U0001f44b", "\u00a0\u200f\U000e0001", "\ue00000000000"
	long, longer := strings.Repeat("\u65e5", 60), strings.Repeat("\U000e0001", 100)
	w := slotd.Workspace{
		Slug: "a", Name: "\U00020bb7\u91ce", TimeZone: "UTC",
		Host:      slotd.Host{Name: emoji + "\tAda", Email: "ada@a.example"},
		Schedules: map[string]slotd.Schedule{long: {}, longer: {}, emoji: {}},
		EventTypes: []slotd.EventType{
			{Slug: "b", Title: emoji, Description: "Hi " + emoji + "\nthere"},
			{Slug: "c", Title: mark, Description: "Hi" + invisible + "\nthere"},
		},
	}
	got := string(Export(&w))
	for _, want := range []string{
		"name: \U00020bb7\u91ce,", "host: {name: \"" + emoji + `\tAda",`, "\n  " + long + ":\n    weekly: {}\n",
		"\n  ? \"" + strings.Repeat(`\U000e0001`, 100) + "\"\n  :\n    weekly: {}\n", "\n  \"" + emoji + "\":\n",
		"    title: \"" + emoji + "\"\n    description: |-\n      Hi " + emoji + "\n      there\n",
		`    title: "\ue00000000000"`, `    description: "Hi\u00a0\u200f\U000e0001\nthere"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}
