package file

// A node is one value of a file, YAML or JSON alike. Scalars stay the text that was written, so that whoever asks for
// text gets it: 2026-12-24, no and 123 are no date, boolean and number until a field wants one.
type node struct {
	kind    kind
	line    int
	text    string   // of a word or a text
	members []member // of an object, in the file's order, each name once
	items   []*node  // of a list
}

type member struct {
	name  string
	line  int
	value *node
}

type kind uint8

const (
	null kind = iota
	word      // written without quotes: it may be a number or a boolean
	text      // written in quotes or as a block
	list
	object
)

// maxDepth is far more than the file has levels.
const maxDepth = 32
