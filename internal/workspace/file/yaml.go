package file

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"

	"slotd/internal/lib/say"

	"go.yaml.in/yaml/v3"
)

// maxAliased limits the values that aliases may add to a file. Otherwise, eleven levels of ten aliases each would add
// 10^11.
const maxAliased = 20_000

func parseYAML(data []byte) (*node, []Problem, error) {
	if at := findDirective(data); at >= 0 {
		return nil, nil, errorAt(lineOf(data, at),
			say.T("directives such as %%YAML and %%TAG are not used here; leave the line out"))
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	document, err := decodeOne(decoder)
	if errors.Is(err, io.EOF) {
		return nil, nil, errorAt(1, notAMapping.String())
	}
	if err != nil {
		return nil, nil, errorAt(syntaxLine(data, err), syntaxReason(err))
	}
	second, err := decodeOne(decoder)
	if err == nil {
		return nil, nil, errorAt(second.Line, say.T("a second YAML document starts here; one file holds one workspace"))
	}
	if !errors.Is(err, io.EOF) {
		return nil, nil, errorAt(syntaxLine(data, err), syntaxReason(err))
	}
	return buildTree(document)
}

// findDirective returns the offset of a line that starts with a percent sign, or -1. The parser takes quadratic time
// for %TAG lines: nine seconds for a mebibyte. It also ends lines at characters other than a newline.
func findDirective(data []byte) (offset int) {
	for i, c := range data {
		if c != '%' {
			continue
		}
		before := bytes.TrimRight(data[:i], "\n\r\u0085\u2028\u2029")
		if i == 0 || len(before) < i {
			return i
		}
	}
	return -1
}

// decodeOne turns panics of the parser into errors. The parser panics on some unusual comments.
func decodeOne(decoder *yaml.Decoder) (document *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("yaml: the YAML parser cannot read this: %v", p)
		}
	}()
	document = new(yaml.Node)
	return document, decoder.Decode(document)
}

func buildTree(document *yaml.Node) (*node, []Problem, error) {
	t := yamlTree{}
	root := t.node(document.Content[0], 0)
	if t.fatal != nil {
		return nil, nil, t.fatal
	}
	return root, t.problems, nil
}

// yamlTree copies the parser's tree and expands aliases.
type yamlTree struct {
	problems []Problem
	fatal    *Error
	inAlias  int
	aliased  int
}

func (t *yamlTree) node(y *yaml.Node, depth int) *node {
	n := &node{line: y.Line}
	if t.exceeds(y, depth) {
		return n
	}
	if y.Style&yaml.TaggedStyle != 0 {
		t.add(y.Line, say.T("tags such as %.20s are not used here; leave it out, and put quotes around what is "+
			"text", y.Tag))
	}
	switch y.Kind {
	case yaml.AliasNode:
		t.inAlias++
		n = t.node(y.Alias, depth+1)
		t.inAlias--
	case yaml.ScalarNode:
		n.kind, n.text = scalarKind(y), y.Value
	case yaml.SequenceNode:
		n.kind = list
		for _, item := range y.Content {
			n.items = append(n.items, t.node(item, depth+1))
		}
	case yaml.MappingNode:
		n.kind = object
		n.members = t.members(y.Content, depth+1)
	}
	return n
}

// exceeds reports whether the tree is too deep or too large. An alias inside the value that it refers to is both.
func (t *yamlTree) exceeds(y *yaml.Node, depth int) bool {
	if t.inAlias > 0 {
		t.aliased++
	}
	if t.fatal == nil && depth > maxDepth {
		t.fatal = errorAt(y.Line,
			say.T("mappings and lists are nested too deeply, or an alias stands inside of what it names"))
	}
	if t.fatal == nil && t.aliased > maxAliased {
		t.fatal = errorAt(y.Line, say.T("aliases repeat so much that the file becomes too large; write less with *names"))
	}
	return t.fatal != nil
}

func scalarKind(y *yaml.Node) kind {
	switch {
	case y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return quotedText
	case y.Tag == "!!null":
		return null
	}
	return plain
}

func (t *yamlTree) members(content []*yaml.Node, depth int) (members []member) {
	seen := map[string]bool{}
	for pair := range slices.Chunk(content, 2) {
		value := t.node(pair[1], depth)
		t.checkLostColor(pair[0], pair[1])
		line := pair[0].Line
		name, ok := t.name(pair[0])
		if ok && seen[name] {
			t.add(line, say.T("%.40q stands here for the second time", name))
		} else if ok {
			seen[name] = true
			members = append(members, member{name, line, value})
		}
	}
	return members
}

var hexColor = regexp.MustCompile(`^#[0-9A-Fa-f]{6}\b`)

// checkLostColor detects "accent: #0b7285", which YAML reads as an empty value with a comment.
func (t *yamlTree) checkLostColor(key, value *yaml.Node) {
	comment := key.LineComment + value.LineComment
	if value.Kind == yaml.ScalarNode && value.Tag == "!!null" && hexColor.MatchString(comment) {
		t.add(key.Line, say.T("YAML reads what follows a # as a comment; write %.40q with its quotes",
			hexColor.FindString(comment)))
	}
}

func (t *yamlTree) name(key *yaml.Node) (name string, ok bool) {
	if key.Kind == yaml.AliasNode {
		key = key.Alias
	}
	if key.Kind != yaml.ScalarNode {
		t.add(key.Line, say.T("a name is expected before the colon, not a list or a mapping"))
		return "", false
	}
	if key.Tag == "!!merge" {
		t.add(key.Line, say.T("merge keys (<<) are not used here; write the fields out, or use an alias for a whole value"))
		return "", false
	}
	return key.Value, true
}

func (t *yamlTree) add(line int, reason string) {
	t.problems = append(t.problems, Problem{Line: line, Reason: reason})
}
