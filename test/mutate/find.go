package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// mutations lists what can be changed in a package, in the order of the source. Not all of it compiles.
func (p *pkg) mutations() (found []mutation) {
	for _, f := range p.files {
		for _, d := range f.tree.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Body != nil && d.Name.Name != "String" {
					found = p.walk(found, f, functionName(d), d.Body)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok {
						found = p.walk(found, f, v.Names[0].Name, v)
					}
				}
			}
		}
	}
	seen := map[change]int{}
	for i := range found {
		c := found[i].change()
		if seen[c]++; seen[c] > 1 { // equal lines of one function must be told apart
			found[i].function = fmt.Sprintf("%s #%d", c.function, seen[c])
		}
	}
	return found
}

// functionName is like Runner.claim for a method.
func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	receiver := types.ExprString(d.Recv.List[0].Type)
	return strings.TrimPrefix(receiver, "*") + "." + d.Name.Name
}

// walk appends the mutations of one declaration.
func (p *pkg) walk(found []mutation, f *file, function string, root ast.Node) []mutation {
	add := func(k kind, from, to token.Pos, text string) {
		at := p.fset.Position(from)
		found = append(found, mutation{pkg: p.name, file: f, function: function, kind: k, start: at.Offset,
			end: p.fset.Position(to).Offset, text: text, line: at.Line})
	}
	operator := func(at token.Pos, op token.Token) {
		if o, ok := opposite[op]; ok {
			add(o.kind, at, at+token.Pos(len(op.String())), o.by.String())
		}
	}
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return !p.isText(n)
		case *ast.BinaryExpr:
			if !p.isString(n) || n.Op != token.ADD {
				operator(n.OpPos, n.Op)
			}
		case *ast.IncDecStmt:
			operator(n.TokPos, n.Tok)
		case *ast.AssignStmt:
			if !p.isString(n.Lhs[0]) {
				operator(n.TokPos, n.Tok)
			}
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				add(drop, n.OpPos, n.X.Pos(), "")
			}
		case *ast.IfStmt:
			if !negatedElsewhere(n.Cond) {
				add(negation, n.Cond.Pos(), n.Cond.End(), "!("+f.text(p, n.Cond)+")")
			}
		case *ast.ReturnStmt:
			for _, result := range n.Results {
				if p.isError(result) {
					add(noError, result.Pos(), result.End(), "nil")
				}
			}
		case *ast.BasicLit:
			for _, text := range neighbors(n) {
				add(constant, n.Pos(), n.End(), text)
			}
		case *ast.Ident:
			if o := p.info.Uses[n]; o == types.Universe.Lookup("true") {
				add(boolean, n.Pos(), n.End(), "false")
			} else if o == types.Universe.Lookup("false") {
				add(boolean, n.Pos(), n.End(), "true")
			}
		}
		for _, s := range statements(n) {
			if p.isDeletable(s) {
				add(deletion, s.Pos(), s.End(), "")
			}
		}
		return true
	})
	return found
}

func (f *file) text(p *pkg, n ast.Node) string {
	return string(f.source[p.fset.Position(n.Pos()).Offset:p.fset.Position(n.End()).Offset])
}

// negatedElsewhere reports whether another mutation already makes the opposite of the condition.
func negatedElsewhere(condition ast.Expr) bool {
	switch c := condition.(type) {
	case *ast.BinaryExpr:
		return c.Op == token.EQL || c.Op == token.NEQ
	case *ast.UnaryExpr:
		return c.Op == token.NOT
	}
	return false
}

// neighbors returns the integers one above and one below a literal.
func neighbors(literal *ast.BasicLit) []string {
	n, err := strconv.ParseInt(literal.Value, 0, 64)
	if literal.Kind != token.INT || err != nil {
		return nil
	}
	texts := []string{strconv.FormatInt(n+1, 10)}
	if n > 0 {
		texts = append(texts, strconv.FormatInt(n-1, 10))
	}
	return texts
}

// statements returns the statements of a list of them.
func statements(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}
