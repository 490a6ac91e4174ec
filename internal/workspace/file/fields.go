package file

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"slotd/internal/workspace"
)

// reader walks a file's tree, gathers what is wrong, and remembers on which line each part stands.
type reader struct {
	problems []Problem
	lines    map[string]int  // path → line
	bad      map[string]bool // paths that have a problem already
}

func (r *reader) add(line int, path, reason string) {
	r.problems = append(r.problems, Problem{line, path, reason})
	r.bad[path] = true
}

// addValidated leaves out what follows from a problem that is known already: a slug that is missing is no slug either,
// and where the schedules cannot be read, none has the name that an event type gives.
func (r *reader) addValidated(p workspace.Problem) {
	if r.bad["schedules"] && strings.HasSuffix(p.Path, ".schedule") {
		return
	}
	line := 0
	for path := p.Path; ; path = parent(path) {
		if r.bad[path] {
			return
		}
		if line == 0 {
			line = r.lines[path]
		}
		if path == "" {
			break
		}
	}
	r.problems = append(r.problems, Problem{line, p.Path, p.Reason})
}

// maxItems is more than any list or mapping of a right file holds. It keeps a hostile one from being judged item by
// item.
const maxItems = 2000

// expect reports whether n is of the kind, and of a size worth reading.
func (r *reader) expect(n *node, want kind, path, reason string) bool {
	size := max(len(n.items), len(n.members))
	switch {
	case n.kind != want:
		r.add(n.line, path, reason)
	case size > maxItems:
		r.add(n.line, path, fmt.Sprintf("must hold far less; it holds %d items", size))
	default:
		return true
	}
	return false
}

func parent(path string) string { return path[:max(strings.LastIndexAny(path, ".["), 0)] }

// fields are the parts of one object by name. What is left out or null is not there.
type fields struct {
	r     *reader
	line  int
	path  string
	parts map[string]*node
}

// object reads n's parts and refuses names that are not known. A missing n has no parts.
func (r *reader) object(n *node, path string, known ...string) fields {
	f := fields{r: r, line: r.lines[path], path: path, parts: map[string]*node{}}
	if n == nil || !r.expect(n, object, path, "must be a mapping with "+strings.Join(known, ", ")) {
		return f
	}
	for _, m := range n.members {
		at := workspace.Under(path, m.name)
		r.lines[at] = m.line
		if reason := unknown(m.name, known); reason != "" {
			r.add(m.line, at, reason)
		} else if m.value.kind != null {
			f.parts[m.name] = m.value
		}
	}
	return f
}

func (f fields) at(name string) string { return workspace.Under(f.path, name) }

func (f fields) wrong(name, reason string) { f.r.add(f.parts[name].line, f.at(name), reason) }

// need names the parts that must not be left out. Where the object itself is no object, that is known already.
func (f fields) need(names ...string) fields {
	for _, name := range names {
		if f.parts[name] == nil && !f.r.bad[f.path] {
			f.r.add(f.line, f.at(name), "is missing")
		}
	}
	return f
}

func (f fields) object(name string, known ...string) fields {
	return f.r.object(f.parts[name], f.at(name), known...)
}

func (f fields) text(name string) string {
	n := f.parts[name]
	if n == nil {
		return ""
	}
	if n.kind != word && n.kind != text {
		f.wrong(name, "must be text")
	}
	return n.text
}

func (f fields) flag(name string) bool {
	n := f.parts[name]
	if n == nil {
		return false
	}
	if n.kind != word || n.text != "true" && n.text != "false" {
		f.wrong(name, "must be true or false, without quotes")
	}
	return n.text == "true"
}

// number leaves into as it is, a default, where the part is left out.
func (f fields) number(name string, into *int) {
	if n := f.parts[name]; n != nil {
		*into = f.r.integer(n, f.at(name))
	}
}

// positive is for a limit whose 0 would mean "none" inside the program: a file says that by leaving it out.
func (f fields) positive(name string, into *int, otherwise string) {
	f.number(name, into)
	if f.parts[name] != nil && *into == 0 && !f.r.bad[f.at(name)] {
		f.wrong(name, "must be at least 1; leave it out for "+otherwise)
	}
}

// list returns the items, and whether the part was given at all.
func (f fields) list(name, example string) (items []*node, given bool) {
	n := f.parts[name]
	if n == nil {
		return nil, false
	}
	return f.r.list(n, f.at(name), example), true
}

func (r *reader) list(n *node, path, example string) []*node {
	if !r.expect(n, list, path, "must be a list, such as "+example) {
		return nil
	}
	for i, item := range n.items {
		r.lines[fmt.Sprintf("%s[%d]", path, i)] = item.line
	}
	return n.items
}

var integerShape = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)

// integer keeps what is too large for a number too large: the bound of the field then says what is right.
func (r *reader) integer(n *node, path string) int {
	if n.kind != word || !integerShape.MatchString(n.text) {
		r.add(n.line, path, "must be a whole number in plain digits, without quotes, such as 30")
		return 0
	}
	number, _ := strconv.ParseInt(n.text, 10, 64)
	return int(max(math.MinInt32, min(number, math.MaxInt32)))
}
