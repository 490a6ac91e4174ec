package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"strconv"
	"strings"
)

const sayPath = "slotd/internal/lib/say"

// sentence is a sentence that people read, and where it stands.
type sentence struct {
	at   token.Position
	text string
}

// reader walks through one package.
type reader struct {
	fset     *token.FileSet
	src      *source
	marked   []sentence
	unmarked []sentence
}

// readCode returns the sentences of a package's code: those that are marked and those that are not.
func readCode(fset *token.FileSet, src *source) (marked, unmarked []sentence) {
	r := &reader{fset: fset, src: src}
	for _, f := range src.files {
		for _, decl := range f.Decls {
			if imports, ok := decl.(*ast.GenDecl); ok && imports.Tok == token.IMPORT {
				continue
			}
			if isErrorMethod(decl) {
				continue
			}
			ast.Inspect(decl, r.visit)
		}
	}
	return r.marked, r.unmarked
}

// isErrorMethod reports whether a declaration is the text of an error type, as errors.New is for others.
func isErrorMethod(decl ast.Decl) bool {
	f, ok := decl.(*ast.FuncDecl)
	return ok && f.Recv != nil && f.Name.Name == "Error" && f.Type.Params.NumFields() == 0
}

func (r *reader) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		return r.call(n)
	case *ast.StructType: // its tags are not read by people
		return false
	case ast.Expr:
		return r.expression(n)
	}
	return true
}

// call reports whether to look into a call.
func (r *reader) call(call *ast.CallExpr) bool {
	name := r.callee(call)
	switch {
	case name == sayPath+".T":
		r.mark(call.Args[0])
		r.inspect(call.Args[1:])
		return false
	case name == sayPath+".N":
		r.mark(call.Args[1])
		r.mark(call.Args[2])
		r.inspect(call.Args[3:])
		return false
	case technical(name):
		r.inspectMarks(call.Args)
		return false
	}
	return r.expression(call)
}

func (r *reader) inspect(args []ast.Expr) {
	for _, arg := range args {
		ast.Inspect(arg, r.visit)
	}
}

// inspectMarks finds the marked sentences in the arguments of a technical call.
func (r *reader) inspectMarks(args []ast.Expr) {
	inner := &reader{fset: r.fset, src: r.src}
	inner.inspect(args)
	r.marked = append(r.marked, inner.marked...)
}

// mark adds a sentence. One that is not a constant cannot be on the list, so it counts as unmarked.
func (r *reader) mark(arg ast.Expr) {
	if value := r.src.info.Types[arg].Value; value != nil {
		r.marked = append(r.marked, sentence{r.fset.Position(arg.Pos()), constant.StringVal(value)})
		return
	}
	r.unmarked = append(r.unmarked, sentence{r.fset.Position(arg.Pos()), "a sentence that is not a constant"})
}

// expression reports whether to look into an expression.
func (r *reader) expression(e ast.Expr) bool {
	tv := r.src.info.Types[e]
	if tv.Value == nil || tv.Value.Kind() != constant.String {
		return true
	}
	if _, ok := e.(*ast.Ident); ok { // its declaration is looked at
		return false
	}
	text := constant.StringVal(tv.Value)
	if named, ok := tv.Type.(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == sayPath {
		if text != "" {
			r.marked = append(r.marked, sentence{r.fset.Position(e.Pos()), text})
		}
	} else if isProse(text) {
		r.unmarked = append(r.unmarked, sentence{r.fset.Position(e.Pos()), text})
	}
	return false
}

// callee returns a called function's full name, such as fmt.Errorf or (*log/slog.Logger).Info.
func (r *reader) callee(call *ast.CallExpr) string {
	var id *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return ""
	}
	switch f := r.src.info.Uses[id].(type) {
	case *types.Func:
		return f.FullName()
	case *types.Builtin:
		return f.Name()
	}
	return ""
}

// technicalCalls take texts that people do not read, or only operators in a log.
var technicalCalls = regexp.MustCompile(`^(fmt\.Errorf|errors\.New|panic|regexp\.\w+|time\.\w+|` +
	`\(\*log/slog\.Logger\)\.\w+|log/slog\.\w+|\(time\.Time\)\.\w+|\(net/http\.Header\)\.\w+|` +
	`\(\*?html/template\.Template\)\.\w+|\(\*?database/sql\.\w+\)\.\w+|strings\.\w+|slices\.\w+|` +
	`\(\*net/http\.ServeMux\)\.\w+|encoding/json\.\w+)$`)

func technical(name string) bool { return technicalCalls.MatchString(name) }

var (
	word  = regexp.MustCompile(`\pL{2,}`)
	words = regexp.MustCompile(`\pL{2,}[,.:;]? +[("“]?\pL{2,}|^[A-Z]\p{Ll}+[.:]?$`)
)

// object matches JSON, CSS and what has a GUID.
var object = regexp.MustCompile(`\{\s*"?[\w-]+"?\s*:|\{[0-9a-f]{8}-[0-9a-f-]{27}\}`)

// isProse reports whether a text looks like words for people: two words in a row, or one with a capital.
func isProse(text string) bool {
	return words.MatchString(text) && !strings.HasPrefix(text, "SELECT ") && !strings.Contains(text, "</") &&
		!strings.HasPrefix(text, "Content-Type:") && !object.MatchString(text)
}

// Quote returns a sentence on one line.
func (s sentence) String() string { return s.at.String() + ": " + strconv.Quote(s.text) }
