package file

import (
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/workspace/fieldtest"
)

// leaves calls visit with each value inside v that holds no others, and its path. It skips what the database assigns.
func leaves(path string, v reflect.Value, visit func(path string, leaf reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		leaves(path, v.Elem(), visit)
	case reflect.Struct:
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if name != "ID" && name != "Retired" && name != "Schedules" && name != "EventTypes" && name != "Calendars" {
				leaves(path+"."+name, v.Field(i), visit)
			}
		}
	default:
		visit(path, v)
	}
}

// change makes the value another one.
func change(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Slice:
		more := reflect.New(v.Type().Elem()).Elem()
		change(t, more)
		v.Set(reflect.Append(v, more))
	case reflect.Map:
		entry := reflect.MakeMap(v.Type())
		day, hours := reflect.New(v.Type().Key()).Elem(), reflect.ValueOf([]slots.Window{{From: 540, Until: 600}})
		entry.SetMapIndex(day, hours)
		v.Set(entry)
	default:
		t.Fatalf("say how a %s is changed", v.Type())
	}
}

// A field that a list forgets would be lost by export and apply, and nobody would see its changes.
func TestFields_NameEverythingThatIsStored(t *testing.T) {
	everyLeaf(t, func(v *slotd.Workspace) slotd.Workspace { return *v })
	everyLeaf(t, func(v *slotd.Schedule) slotd.Workspace {
		return slotd.Workspace{Schedules: map[string]slotd.Schedule{"default": *v}}
	})
	everyLeaf(t, func(v *slotd.EventType) slotd.Workspace { return slotd.Workspace{EventTypes: []slotd.EventType{*v}} })
	everyLeaf(t, func(v *slotd.Calendar) slotd.Workspace { return slotd.Workspace{Calendars: []slotd.Calendar{*v}} })
}

func everyLeaf[T any](t *testing.T, with func(*T) slotd.Workspace) {
	t.Helper()
	var paths []string
	leaves("", reflect.ValueOf(new(T)), func(path string, _ reflect.Value) { paths = append(paths, path) })
	if len(paths) < 3 {
		t.Fatalf("only %v", paths)
	}
	for _, changed := range paths {
		var v, other T
		leaves("", reflect.ValueOf(&v), func(string, reflect.Value) {}) // makes what is optional
		leaves("", reflect.ValueOf(&other), func(path string, leaf reflect.Value) {
			if path == changed {
				change(t, leaf)
			}
		})
		old, next := with(&v), with(&other)
		if len(Diff(&old, &next)) == 0 {
			t.Errorf("%T%s is in no list: nobody sees that it changes", v, changed)
		}
		if string(Export(&old)) == string(Export(&next)) {
			t.Errorf("%T%s is in no list: export loses it", v, changed)
		}
	}
}

// Each field alone has a line in the diff, survives export and apply, is in the schema, and has a row in the docs.
func TestFields_EachGoesThroughTheFile(t *testing.T) {
	docs, err := os.ReadFile("../../../docs/using.md")
	if err != nil {
		t.Fatal(err)
	}
	schema, base := resolvedSchema(t), fieldtest.Base()
	for _, v := range fieldtest.Variants(t) {
		at := v.List + " " + v.Field
		whole, name := path.Split(strings.ReplaceAll(v.Field, ".", "/"))
		whole = strings.TrimSuffix(whole, "/")
		named := func(line string) bool {
			return strings.Contains(line, name) || whole != "" && strings.Contains(line, whole) ||
				strings.Contains(line, strings.TrimSuffix(name, "s")+" ") || v.Fixed
		}
		if diff := Diff(base, v.Workspace); !slices.ContainsFunc(diff, named) {
			t.Errorf("%s: the diff says %q", at, diff)
		}
		text := string(Export(v.Workspace))
		if !strings.Contains(text, name+": ") && !strings.Contains(text, name+":\n") {
			t.Errorf("%s is not exported:\n%s", at, text)
		}
		wantEqual(t, mustRead(t, text).Workspace, *v.Workspace)
		if ok, err := validate(t, schema, text); !ok || err != nil {
			t.Errorf("%s: the schema says %v", at, err)
		}
		_, table, _ := strings.Cut(string(docs), "<!-- the fields of "+v.List+" -->\n")
		table, _, _ = strings.Cut(table, "\n\n")
		if !documented(table, whole, name) {
			t.Errorf("%s has no row in the docs", at)
		}
	}
}

// documented reports whether a table has a row for a field, or names it in the row of its object.
func documented(table, object, name string) bool {
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "| `"+strings.TrimPrefix(object+"."+name, ".")+"` |") ||
			object != "" && strings.HasPrefix(line, "| `"+object+"` |") && strings.Contains(line, name) {
			return true
		}
	}
	return false
}
