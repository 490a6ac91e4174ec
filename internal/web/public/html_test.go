package public

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// node is an element of a page, or a text if it has no tag.
type node struct {
	tag      string
	attrs    map[string]string
	children []*node
	text     string
}

var (
	tagHead   = regexp.MustCompile(`^<(/?)([a-z][a-z0-9]*)`)
	attribute = regexp.MustCompile(`^\s+([a-zA-Z-]+)(="[^"<]*")?`)
	void      = strings.Fields("br img input link meta")
	raw       = strings.Fields("script textarea title")
)

// parseHTML is stricter than a browser: unclosed elements, elements closed twice and unquoted attributes are errors. So
// no text can have broken out of a page that a test parses.
func parseHTML(t testing.TB, text string) *node {
	t.Helper()
	rest, ok := strings.CutPrefix(text, "<!doctype html>")
	if !ok {
		t.Fatalf("no page: %.300s", text)
	}
	root := &node{}
	if rest, err := root.read(rest); err != nil || rest != "" {
		t.Fatalf("%v at %.100q in\n%s", err, rest, text)
	}
	return root
}

// read parses children until the end of this element.
func (n *node) read(s string) (rest string, err error) {
	for s != "" {
		head := tagHead.FindStringSubmatch(s)
		switch {
		case head == nil && s[0] == '<' && !strings.HasPrefix(s, "</"):
			return s, fmt.Errorf("a bare <")
		case head == nil:
			end := strings.IndexByte(s[1:], '<') + 1
			if end == 0 {
				end = len(s)
			}
			n.children = append(n.children, &node{text: html.UnescapeString(s[:end])})
			s = s[end:]
		case head[1] == "/":
			if head[2] != n.tag {
				return s, fmt.Errorf("</%s> ends <%s>", head[2], n.tag)
			}
			return strings.TrimPrefix(s[len(head[0]):], ">"), nil
		default:
			if s, err = n.readElement(head[2], s[len(head[0]):]); err != nil {
				return s, err
			}
		}
	}
	if n.tag != "" {
		return s, fmt.Errorf("<%s> has no end", n.tag)
	}
	return s, nil
}

func (n *node) readElement(tag, s string) (rest string, err error) {
	child := &node{tag: tag, attrs: map[string]string{}}
	n.children = append(n.children, child)
	for m := attribute.FindStringSubmatch(s); m != nil; m = attribute.FindStringSubmatch(s) {
		if _, twice := child.attrs[m[1]]; twice {
			return s, fmt.Errorf("<%s> has %s twice", tag, m[1])
		}
		child.attrs[m[1]] = html.UnescapeString(strings.Trim(strings.TrimPrefix(m[2], "="), `"`))
		s = s[len(m[0]):]
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
		child.children = []*node{{text: text}}
		return after, nil
	}
	return child.read(s)
}

// find returns the nodes that match a selector such as "a", ".day", "a.day" or "#main", in document order.
func (n *node) find(what string) (found []*node) {
	if n.is(what) {
		found = append(found, n)
	}
	for _, c := range n.children {
		found = append(found, c.find(what)...)
	}
	return found
}

func (n *node) is(what string) bool {
	if tag, class, ok := strings.Cut(what, "."); ok {
		return n.tag != "" && (tag == "" || tag == n.tag) && slices.Contains(strings.Fields(n.attrs["class"]), class)
	}
	if id, ok := strings.CutPrefix(what, "#"); ok {
		return n.attrs["id"] == id
	}
	return n.tag == what
}

// first returns the first match, or an empty node if there is none.
func (n *node) first(what string) *node {
	if found := n.find(what); len(found) > 0 {
		return found[0]
	}
	return &node{}
}

func (n *node) has(what string) bool { return len(n.find(what)) > 0 }

func (n *node) attr(name string) string { return n.attrs[name] }

// words returns the node's text with single spaces.
func (n *node) words() string { return strings.Join(strings.Fields(n.content()), " ") }

func (n *node) content() string {
	text := n.text
	if n.tag == "br" {
		text = "\n"
	}
	for _, c := range n.children {
		text += c.content()
	}
	return text
}

// fields returns what a browser would send for an untouched form.
func (n *node) fields() url.Values {
	v := url.Values{}
	for _, field := range append(n.find("input"), n.find("textarea")...) {
		if field.attr("name") == "" || field.attr("type") == "radio" {
			continue
		}
		value := field.attr("value")
		if field.tag == "textarea" {
			value = field.content()
		}
		v.Set(field.attr("name"), value)
	}
	return v
}
