package oauth

import (
	"bytes"
	"encoding/json"
	"iter"
)

// List decodes a JSON array element by element. It stops one element after the limit. When decoded all at once, three
// bytes of a response can become an event of three hundred. The text must be valid JSON, as in the argument of
// UnmarshalJSON.
func List[E any](text []byte, limit int) (all []E, err error) {
	if text[0] != '[' {
		return nil, json.Unmarshal(text, &all) // null, or an error
	}
	all = []E{}
	for element := range elements(text) {
		var e E
		if err := json.Unmarshal(element, &e); err != nil {
			return nil, err
		}
		if all = append(all, e); len(all) > limit {
			break
		}
	}
	return all, nil
}

// elements yields slices of the array's text: nothing is copied.
func elements(array []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		rest := bytes.TrimSpace(array[1 : len(array)-1])
		for len(rest) > 0 {
			end := endOfElement(rest)
			if !yield(rest[:end]) {
				return
			}
			rest = rest[min(end+1, len(rest)):]
		}
	}
}

// endOfElement returns the index of the first comma that is outside of strings, objects and arrays.
func endOfElement(text []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth == 0:
			return i
		}
	}
	return len(text)
}
