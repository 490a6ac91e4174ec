package file

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// encoder makes the nodes of texts, and writes a tree of nodes with go-yaml.
//
// go-yaml escapes every character above U+FFFF, even in texts without quotes, and leaves invisible ones such as U+200F
// as they are. We want emoji to stay and what nobody can see to be escaped. So the nodes hold a placeholder for each
// such piece, and encode puts the piece back. See docs/decisions/018-export-through-yaml-nodes.md.
type encoder struct{ pieces []string }

// mark starts a placeholder. It cannot occur elsewhere: strconv.IsPrint reports false for it, so a text's own mark is
// written as an escape.
const mark = "\ue000"

var placeholder = regexp.MustCompile(mark + `[0-9a-f]{8}`)

func (e *encoder) placeholder(piece string) string {
	e.pieces = append(e.pieces, piece)
	return fmt.Sprintf("%s%08x", mark, len(e.pieces)-1)
}

func (e *encoder) encode(root *yaml.Node) []byte {
	var out bytes.Buffer
	y := yaml.NewEncoder(&out)
	y.SetIndent(2)
	if err := y.Encode(root); err != nil {
		panic(fmt.Sprintf("encode a workspace as YAML: %v", err)) // the nodes are ours, and memory does not fail
	}
	return placeholder.ReplaceAllFunc(out.Bytes(), func(found []byte) []byte {
		n, _ := strconv.ParseUint(string(found[len(mark):]), 16, 32)
		return []byte(e.pieces[n])
	})
}

// text writes a text on one line.
func (e *encoder) text(s string) *yaml.Node {
	if isPlain(s) {
		return plainNode(e.replaced(s))
	}
	return quotedNode(e.replaced(s))
}

func (e *encoder) block(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Style: yaml.LiteralStyle, Value: e.replaced(s)}
}

// replaced returns the text with placeholders for what go-yaml would write in another way than strconv.Quote.
func (e *encoder) replaced(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t' || r <= 0xffff && strconv.IsPrint(r):
			b.WriteRune(r)
		case strconv.IsPrint(r):
			b.WriteString(e.placeholder(string(r)))
		default:
			quoted := strconv.Quote(string(r))
			b.WriteString(e.placeholder(quoted[1 : len(quoted)-1]))
		}
	}
	return b.String()
}

// maxKeyLength is below the 1,024 characters after which YAML no longer looks for a key's colon.
const maxKeyLength = 1000

// key writes a name as a key. go-yaml writes keys of more than 128 bytes in the form "? key", which few people know, so
// they get a placeholder too.
func (e *encoder) key(name string) *yaml.Node {
	n := e.text(name)
	switch written := scalar(name); {
	case len(written) > maxKeyLength:
		return plainNode(e.placeholder("? " + written + "\n  "))
	case len(n.Value) > 128:
		return plainNode(e.placeholder(written))
	}
	return n
}

func plainNode(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: s} }

func quotedNode(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle, Value: s}
}

func mappingNode(style yaml.Style) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Style: style}
}

func set(mapping, key, value *yaml.Node) { mapping.Content = append(mapping.Content, key, value) }

func listNode[T any](style yaml.Style, values []T, node func(T) *yaml.Node) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: style}
	for _, v := range values {
		n.Content = append(n.Content, node(v))
	}
	return n
}
