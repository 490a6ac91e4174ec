package strictjson

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

const depth = 32

func mustParse(t testing.TB, text string) Value {
	t.Helper()
	d := new(Doc)
	if err := d.Parse([]byte(text), depth); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return d.Root()
}

func wantRefused(t *testing.T, text string, maxDepth, offset int, reason string) {
	t.Helper()
	d := new(Doc)
	err := d.Parse([]byte(text), maxDepth)
	var syntax *SyntaxError
	if !errors.As(err, &syntax) {
		t.Fatalf("%q: error %v, want a *SyntaxError", text, err)
	}
	if syntax.Offset != offset || syntax.Reason != reason {
		t.Errorf("%q: %v, want byte %d: %s", text, err, offset, reason)
	}
	if d.Root().Present() {
		t.Errorf("%q: refused, yet it left a value", text)
	}
}

var accepted = []string{
	`null`, `true`, `false`, `0`, `-0`, `10`, `-12.50`, `1e5`, `1E+5`, `0e-0`, `0.0`, `1.5e300`, `""`, `"a"`,
	" \t\r\n{} \t\r\n", `[]`, `[ ]`, `{ }`, `[1,2 , 3]`, `{"a":1,"b":[{"a":{"a":[]}}]}`, `[[],[[]],{}]`,
	`"\"\\\/\b\f\n\r\t"`, `"\u0041\u00e9\u20AC\uffff\u0000"`, `"\ud83d\ude00"`, `"\uDBFF\uDFFF"`, `"a\ud800\udc00z"`,
	"\"\u00e9\u20ac\U0001F600\ufeff\x7f\u2028\"", `{"":0}`, `{"a":1,"A":2}`, `{"a":1,"a ":2}`, `{"\u0061":1,"b":2}`,
	`[{"a":1},{"a":1}]`, `{"a":{"a":1}}`, "{\"\u00e9\":1,\"e\u0301\":2}", `{"a":1,"a\u0000":2}`,
	`{"\n":1,"n":2,"\\n":3}`,
}

func TestParse_AcceptsWhatRFC8259Allows(t *testing.T) {
	for _, text := range accepted {
		v := mustParse(t, text)
		if got, want := string(v.Raw()), strings.Trim(text, " \t\r\n"); got != want {
			t.Errorf("%q: the root reads %q", text, got)
		}
	}
}

