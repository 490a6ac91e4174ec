package file

import (
	"fmt"
	"reflect"
	"testing"

	"slotd"
	"slotd/internal/workspace"
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
	default:
		t.Fatalf("say how a %s is changed", v.Type())
	}
}

// A field that a list forgets would be lost by export and apply, and nobody would see its changes.
func TestFields_NameEverythingThatIsStored(t *testing.T) {
	everyLeaf(t, workspace.Fields)
	everyLeaf(t, workspace.EventTypeFields)
	everyLeaf(t, workspace.CalendarFields)
}

func everyLeaf[T any](t *testing.T, fields []workspace.Field[T]) {
	t.Helper()
	var paths []string
	leaves("", reflect.ValueOf(new(T)), func(path string, _ reflect.Value) { paths = append(paths, path) })
	if len(paths) < 5 {
		t.Fatalf("only %v", paths)
	}
	for _, changed := range paths {
		var old, next T
		leaves("", reflect.ValueOf(&old), func(string, reflect.Value) {}) // makes what is optional
		leaves("", reflect.ValueOf(&next), func(path string, leaf reflect.Value) {
			if path == changed {
				change(t, leaf)
			}
		})
		if a, b := fmt.Sprint(facts(&old, &next, fields)), fmt.Sprint(facts(&next, &old, fields)); a == b {
			t.Errorf("%T%s is in no list: nobody sees that it changes", old, changed)
		}
		if a, b := exported(&old, fields), exported(&next, fields); a == b {
			t.Errorf("%T%s is in no list: export loses it", old, changed)
		}
	}
}

func exported[T any](v *T, fields []workspace.Field[T]) string {
	var e encoder
	return string(e.encode(fieldLine(&e, v, fields)))
}

// Each field of an event type alone has a line in the diff, survives export and apply, and changes the version.
func TestFields_EachOfAnEventTypeGoesThroughTheFile(t *testing.T) {
	for _, f := range workspace.EventTypeFields {
		if f.Name == "slug" { // it says which event type it is
			continue
		}
		old, next := acme(), acme()
		old.Schedules["other"], next.Schedules["other"] = slotd.Schedule{}, slotd.Schedule{}
		vary(t, &next.EventTypes[0], f)
		if diff := Diff(&old, &next); len(diff) != 1 {
			t.Errorf("%s: the diff says %q", f.Name, diff)
		}
		back := mustRead(t, string(Export(&next)))
		wantEqual(t, back.Workspace.EventTypes, next.EventTypes)
		if workspace.Version(old.EventTypes[0]) == workspace.Version(next.EventTypes[0]) {
			t.Errorf("%s does not change the version", f.Name)
		}
	}
}

// vary gives a field another valid value.
func vary(t *testing.T, e *slotd.EventType, f workspace.Field[slotd.EventType]) {
	t.Helper()
	switch k := f.Kind.(type) {
	case workspace.Text[slotd.EventType]:
		if *k.At(e) += "x"; f.Name == "schedule" {
			*k.At(e) = "other"
		}
	case workspace.Number[slotd.EventType]:
		k.Set(e, k.Get(e)+1)
	case workspace.Flag[slotd.EventType]:
		*k.At(e) = !*k.At(e)
	case workspace.Numbers[slotd.EventType]:
		*k.At(e) = append(*k.At(e), k.Max)
	case workspace.Object[slotd.EventType]:
		for _, inner := range k.Fields {
			if text, ok := inner.Kind.(workspace.Text[slotd.EventType]); !ok || text.Format.Choices == nil {
				vary(t, e, inner)
				return
			}
		}
	default:
		t.Fatalf("say how %s is varied", f.Name)
	}
}
