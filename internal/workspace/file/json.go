package file

import (
	"errors"
	"sort"

	"slotd/internal/lib/say"
	"slotd/internal/lib/strictjson"
)

func parseJSON(data []byte) (*node, error) {
	var doc strictjson.Doc
	err := doc.Parse(data, maxDepth)
	var syntax *strictjson.SyntaxError
	if errors.As(err, &syntax) {
		return nil, errorAt(lineOf(data, syntax.Offset),
			say.T("%s (a file that starts with { is read as JSON)", syntax.Reason))
	}
	t := jsonTree{newlines: newlinesOf(data)}
	return t.node(doc.Root()), err
}

// jsonTree knows the offsets of all newlines: counting them again for every value would be quadratic.
type jsonTree struct{ newlines []int }

func newlinesOf(data []byte) (offsets []int) {
	for i, c := range data {
		if c == '\n' {
			offsets = append(offsets, i)
		}
	}
	return offsets
}

func (t jsonTree) line(v strictjson.Value) int { return 1 + sort.SearchInts(t.newlines, v.Offset()) }

func (t jsonTree) node(v strictjson.Value) *node {
	n := &node{line: t.line(v)}
	switch v.Kind() {
	case strictjson.String:
		n.kind, n.text = quotedText, v.Text()
	case strictjson.Number, strictjson.Bool:
		n.kind, n.text = plain, string(v.Raw())
	case strictjson.Array:
		n.kind = list
		for item := range v.Elements() {
			n.items = append(n.items, t.node(item))
		}
	case strictjson.Object:
		n.kind = object
		for name, value := range v.Members() {
			n.members = append(n.members, member{name.Text(), t.line(name), t.node(value)})
		}
	}
	return n
}
