package strictjson

import (
	"iter"
	"strconv"
)

// Value is one value of a Doc. It is valid until the next Parse. The zero Value is absent: all its methods behave as
// for a null without bytes, so a chain of Gets needs only one check at the end.
type Value struct {
	doc *Doc
	i   int32
}

// absent is the node of an absent Value.
var absent node

func (v Value) node() *node {
	if v.doc == nil {
		return &absent
	}
	return &v.doc.tape[v.i]
}

func (v Value) is(kind Kind) bool { return v.node().kind == kind }

// Present reports whether the value exists in the text. It distinguishes a null from an absent value.
func (v Value) Present() bool { return v.doc != nil }

// Kind returns the kind of the value. An absent value has the kind Null.
func (v Value) Kind() Kind { return v.node().kind }

// Raw returns the value as written in the text, including quotes. It aliases the text.
func (v Value) Raw() []byte {
	if v.doc == nil {
		return nil
	}
	n := v.node()
	return v.doc.data[n.start:n.end:n.end]
}

// Offset returns where the value starts in the text.
func (v Value) Offset() int { return int(v.node().start) }

// Text returns a string's decoded content, or "" for any other kind. It is a copy and outlives the Doc.
func (v Value) Text() string {
	if !v.is(String) {
		return ""
	}
	return string(v.doc.decoded(v.i))
}

// Is reports whether v is a string with the content s.
func (v Value) Is(s string) bool { return v.is(String) && string(v.doc.decoded(v.i)) == s }

// Bool reports whether v is the literal true.
func (v Value) Bool() bool { return v.is(Bool) && v.doc.data[v.node().start] == 't' }

// IsInteger reports whether v is written as an integer, whatever its numeric value: 1.0 and 1e3 are not, -0 is.
func (v Value) IsInteger() bool { return v.node().integer }

// Int64 returns the value of an integer, if it is one and fits.
func (v Value) Int64() (int64, bool) {
	// The longest one that fits is -9223372036854775808. Skipping longer ones avoids a copy of up to a megabyte.
	raw := v.Raw()
	if !v.IsInteger() || len(raw) > 20 {
		return 0, false
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	return n, err == nil
}

// Get returns an object's member by its exact name, or an absent value if there is none. It scans the object: to look
// up many names in an object that may be large, range over Members.
func (v Value) Get(name string) Value {
	for key, value := range v.Members() {
		if string(v.doc.decoded(key.i)) == name {
			return value
		}
	}
	return Value{}
}

// Members yields the names and values of an object in the order of the text. For any other kind it yields nothing.
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

// Elements yields the elements of an array. For any other kind it yields nothing.
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

// Len returns the number of members or elements, or 0 for any other kind.
func (v Value) Len() int {
	if v.node().kind < Array {
		return 0
	}
	return int(v.node().lo)
}
