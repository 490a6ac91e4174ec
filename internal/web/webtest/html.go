package webtest

import (
	"fmt"
	"html"
	"iter"
	"slices"
	"strings"
	"testing"
)

// Node is an element of a page, or a text if it has no tag.
type Node struct {
	Tag      string
	Attrs    map[string]string
	Children []*Node
	Text     string
}

const doctype = "<!doctype html>"

var (
	void = strings.Fields("br img input link meta")
	raw  = strings.Fields("script textarea title")
)

// ParseHTML parses a page. It is stricter than a browser: unclosed elements, elements closed twice and unquoted
// attributes are errors. So no text can have broken out of a page that a test parses.
func ParseHTML(t testing.TB, text string) *Node {
	t.Helper()
	rest, ok := strings.CutPrefix(text, doctype)
	if !ok {
		t.Fatalf("no page: %.300s", text)
	}
	return ParsePart(t, rest)
}

// ParsePart parses a part of a page.
func ParsePart(t testing.TB, text string) *Node {
	t.Helper()
	root := &Node{}
	if rest, err := root.read(text); err != nil || rest != "" {
		t.Fatalf("%v at %.100q in\n%s", err, rest, text)
	}
	return root
}

// read parses children until the end of this element.
func (n *Node) read(s string) (rest string, err error) {
	for s != "" {
		if s[0] != '<' {
			text, _, _ := strings.Cut(s, "<")
			n.Children = append(n.Children, &Node{Text: html.UnescapeString(text)})
			s = s[len(text):]
			continue
		}
		inner, ends := strings.CutPrefix(s[1:], "/")
		tag, after := cutName(inner)
		switch {
		case tag == "" || tag[0] < 'a': // a digit or a capital
			return s, fmt.Errorf("a bare <")
		case !ends:
			if s, err = n.readElement(tag, after); err != nil {
				return s, err
			}
		case tag != n.Tag || !strings.HasPrefix(after, ">"):
			return s, fmt.Errorf("</%s> ends <%s>", tag, n.Tag)
		default:
			return after[1:], nil
		}
	}
	if n.Tag != "" {
		return s, fmt.Errorf("<%s> has no end", n.Tag)
	}
	return s, nil
}

// cutName cuts off the name of an element or attribute. It uses no expression: under the race detector, matching
// expressions took more than half of the time of all tests of pages.
func cutName(s string) (name, rest string) {
	rest = strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")
	return s[:len(s)-len(rest)], rest
}

func (n *Node) readElement(tag, s string) (rest string, err error) {
	child := &Node{Tag: tag, Attrs: map[string]string{}}
	n.Children = append(n.Children, child)
	for {
		name, after := cutName(strings.TrimLeft(s, " \t\n"))
		if name == "" || s[0] > ' ' {
			break
		}
		if _, twice := child.Attrs[name]; twice {
			return s, fmt.Errorf("<%s> has %s twice", tag, name)
		}
		value := ""
		if quoted, ok := strings.CutPrefix(after, `="`); ok {
			if value, after, ok = strings.Cut(quoted, `"`); !ok || strings.Contains(value, "<") {
				return s, fmt.Errorf("%s of <%s> has no end", name, tag)
			}
		}
		child.Attrs[name] = html.UnescapeString(value)
		s = after
	}
	closed := strings.HasPrefix(s, "/>") // only in the icons' SVG
	s = strings.TrimPrefix(s, "/")
	if !strings.HasPrefix(s, ">") {
		return s, fmt.Errorf("<%s> goes on", tag)
	}
	s = s[1:]
	switch {
	case closed || slices.Contains(void, tag):
		return s, nil
	case slices.Contains(raw, tag):
		text, after, ok := strings.Cut(s, "</"+tag+">")
		if !ok {
			return s, fmt.Errorf("<%s> has no end", tag)
		}
		if tag != "script" {
			text = html.UnescapeString(strings.TrimPrefix(text, "\n"))
		}
		child.Children = []*Node{{Text: text}}
		return after, nil
	}
	return child.read(s)
}

// Descendants returns the elements and texts below this one, in document order.
func (n *Node) Descendants() iter.Seq[*Node] {
	return func(yield func(*Node) bool) { n.visit(yield) }
}

func (n *Node) visit(yield func(*Node) bool) bool {
	for _, c := range n.Children {
		if !yield(c) || !c.visit(yield) {
			return false
		}
	}
	return true
}

// Find returns the nodes that match a selector such as "a", ".day", "a.day" or "#main", in document order.
func (n *Node) Find(what string) (found []*Node) {
	if n.is(what) {
		found = append(found, n)
	}
	for _, c := range n.Children {
		found = append(found, c.Find(what)...)
	}
	return found
}

func (n *Node) is(what string) bool {
	if tag, class, ok := strings.Cut(what, "."); ok {
		return n.Tag != "" && (tag == "" || tag == n.Tag) && slices.Contains(strings.Fields(n.Attrs["class"]), class)
	}
	if id, ok := strings.CutPrefix(what, "#"); ok {
		return n.Attrs["id"] == id
	}
	return n.Tag == what
}

// First returns the first match, or an empty node if there is none.
func (n *Node) First(what string) *Node {
	if found := n.Find(what); len(found) > 0 {
		return found[0]
	}
	return &Node{}
}

// Has reports whether anything matches.
func (n *Node) Has(what string) bool { return len(n.Find(what)) > 0 }

// Attr returns an attribute, or "" if there is none.
func (n *Node) Attr(name string) string { return n.Attrs[name] }

// HasAttr reports whether there is an attribute, with a value or without.
func (n *Node) HasAttr(name string) bool {
	_, ok := n.Attrs[name]
	return ok
}

// Words returns the node's text with single spaces.
func (n *Node) Words() string { return strings.Join(strings.Fields(n.Content()), " ") }

// Content returns the node's text.
func (n *Node) Content() string {
	text := n.Text
	if n.Tag == "br" {
		text = "\n"
	}
	for _, c := range n.Children {
		text += c.Content()
	}
	return text
}
