package oauth_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"slotd/internal/calendar/oauth"
)

// listed decodes an array with List, as UnmarshalJSON methods do.
type listed []any

func (l *listed) UnmarshalJSON(text []byte) (err error) {
	*l, err = oauth.List[any](text, 100)
	return err
}

func checkDecodes(t interface{ Errorf(string, ...any) }, text string) {
	var want []any
	wantErr := json.Unmarshal([]byte(text), &want)
	var got listed
	if err := json.Unmarshal([]byte(text), &got); (err == nil) != (wantErr == nil) || err == nil &&
		!reflect.DeepEqual([]any(got), want) {
		t.Errorf("%s: %q, %v, want %q, %v", text, got, err, want, wantErr)
	}
}

func TestList_HasTheElementsOfTheArray(t *testing.T) {
	for _, text := range []string{
		"[]", " [ ] ", "[{}]", "[{},{}]", " [ 1 , 2 ] ", `["a,b","]","\"","\\",",\\\","]`,
		`[[1,[2]],{"a":[{},"}"]},null]`, "[\n{\"a\":\"[\"}\n,\t1]",
		"null", "{}", `"[]"`, "7", "[1,]", "[1", "[1}",
	} {
		checkDecodes(t, text)
	}
}

func TestList_OfAnyArray(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[][{}",:\\a ]{0,8}`)
		array, _ := json.Marshal(rapid.SliceOfN(rapid.MapOfN(text, rapid.SliceOfN(text, 0, 3), 0, 3), 0, 9).Draw(t,
			"array"))
		checkDecodes(t, string(array))
	})
}

func TestList_DecodesOneMoreThanIsOfUse(t *testing.T) {
	decoded = 0
	all, err := oauth.List[counted]([]byte("[1,2,3,4,5,6]"), 3)
	if err != nil || len(all) != 4 || decoded != 4 {
		t.Errorf("%v, %v, %d decoded", all, err, decoded)
	}
}

var decoded int

type counted struct{}

func (*counted) UnmarshalJSON([]byte) error {
	decoded++
	return nil
}
