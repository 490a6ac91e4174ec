package strictjson

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

// pairwiseLimit is the largest number of names that are compared pairwise. Measured: for six names that costs as much
// as hashing, for fewer it costs less.
const pairwiseLimit = 6

// seed is random, so that an attacker cannot send names that all collide.
var seed = maphash.MakeSeed()

// findDuplicate returns the second occurrence of a name in a completely parsed object.
func (d *Doc) findDuplicate(object int) (name int32, found bool) {
	n := d.tape[object]
	if n.lo <= pairwiseLimit {
		return d.findDuplicatePairwise(int32(object)+1, n.hi)
	}
	return d.findDuplicateHashed(int32(object)+1, n.hi, d.table(n.lo))
}

func (d *Doc) findDuplicatePairwise(first, end int32) (name int32, found bool) {
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

// findDuplicateHashed inserts the names into a hash table with open addressing. 0 marks a free slot: node 0 is the
// root, never a name.
func (d *Doc) findDuplicateHashed(first, end int32, table []int32) (name int32, found bool) {
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

// table returns a hash table with at least twice as many free slots as names. It clears only these slots, not all
// those that an earlier, larger object needed: otherwise one large object would make all later ones expensive.
func (d *Doc) table(names int32) []int32 {
	size := 1 << bits.Len(uint(names)*2)
	if cap(d.hashTable) < size {
		d.hashTable = make([]int32, size)
	}
	table := d.hashTable[:size]
	clear(table)
	return table
}

// after returns the index of the node after the value at i and all its content.
func (d *Doc) after(i int32) int32 {
	if n := &d.tape[i]; n.kind >= Array {
		return n.hi
	}
	return i + 1
}

// decoded returns the decoded content of the string at i.
func (d *Doc) decoded(i int32) []byte {
	n := &d.tape[i]
	if n.escaped {
		return d.text[n.lo:n.hi]
	}
	return d.data[n.lo:n.hi]
}
