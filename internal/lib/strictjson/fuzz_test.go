package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"testing"
	"unicode/utf8"
)

// FuzzParse compares with encoding/json: a text must be accepted if and only if json.Valid accepts it and none of the
// four objections below applies, which are found independently of the parser. Accepted texts must also have the same
// content.
func FuzzParse(f *testing.F) {
	for _, text := range accepted {
		f.Add([]byte(text), uint8(4))
	}
	for _, c := range refused {
		f.Add([]byte(c.text), uint8(depth))
	}
	f.Add([]byte(toolsCall), uint8(3))
	f.Add([]byte("{"+numbered(2*pairwiseLimit, `"k%d":[]`)+`,"\u006b3":0}`), uint8(2))
	for _, text := range found {
		f.Add([]byte(text), uint8(1))
	}
	var d Doc // reused, so that leftovers of an earlier text would be noticed
	f.Fuzz(func(t *testing.T, data []byte, maxDepth uint8) {
		err := d.Parse(data, int(maxDepth))
		if !json.Valid(data) {
			wantSyntaxError(t, data, err)
			return
		}
		objected := objections(data, int(maxDepth))
		if len(objected) == 0 {
			wantSameReading(t, d.Root(), data, err)
			return
		}
		if reason := wantSyntaxError(t, data, err).Reason; !objected[reason] {
			t.Fatalf("%q: refused as %q, expected one of %v", data, reason, objected)
		}
	})
}

// found are texts that a run of the fuzzer found interesting.
var found = []string{
	`"\ud83d\ud00e\ude00"`, `"\ud83dd\ude00\ude00"`, `"\\\\\\\"`, `"\uaX00`, "\"\xef\xbf\xe4\xbd0\"",
	"{\"\xa9\":1,\"\x81\":2}",
	"00000000\xaa", "40000000000000000000000", "0.0000e", "0e0A", "false0", "[0\n\x10", `{"":-0}`, "[[[[[[[[[[[[[[[[[",
}

func wantSyntaxError(t *testing.T, data []byte, err error) *SyntaxError {
	var syntax *SyntaxError
	if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(data) {
		t.Fatalf("%q: error %v, want a *SyntaxError within the text", data, err)
	}
	return syntax
}

func objections(data []byte, maxDepth int) map[string]bool {
	objected := map[string]bool{}
	if !utf8.Valid(data) {
		objected[notUTF8] = true
	}
	if hasLoneSurrogate(data) {
		objected[loneSurrogate] = true
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if deepest := inspect(dec, objected); deepest > maxDepth {
		objected[tooDeep] = true
	}
	return objected
}

// In a valid text backslashes occur only in strings, so a scan for escapes from the left cannot get out of step.
var escapeToken = regexp.MustCompile(`(?s)\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.`)

func hasLoneSurrogate(data []byte) bool {
	for _, token := range escapeToken.FindAll(data, -1) {
		if len(token) != 6 {
			continue
		}
		if unit, _ := strconv.ParseUint(string(token[2:]), 16, 16); unit >= 0xd800 && unit <= 0xdfff {
			return true
		}
	}
	return false
}

// inspect reads one value, records duplicate names and returns the depth.
func inspect(dec *json.Decoder, objected map[string]bool) (deepest int) {
	token, _ := dec.Token()
	open, container := token.(json.Delim)
	if !container {
		return 0
	}
	names := map[string]bool{}
	for dec.More() {
		if open == '{' {
			name, _ := dec.Token()
			if names[name.(string)] {
				objected[duplicateName] = true
			}
			names[name.(string)] = true
		}
		deepest = max(deepest, inspect(dec, objected))
	}
	dec.Token()
	return deepest + 1
}

func wantSameReading(t *testing.T, v Value, data []byte, err error) {
	if err != nil {
		t.Fatalf("%q: %v, want it accepted", data, err)
	}
	if !bytes.Equal(v.Raw(), bytes.Trim(data, " \t\r\n")) {
		t.Fatalf("%q: the root reads %q", data, v.Raw())
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	compare(t, v, dec)
}

// compare walks v in parallel with the tokens of encoding/json.
func compare(t *testing.T, v Value, dec *json.Decoder) {
	token, err := dec.Token()
	if err != nil {
		t.Fatal(err)
	}
	same := false
	switch want := token.(type) {
	case nil:
		same = v.Kind() == Null && v.Present()
	case bool:
		same = v.Kind() == Bool && v.Bool() == want
	case string:
		same = v.Kind() == String && v.Text() == want && v.Is(want)
	case json.Number:
		same = v.Kind() == Number && string(v.Raw()) == want.String() && sameInteger(v, want)
	case json.Delim:
		same = compareContent(t, v, want, dec)
	}
	if !same || int(dec.InputOffset()) != v.Offset()+len(v.Raw()) {
		t.Fatalf("%q (kind %d) differs from token %#v, which ends at %d", v.Raw(), v.Kind(), token, dec.InputOffset())
	}
}

func compareContent(t *testing.T, v Value, open json.Delim, dec *json.Decoder) bool {
	count, kind := 0, Array
	for e := range v.Elements() {
		compare(t, e, dec)
		count++
	}
	for name, value := range v.Members() {
		compare(t, name, dec)
		compare(t, value, dec)
		if v.Get(name.Text()) != value {
			t.Fatalf("%q: Get finds another value for %q", v.Raw(), name.Text())
		}
		count++
	}
	if open == '{' {
		kind = Object
	}
	end, _ := dec.Token()
	return v.Kind() == kind && v.Len() == count && end == open+2 // in ASCII, ] and } come two after [ and {
}

var integerToken = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)

func sameInteger(v Value, want json.Number) bool {
	got, ok := v.Int64()
	n, err := want.Int64()
	return v.IsInteger() == integerToken.MatchString(want.String()) && ok == (err == nil) && (!ok || got == n)
}
