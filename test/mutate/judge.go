package main

import (
	"go/ast"
	"go/token"
	"go/types"
)

// isDeletable reports whether a program without the statement could still mean something: what defines no variable,
// opens no block and is not only a log line.
func (p *pkg) isDeletable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE && !isBlank(s.Lhs)
	case *ast.IncDecStmt, *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return ok && !p.isText(call)
	}
	return false
}

func isBlank(left []ast.Expr) bool {
	for _, e := range left {
		if id, ok := e.(*ast.Ident); !ok || id.Name != "_" {
			return false
		}
	}
	return true
}

// isText reports whether a call only makes words for people: a log line, or the message of an error or a panic.
func (p *pkg) isText(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name == "panic"
	case *ast.SelectorExpr:
		if t := p.info.TypeOf(f.X); t != nil && t.String() == "*log/slog.Logger" {
			return true
		}
		if id, ok := f.X.(*ast.Ident); ok && (id.Name == "slog" || id.Name == "log") {
			return true
		}
		return f.Sel.Name == "Errorf"
	}
	return false
}

func (p *pkg) isString(e ast.Expr) bool {
	t := p.info.TypeOf(e)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

func (p *pkg) isError(e ast.Expr) bool {
	t := p.info.TypeOf(e)
	return t != nil && t != types.Typ[types.UntypedNil] && types.Implements(t, errorType)
}