var refused = []struct {
	text   string
	offset int
	reason string
}{
	{"", 0, endsEarly}, {"  ", 2, endsEarly}, {"[", 1, endsEarly}, {"[1", 2, endsEarly}, {"[1,", 3, endsEarly},
	{"{", 1, endsEarly}, {`{"a`, 3, endsEarly}, {`{"a"`, 4, endsEarly}, {`{"a":`, 5, endsEarly}, {`"\`, 2, endsEarly},
	{"-", 1, endsEarly}, {"1.", 2, endsEarly}, {"1e", 2, endsEarly}, {"1e+", 3, endsEarly}, {`"\n`, 3, endsEarly},
	{"1 2", 2, trailing}, {"{}{}", 2, trailing}, {"[]]", 2, trailing}, {"1x", 1, trailing}, {"{}\x00", 2, trailing},
	{"null,", 4, trailing}, {"nulll", 4, trailing}, {"0x10", 1, trailing}, {"{}\u00a0", 2, trailing},
	{"1//", 1, trailing},
	{"\ufeff{}", 0, wantValue}, {"nul", 0, wantValue}, {"True", 0, wantValue}, {"NaN", 0, wantValue},
	{"'a'", 0, wantValue},
	{"+1", 0, wantValue}, {".5", 0, wantValue}, {"Infinity", 0, wantValue}, {"\v1", 0, wantValue},
	{"\x00", 0, wantValue},
	{"[,1]", 1, wantValue}, {"[1,]", 3, wantValue}, {"[1,,2]", 3, wantValue}, {`{"a":}`, 5, wantValue},
	{"/**/1", 0, wantValue},
	{`{a:1}`, 1, wantName}, {`{1:1}`, 1, wantName}, {`{,}`, 1, wantName}, {`{"a":1,}`, 7, wantName},
	{`{null:1}`, 1, wantName},
	{`{"a" 1}`, 5, wantColon}, {`{"a"}`, 4, wantColon}, {`{"a",1}`, 4, wantColon},
	{"[1 2]", 3, wantComma}, {"[1}", 2, wantComma}, {`{"a":1]`, 6, wantComma}, {`{"a":1 "b":2}`, 7, wantComma},
	{"[1:2]", 2, wantComma},
	{"-a", 1, wantDigit}, {"--1", 1, wantDigit}, {"1.e1", 2, wantDigit}, {"1e ", 2, wantDigit}, {"1e+-1", 3, wantDigit},
	{"-.5", 1, wantDigit},
	{"00", 0, leadingZero}, {"01", 0, leadingZero}, {"[-012]", 2, leadingZero},
	{`"\a"`, 2, badEscape}, {`"\x41"`, 2, badEscape}, {`"\'"`, 2, badEscape}, {`"\U0041"`, 2, badEscape},
	{`"\u004"`, 1, badEscape},
	{`"\u00g0"`, 1, badEscape}, {`"\u+041"`, 1, badEscape}, {"\"\\\n\"", 2, badEscape}, {`"\u`, 1, badEscape},
	{"\"a\nb\"", 2, controlChar}, {"\"\x00\"", 1, controlChar}, {"\"\x1f\"", 1, controlChar},
	{"\"\\n\t\"", 3, controlChar},
	{"{\"\r\":1}", 2, controlChar},
	{`"\ud800"`, 1, loneSurrogate}, {`"\udc00"`, 1, loneSurrogate}, {`"\ud800\ud800"`, 1, loneSurrogate},
	{`"\ud800\u0041"`, 1, loneSurrogate},
	{`"\udc00\ud800"`, 1, loneSurrogate}, {`"\ud800x\udc00"`, 1, loneSurrogate}, {`"\ud800\\udc00"`, 1, loneSurrogate},
	{`"\ud83d\ude00\ude00"`, 13, loneSurrogate}, {`{"\uDFFF":1}`, 2, loneSurrogate}, {`"\ud800\n"`, 1, loneSurrogate},
	{"\"\xff\"", 1, notUTF8}, {"\"a\xc3\"", 2, notUTF8}, {"\"\xc0\xaf\"", 1, notUTF8}, {"\"\xed\xa0\x80\"", 1, notUTF8},
	{"\"\xf4\x90\x80\x80\"", 1, notUTF8}, {"{}\xff", 2, notUTF8}, {"{\"\u00e9\x80\":1}", 4, notUTF8},
	{"\"\ufffd\xff\"", 4, notUTF8},
	{`{"a":1,"a":1}`, 7, duplicateName}, {`{"a":1,"\u0061":2}`, 7, duplicateName},
	{`{"\u0061":1,"a":2}`, 12, duplicateName},
	{`{"":1,"":2}`, 6, duplicateName},
	{`{"\u00e9":1,"é":2}`, 12, duplicateName}, {`{"\ud83d\ude00":1,"😀":2}`, 18, duplicateName},
	{`{"/":1,"\/":2}`, 7, duplicateName},
	{`[{"x":[{"a":{},"b":[1,2],"a":0}]}]`, 25, duplicateName}, {`{"\u004a":1,"\u004A":2}`, 12, duplicateName},
}

func TestParse_RefusesWhatIsNotStrict(t *testing.T) {
	for _, c := range refused {
		wantRefused(t, c.text, depth, c.offset, c.reason)
	}
}

func TestParse_CountsDepthFromTheOutermostContainer(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, c := range []struct {
		text     string
		maxDepth int
	}{{"1", 0}, {"[]", 1}, {"{}", 1}, {`{"a":[],"b":{},"c":[]}`, 2}, {nested(32), 32}, {nested(50_000), 50_000}} {
		if err := new(Doc).Parse([]byte(c.text), c.maxDepth); err != nil {
			t.Errorf("%.40s at depth %d: %v", c.text, c.maxDepth, err)
		}
	}
	wantRefused(t, "[]", 0, 0, tooDeep)
	wantRefused(t, "{}", -1, 0, tooDeep)
	wantRefused(t, nested(33), 32, 32, tooDeep)
	wantRefused(t, `[[],{"a":{}}]`, 2, 9, tooDeep)
}

// The hashed search must find the same as the pairwise one, on both sides of the limit.
func TestParse_FindsARepeatedNameInObjectsOfAnySize(t *testing.T) {
	for n := 1; n <= 4*pairwiseLimit; n++ {
		names := numbered(n, `"k%d":{"k":[0]}`)
		mustParse(t, "{"+names+"}")
		for twin := range n {
			last := fmt.Sprintf(`"\u006b%d":0`, twin)
			wantRefused(t, "{"+names+","+last+"}", depth, len(names)+2, duplicateName)
		}
	}
}

// numbered repeats a pattern with 0, 1, 2 …, separated by commas.
func numbered(n int, pattern string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(pattern, i)
	}
	return strings.Join(parts, ",")
}
