package strictjson

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

// pairwiseLimit is how many names are compared each with each. Measured: for six that costs what hashing costs, for
// fewer less.
const pairwiseLimit = 6

// The seed is random, so that nobody can send names that all collide.
var seed = maphash.MakeSeed()

// repeated finds a name that an object, parsed to its end, holds for the second time.
func (d *Doc) repeated(object int) (name int32, twice bool) {
	n := d.tape[object]
	if n.lo <= pairwiseLimit {
		return d.repeatedPairwise(int32(object)+1, n.hi)
	}
	return d.repeatedHashed(int32(object)+1, n.hi, d.table(n.lo))
}

func (d *Doc) repeatedPairwise(first, end int32) (name int32, twice bool) {
	for i := first; i < end; i = d.after(i + 1) {
		text := d.decoded(i)
		for j := first; j < i; j = d.after(j + 1) {
			if bytes.Equal(d.decoded(j), text) {
				return i, true
			}
		}
	}
	return 0, false
}

// repeatedHashed puts the names into an open table. 0 marks a free slot: node 0 is the root, never a name.
func (d *Doc) repeatedHashed(first, end int32, table []int32) (name int32, twice bool) {
	mask := uint64(len(table) - 1)
	for i := first; i < end; i = d.after(i + 1) {
		text := d.decoded(i)
		slot := maphash.Bytes(seed, text) & mask
		for ; table[slot] != 0; slot = (slot + 1) & mask {
			if bytes.Equal(d.decoded(table[slot]), text) {
				return i, true
			}
		}
		table[slot] = i
	}
	return 0, false
}

// table returns at least twice as many free slots as names. Only those are cleared, not all that an earlier, larger
// object needed: else one large object would make every later one dear.
func (d *Doc) table(names int32) []int32 {
	size := 1 << bits.Len(uint(names)*2)
	if cap(d.slots) < size {
		d.slots = make([]int32, size)
	}
	table := d.slots[:size]
	clear(table)
	return table
}

// after is the index of the node behind the value at i and all it contains.
func (d *Doc) after(i int32) int32 {
	if n := &d.tape[i]; n.kind >= Array {
		return n.hi
	}
	return i + 1
}

// decoded is what the string at i says.
func (d *Doc) decoded(i int32) []byte {
	n := &d.tape[i]
	if n.escaped {
		return d.text[n.lo:n.hi]
	}
	return d.data[n.lo:n.hi]
}
