// Package strictjson reads one JSON value and refuses what encoding/json lets pass: a name twice in an object (compared
// after decoding, so "a" and "\u0061" are the same), invalid UTF-8, escaped surrogates without their partner, and
// nesting deeper than the caller allows. Two readers of an accepted text cannot disagree about what it says.
//
// It never converts into Go types by reflection and never keeps a number as a float: the caller walks the Values and
// reads the bytes as they stood.
package strictjson

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// Kind says what a Value holds. Array and Object stand last: whatever is at least an Array contains others.
type Kind uint8

const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// Doc is one parsed text. It may be used again: its buffers stay, so a warm Doc parses without allocating. They grow to
// what the largest text asked for, which for a hostile one is up to twenty times its size; a keeper of many Docs bounds
// the text.
type Doc struct {
	data  []byte
	tape  []node
	text  []byte  // the decoded form of the strings that hold escapes
	slots []int32 // the hash table of the last large object's names
}

// node is one value or name. The tape holds them in the order of the text, so a container's content follows it.
type node struct {
	start, end int32 // the bytes in data, quotes and brackets included
	// lo and hi hold for a String where its decoded bytes stand (in text if escaped, else in data); for a container, lo
	// is the number of its members and hi the index of the first node behind its content.
	lo, hi  int32
	kind    Kind
	escaped bool
	integer bool
}

// SyntaxError says where a text was refused, and why.
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
	nameTwice     = "this name stands twice in its object"
)

// Parse reads data, which must not change while Values of d are in use; Values of an earlier Parse are void. The
// outermost array or object has depth 1, a scalar 0. An error is always a *SyntaxError and leaves d empty.
func (d *Doc) Parse(data []byte, maxDepth int) error {
	d.reset(data)
	if err := d.parse(maxDepth); err != nil {
		d.reset(nil)
		return err
	}
	return nil
}

// Root is the value of the text; absent before the first Parse and after one that failed.
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
	// One pass ahead of the parser: utf8.Valid takes eight ASCII bytes at a time, the scan of a string could not.
	if !utf8.Valid(d.data) {
		return &SyntaxError{firstInvalid(d.data), notUTF8}
	}
	p := parser{doc: d, data: d.data, room: maxDepth}
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
