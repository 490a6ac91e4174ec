package file

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"slotd/internal/lib/say"
	"slotd/internal/workspace"
)

// reader walks the tree of a file. It collects problems and remembers the line of each part.
type reader struct {
	problems   []Problem
	lines      map[string]int  // by path
	hasProblem map[string]bool // paths that already have a problem
}

func (r *reader) add(line int, path, reason string) {
	r.problems = append(r.problems, Problem{line, path, reason})
	r.hasProblem[path] = true
}

// addValidated skips problems that follow from one that is already known. A missing slug is also an invalid slug, and
// if the schedules cannot be read, no event type's schedule exists.
func (r *reader) addValidated(p workspace.Problem) {
	if r.hasProblem["schedules"] && strings.HasSuffix(p.Path, ".schedule") {
		return
	}
	line := 0
	for path := p.Path; ; path = parent(path) {
		if r.hasProblem[path] {
			return
		}
		if line == 0 {
			line = r.lines[path]
		}
		if path == "" {
			break
		}
	}
	r.problems = append(r.problems, Problem{line, p.Path, p.Error()})
}

// maxItems is more than any list or mapping of a valid file contains. It avoids checking a hostile file item by item.
const maxItems = 2000

// expect reports whether n has the kind, and a size that is worth reading.
func (r *reader) expect(n *node, want kind, path, reason string) bool {
	size := max(len(n.items), len(n.members))
	switch {
	case n.kind != want:
		r.add(n.line, path, reason)
	case size > maxItems:
		r.add(n.line, path, say.T("must hold far less; it holds %d items", size))
	default:
		return true
	}
	return false
}

func parent(path string) string { return path[:max(strings.LastIndexAny(path, ".["), 0)] }

// fields are the parts of one object by name, without those that are omitted or null.
type fields struct {
	r     *reader
	line  int
	path  string
	parts map[string]*node
}

// object reads the parts of n and rejects unknown names. A missing n has no parts.
func (r *reader) object(n *node, path string, known ...string) fields {
	f := fields{r: r, line: r.lines[path], path: path, parts: map[string]*node{}}
	if n == nil || !r.expect(n, object, path, say.T("must be a mapping with %s", strings.Join(known, ", "))) {
		return f
	}
	for _, m := range n.members {
		at := workspace.JoinPath(path, m.name)
		r.lines[at] = m.line
		if reason := checkFieldName(m.name, known); reason != "" {
			r.add(m.line, at, reason)
		} else if m.value.kind != null {
			f.parts[m.name] = m.value
		}
	}
	return f
}

func (f fields) at(name string) string { return workspace.JoinPath(f.path, name) }

func (f fields) addProblem(name, reason string) { f.r.add(f.parts[name].line, f.at(name), reason) }

// require reports the parts that are missing. It stays silent if the object itself already has a problem.
func (f fields) require(names ...string) fields {
	for _, name := range names {
		if f.parts[name] == nil && !f.r.hasProblem[f.path] {
			f.r.add(f.line, f.at(name), say.T("is missing"))
		}
	}
	return f
}

func (r *reader) text(n *node, path string) string {
	if n.kind != plain && n.kind != quotedText {
		r.add(n.line, path, say.T("must be text"))
	}
	return n.text
}

func (r *reader) flag(n *node, path string) bool {
	if n.kind != plain || n.text != "true" && n.text != "false" {
		r.add(n.line, path, say.T("must be true or false, without quotes"))
	}
	return n.text == "true"
}

// number reads a whole number. If 0 means none, a file says so by leaving the field out.
func (r *reader) number(n *node, path, none string) int {
	number := r.integer(n, path)
	if number == 0 && none != "" && !r.hasProblem[path] {
		r.add(n.line, path, say.T("must be at least 1; leave it out for %s", none))
	}
	return number
}

// list returns the items of a part, or none if it is left out.
func (f fields) list(name, example string) []*node {
	if f.parts[name] == nil {
		return nil
	}
	return f.r.list(f.parts[name], f.at(name), example)
}

func (r *reader) list(n *node, path, example string) []*node {
	if !r.expect(n, list, path, say.T("must be a list, such as %s", example)) {
		return nil
	}
	for i, item := range n.items {
		r.lines[fmt.Sprintf("%s[%d]", path, i)] = item.line
	}
	return n.items
}

var integerShape = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)

// integer clamps numbers that are too large for an int32. They stay out of bounds, so the check of the field reports
// what is right.
func (r *reader) integer(n *node, path string) int {
	if n.kind != plain || !integerShape.MatchString(n.text) {
		r.add(n.line, path, say.T("must be a whole number in plain digits, without quotes, such as 30"))
		return 0
	}
	number, _ := strconv.ParseInt(n.text, 10, 64)
	return int(max(math.MinInt32, min(number, math.MaxInt32)))
}
