package file

// A node is one value of a file, for both YAML and JSON. Scalars keep their source text, so that a text field gets
// exactly what was written: 2026-12-24, no and 123 become a date, a boolean or a number only if the field asks for one.
type node struct {
	kind    kind
	line    int
	text    string   // of a plain or quoted scalar
	members []member // of an object, in the order of the file; names are unique
	items   []*node  // of a list
}

type member struct {
	name  string
	line  int
	value *node
}

type kind uint8

const (
	null       kind = iota
	plain           // a scalar without quotes: may be a number or a boolean
	quotedText      // a scalar in quotes or as a block
	list
	object
)

// maxDepth is far more than the levels of a valid file.
const maxDepth = 32
