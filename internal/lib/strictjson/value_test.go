package strictjson

import (
	"slices"
	"testing"
)

func TestValue_AnAbsentOneAnswersEverything(t *testing.T) {
	var never Doc
	for _, v := range []Value{{}, never.Root(), mustParse(t, `{"a":1}`).Get("b"),
		mustParse(t, `[]`).Get("a").Get("b")} {
		if v != (Value{}) || v.Present() || v.Kind() != Null || v.Raw() != nil || v.Offset() != 0 || v.Len() != 0 {
			t.Errorf("%v is not absent", v)
		}
		if v.Text() != "" || v.Is("") || v.Bool() || v.IsInteger() || v.Get("").Present() {
			t.Errorf("%v says something", v)
		}
		if _, ok := v.Int64(); ok {
			t.Errorf("%v has a number", v)
		}
		for range v.Members() {
			t.Errorf("%v has members", v)
		}
		for range v.Elements() {
			t.Errorf("%v has elements", v)
		}
	}
}

func TestValue_AnswersOnlyForItsOwnKind(t *testing.T) {
	kinds := map[Kind]string{Null: `null`, Bool: `true`, Number: `7`, String: `"true"`, Array: `["true"]`,
		Object: `{"true":7}`}
	for kind, text := range kinds {
		v := mustParse(t, text)
		_, number := v.Int64()
		got := []bool{v.Bool(), number, v.Is("true"), v.Text() == "true", v.Get("true").Present()}
		want := []bool{kind == Bool, kind == Number, kind == String, kind == String, kind == Object}
		if v.Kind() != kind || !v.Present() || !slices.Equal(got, want) || v.IsInteger() != number {
			t.Errorf("%s: kind %d, answers %v, want %d, %v", text, v.Kind(), got, kind, want)
		}
		if wantLen := map[Kind]int{Array: 1, Object: 1}[kind]; v.Len() != wantLen {
			t.Errorf("%s: length %d, want %d", text, v.Len(), wantLen)
		}
	}
	if mustParse(t, `false`).Bool() {
		t.Error("false is true")
	}
}

func TestValue_Int64TakesIntegersThatFit(t *testing.T) {
	for _, c := range []struct {
		text    string
		n       int64
		integer bool
		fits    bool
	}{
		{"0", 0, true, true}, {"-0", 0, true, true}, {"42", 42, true, true}, {"-42", -42, true, true},
		{"9223372036854775807", 1<<63 - 1, true, true}, {"-9223372036854775808", -1 << 63, true, true},
		{"9223372036854775808", 0, true, false}, {"-9223372036854775809", 0, true, false},
		{"100000000000000000000", 0, true, false},
		{"1.0", 0, false, false}, {"1e3", 0, false, false}, {"0E0", 0, false, false}, {`"1"`, 0, false, false},
	} {
		v := mustParse(t, c.text)
		n, fits := v.Int64()
		if v.IsInteger() != c.integer || fits != c.fits || fits && n != c.n {
			t.Errorf("%s: integer %t, %d %t", c.text, v.IsInteger(), n, fits)
		}
	}
}

func TestValue_MembersAndElementsKeepTheOrderOfTheText(t *testing.T) {
	v := mustParse(t, ` {"z":[1,[2,{"q":3}],4], "\u0061":{"x":{}} ,"m":"s"}`)
	var got []string
	for name, value := range v.Members() {
		got = append(got, name.Text(), string(value.Raw()))
	}
	for value := range v.Get("z").Elements() {
		got = append(got, string(value.Raw()))
	}
	want := []string{"z", `[1,[2,{"q":3}],4]`, "a", `{"x":{}}`, "m", `"s"`, "1", `[2,{"q":3}]`, "4"}
	if !slices.Equal(got, want) || v.Len() != 3 || v.Get("z").Len() != 3 {
		t.Errorf("got %q, want %q", got, want)
	}
	for range v.Members() {
		break
	}
	for range v.Get("z").Elements() {
		break
	}
}

func TestValue_NamesAreExact(t *testing.T) {
	v := mustParse(t, `{"id":1,"ID":2,"\u0069d\n":3,"nested":{"deep":4}}`)
	for name, offset := range map[string]int{"id": 6, "ID": 13, "id\n": 27} {
		if got := v.Get(name); got.Offset() != offset {
			t.Errorf("%q stands at %d, want %d", name, got.Offset(), offset)
		}
	}
	for _, name := range []string{"Id", "i", "id ", `\u0069d\n`, "deep", ""} {
		if v.Get(name).Present() {
			t.Errorf("%q was found", name)
		}
	}
}

func TestValue_TextOutlivesTheNextParse(t *testing.T) {
	var d Doc
	text := []byte(`["plain","esc\u0061ped"]`)
	if err := d.Parse(text, depth); err != nil {
		t.Fatal(err)
	}
	var got []string
	for v := range d.Root().Elements() {
		got = append(got, v.Text())
	}
	copy(text, `["*****","***\u002a***"]`)
	if err := d.Parse(text, depth); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, []string{"plain", "escaped"}) {
		t.Errorf("the texts became %q", got)
	}
}

func TestValue_RawCannotGrowIntoTheText(t *testing.T) {
	v := mustParse(t, `[1,2]`)
	for e := range v.Elements() {
		_ = append(e.Raw(), "overwritten"...)
	}
	if got := string(v.Raw()); got != `[1,2]` {
		t.Errorf("the text became %s", got)
	}
}
