package main

import (
	"bytes"
	"fmt"
	"go/token"
	"strings"
)

// kind is what a mutation does to the source.
type kind string

const (
	comparison kind = "compare" // < to <=, == to !=
	logic      kind = "logic"   // && to ||
	arithmetic kind = "arith"   // + to -
	negation   kind = "negate"  // of an if condition
	drop       kind = "drop"    // of a !
	deletion   kind = "delete"  // of a statement
	noError    kind = "noerror" // nil in place of a returned error
	constant   kind = "const"   // one more or one less
	boolean    kind = "bool"    // true to false
)

// mutation replaces a part of a file.
type mutation struct {
	pkg        string
	file       *file
	function   string // or the variable or constant in whose declaration it is; #2 after it: the second equal line
	kind       kind
	start, end int // bytes of the source
	text       string
	line       int
}

// apply returns the mutated source.
func (m *mutation) apply() []byte {
	return bytes.Join([][]byte{m.file.source[:m.start], []byte(m.text), m.file.source[m.end:]}, nil)
}

// position is the place in the source as editors understand it.
func (m *mutation) position() string { return fmt.Sprintf("%s/%s:%d", m.pkg, m.file.name, m.line) }

func (m mutation) String() string {
	c := m.change()
	return fmt.Sprintf("%s %s\n    - %s\n    + %s", m.position(), m.function, c.before, c.after)
}

// change names a mutation without its line number, so that it is recognized when the code around it moves.
type change struct {
	pkg, function string
	before, after string // the lines that change
}

func (c change) String() string {
	return fmt.Sprintf("%s %s: %s => %s", c.pkg, c.function, c.before, c.after)
}

func (m *mutation) change() change {
	source := m.file.source
	from := bytes.LastIndexByte(source[:m.start], '\n') + 1
	to := len(source)
	if i := bytes.IndexByte(source[m.end:], '\n'); i >= 0 {
		to = m.end + i
	}
	after := string(source[from:m.start]) + m.text + string(source[m.end:to])
	return change{pkg: m.pkg, function: m.function, before: oneLine(string(source[from:to])), after: oneLine(after)}
}

// oneLine shortens code to a line that still identifies it.
func oneLine(code string) string {
	const most = 160
	line := strings.Join(strings.Fields(code), " ")
	if line == "" {
		return "(nothing)"
	}
	if r := []rune(line); len(r) > most {
		return string(r[:most]) + "…"
	}
	return line
}

// opposite is what an operator is replaced by.
var opposite = map[token.Token]struct {
	kind kind
	by   token.Token
}{
	token.LSS:        {comparison, token.LEQ},
	token.LEQ:        {comparison, token.LSS},
	token.GTR:        {comparison, token.GEQ},
	token.GEQ:        {comparison, token.GTR},
	token.EQL:        {comparison, token.NEQ},
	token.NEQ:        {comparison, token.EQL},
	token.LAND:       {logic, token.LOR},
	token.LOR:        {logic, token.LAND},
	token.ADD:        {arithmetic, token.SUB},
	token.SUB:        {arithmetic, token.ADD},
	token.ADD_ASSIGN: {arithmetic, token.SUB_ASSIGN},
	token.SUB_ASSIGN: {arithmetic, token.ADD_ASSIGN},
	token.INC:        {arithmetic, token.DEC},
	token.DEC:        {arithmetic, token.INC},
}
