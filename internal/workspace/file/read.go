// Package file reads and writes the workspace file and describes what applying one changes.
//
// It converts text to a slotd.Workspace and back, and reports problems with their lines. It does not decide which
// values are valid, which is the task of workspace.Validate. It accesses neither the database nor secrets: a file only
// names the environment variable that holds a password.
package file

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/workspace"
)

// maxSize bounds the cost of reading a file: the YAML parser takes up to a second per mebibyte. Every valid workspace
// fits, so an exported file can always be applied.
const maxSize = 16 << 20

// File is the content of a workspace file, with defaults filled in.
type File struct {
	Workspace slotd.Workspace
	Passwords map[string]PasswordEnv // by the calendar's name

	CalendarLines map[string]int // by the calendar's name
}

// PasswordEnv is the environment variable that holds a calendar's password.
type PasswordEnv struct {
	Name string
	Line int
}

// Problem is one thing that is wrong in a file. Path is empty if the text itself cannot be read.
type Problem struct {
	Line         int
	Path, Reason string
}

func (p Problem) String() string {
	if p.Path == "" {
		return fmt.Sprintf("line %d: %s", p.Line, p.Reason)
	}
	return fmt.Sprintf("line %d: %s: %s", p.Line, p.Path, p.Reason)
}

// Error holds all problems of a file, ordered by line.
type Error struct{ Problems []Problem }

func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

func errorAt(line int, reason string) *Error {
	return &Error{[]Problem{{Line: line, Reason: reason}}}
}

// Read parses YAML or JSON. Its error is always an *Error.
func Read(data []byte) (*File, error) {
	root, problems, err := parse(data)
	if err != nil {
		return nil, err
	}
	r := reader{problems: problems, lines: map[string]int{"": root.line}, hasProblem: map[string]bool{}}
	file := r.file(root)
	for _, p := range workspace.Validate(&file.Workspace) {
		r.addValidated(p)
	}
	if len(r.problems) == 0 {
		return file, nil
	}
	slices.SortStableFunc(r.problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return nil, &Error{r.problems}
}

func parse(data []byte) (root *node, problems []Problem, err error) {
	if len(data) > maxSize {
		return nil, nil, errorAt(1, say.T("the file is larger than %d bytes", maxSize))
	}
	if !utf8.Valid(data) {
		return nil, nil, errorAt(lineOf(data, firstInvalid(data)), say.T("the file is not valid UTF-8"))
	}
	// Some editors write a byte order mark, which JSON does not allow.
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) {
		root, err = parseJSON(data)
	} else {
		root, problems, err = parseYAML(data)
	}
	if err == nil && root.kind != object {
		err = errorAt(1, notAMapping.String())
	}
	return root, problems, err
}

const notAMapping say.Sentence = "the file must be a mapping with workspace, host, schedules and event_types"

func lineOf(data []byte, offset int) int { return 1 + bytes.Count(data[:offset], []byte("\n")) }

func firstInvalid(data []byte) (offset int) {
	for i, r := range string(data) {
		if r == utf8.RuneError && !bytes.HasPrefix(data[i:], []byte("\ufffd")) {
			return i
		}
	}
	return len(data)
}
