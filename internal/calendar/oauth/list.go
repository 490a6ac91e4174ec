package oauth

import (
	"bytes"
	"encoding/json"
	"iter"
)

// List decodes a JSON array one element after the other, and no more than one beyond the most that are of use. Decoded
// all at once, three bytes of an answer can become an event of three hundred. The text must be valid, as what json
// hands to an Unmarshaler is.
func List[E any](text []byte, most int) (all []E, err error) {
	if text[0] != '[' {
		return nil, json.Unmarshal(text, &all) // null, or an error
	}
	all = []E{}
	for element := range elements(text) {
		var e E
		if err := json.Unmarshal(element, &e); err != nil {
			return nil, err
		}
		if all = append(all, e); len(all) > most {
			break
		}
	}
	return all, nil
}

// elements are parts of the array's own text: nothing is copied.
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

// endOfElement is where the first comma is that stands in no string, object or array.
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
