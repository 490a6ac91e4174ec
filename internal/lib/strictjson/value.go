package strictjson

import (
	"iter"
	"strconv"
)

// Value is one value of a Doc, valid until that is parsed again. The zero Value is absent: it answers every question
// like a null that has no bytes, so a path of Gets needs one check at its end.
type Value struct {
	doc *Doc
	i   int32
}

// absent is what an absent Value reads as.
var absent node

func (v Value) node() *node {
	if v.doc == nil {
		return &absent
	}
	return &v.doc.tape[v.i]
}

func (v Value) is(kind Kind) bool { return v.node().kind == kind }

// Present tells a null that was sent from a value that was not.
func (v Value) Present() bool { return v.doc != nil }

// Kind is Null also for an absent Value.
func (v Value) Kind() Kind { return v.node().kind }

// Raw is the value as it stood in the text, quotes included. It aliases the text.
func (v Value) Raw() []byte {
	if v.doc == nil {
		return nil
	}
	n := v.node()
	return v.doc.data[n.start:n.end:n.end]
}

// Offset is where the value starts in the text.
func (v Value) Offset() int { return int(v.node().start) }

// Text is what a string says, "" for any other kind. It is a copy and outlives the Doc.
func (v Value) Text() string {
	if !v.is(String) {
		return ""
	}
	return string(v.doc.decoded(v.i))
}

// Is reports whether v is a string that says s.
func (v Value) Is(s string) bool { return v.is(String) && string(v.doc.decoded(v.i)) == s }

// Bool is true only for the literal true.
func (v Value) Bool() bool { return v.is(Bool) && v.doc.data[v.node().start] == 't' }

// IsInteger judges the token, not the amount: 1.0 and 1e3 are no integers, -0 is one.
func (v Value) IsInteger() bool { return v.node().integer }

// Int64 is the value of an integer that fits.
func (v Value) Int64() (int64, bool) {
	// The longest that fits is -9223372036854775808. Not to parse a longer one spares a copy of what may be a megabyte.
	raw := v.Raw()
	if !v.IsInteger() || len(raw) > 20 {
		return 0, false
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	return n, err == nil
}

// Get is the member of an object by its exact name, absent if there is none. It walks the object: to look up many names
// in one that may be large, range over Members.
func (v Value) Get(name string) Value {
	for key, value := range v.Members() {
		if string(v.doc.decoded(key.i)) == name {
			return value
		}
	}
	return Value{}
}

// Members yields the names and values of an object in the order of the text, and nothing for any other kind.
func (v Value) Members() iter.Seq2[Value, Value] {
	return func(yield func(key, value Value) bool) {
		if !v.is(Object) {
			return
		}
		for i, end := v.i+1, v.node().hi; i < end; i = v.doc.after(i + 1) {
			if !yield(Value{v.doc, i}, Value{v.doc, i + 1}) {
				return
			}
		}
	}
}

// Elements yields the elements of an array, and nothing for any other kind.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if !v.is(Array) {
			return
		}
		for i, end := v.i+1, v.node().hi; i < end; i = v.doc.after(i) {
			if !yield(Value{v.doc, i}) {
				return
			}
		}
	}
}

// Len is the number of members or elements, 0 for any other kind.
func (v Value) Len() int {
	if v.node().kind < Array {
		return 0
	}
	return int(v.node().lo)
}
