// Package strictjson parses one JSON value and rejects what encoding/json accepts: duplicate names in an object
// (compared after decoding, so "a" and "\u0061" are the same), invalid UTF-8, escaped surrogates without their partner,
// and nesting deeper than the caller allows. Two parsers cannot disagree about the meaning of an accepted text.
//
// It never converts to Go types by reflection and never represents a number as a float: the caller walks the Values
// and reads the original bytes.
package strictjson

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// Kind is the type of a Value. Array and Object come last: a kind of at least Array is a container.
type Kind uint8

const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// Doc is one parsed text. It can be reused: it keeps its buffers, so a warm Doc parses without allocating. The buffers
// grow to what the largest text needed, which for a hostile text is up to twenty times its size. Callers that keep many
// Docs should limit the size of the text.
type Doc struct {
	data      []byte
	tape      []node
	text      []byte  // the decoded strings that contained escapes
	hashTable []int32 // for the names of the last large object
}

// node is one value or name. The tape holds the nodes in the order of the text, so a container's content follows it.
type node struct {
	start, end int32 // the position in data, including quotes and brackets
	// For a String, lo and hi are the position of its decoded bytes (in text if escaped, otherwise in data). For a
	// container, lo is the number of its members and hi is the index of the first node after its content.
	lo, hi  int32
	kind    Kind
	escaped bool
	integer bool
}

// SyntaxError says where and why a text was rejected.
type SyntaxError struct {
	Offset int
	Reason string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Reason) }

const (
	tooLong       = "the text is too long"
	notUTF8       = "the text is not valid UTF-8"
	endsEarly     = "the text ends in the middle of a value"
	trailing      = "more text follows the value"
	tooDeep       = "arrays and objects are nested too deeply"
	wantValue     = "a value is expected here"
	wantName      = "a name in double quotes is expected here"
	wantColon     = "a colon is expected after a name"
	wantComma     = "a comma or the closing bracket is expected here"
	wantDigit     = "a digit is expected here"
	leadingZero   = "a number has no leading zero"
	badEscape     = "this escape does not exist in JSON"
	loneSurrogate = "an escaped surrogate lacks its other half"
	controlChar   = "a control character in a string must be escaped"
	duplicateName = "this name stands twice in its object"
)

// Parse parses data, which must not change while Values of d are in use. It invalidates the Values of an earlier
// Parse. The outermost array or object has depth 1, a scalar has depth 0. An error is always a *SyntaxError and leaves
// d empty.
func (d *Doc) Parse(data []byte, maxDepth int) error {
	d.reset(data)
	if err := d.parse(maxDepth); err != nil {
		d.reset(nil)
		return err
	}
	return nil
}

// Root returns the value of the text. It is absent before the first Parse and after a failed one.
func (d *Doc) Root() Value {
	if len(d.tape) == 0 {
		return Value{}
	}
	return Value{doc: d}
}

func (d *Doc) reset(data []byte) {
	d.data, d.tape, d.text = data, d.tape[:0], d.text[:0]
}

func (d *Doc) parse(maxDepth int) error {
	if len(d.data) > math.MaxInt32 {
		return &SyntaxError{math.MaxInt32, tooLong}
	}
	// A separate pass before parsing: utf8.Valid checks eight ASCII bytes at a time, which the string scanner cannot.
	if !utf8.Valid(d.data) {
		return &SyntaxError{firstInvalid(d.data), notUTF8}
	}
	p := parser{doc: d, data: d.data, depthLeft: maxDepth}
	return p.document()
}

func firstInvalid(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(data)
}
