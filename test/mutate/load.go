package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// pkg is a package as the compiler sees it, without its tests.
type pkg struct {
	name     string // its folder, from the root of the repository
	fset     *token.FileSet
	files    []*file
	importer types.Importer
	info     *types.Info
	rapid    bool   // its tests use pgregory.net/rapid
	tests    string // the tests to run, as go test -run understands it; empty: all
}

type file struct {
	name   string // without the folder
	path   string // absolute
	source []byte
	tree   *ast.File
}

// load parses and type-checks a package.
func load(name string) (*pkg, error) {
	list := exec.Command("go", "list", "-export", "-deps",
		"-json=ImportPath,Dir,GoFiles,Export,TestImports,XTestImports", "./"+name)
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", name, err)
	}
	type listed struct {
		ImportPath, Dir, Export            string
		GoFiles, TestImports, XTestImports []string
	}
	var self listed // the last one: dependencies come first
	exports := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		self = listed{}
		if err := d.Decode(&self); err != nil {
			return nil, err
		}
		exports[self.ImportPath] = self.Export
	}
	p := &pkg{name: name, fset: token.NewFileSet(), info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{},
		Uses: map[*ast.Ident]types.Object{}}}
	p.rapid = slices.Contains(append(self.TestImports, self.XTestImports...), "pgregory.net/rapid")
	p.importer = importer.ForCompiler(p.fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	for _, base := range self.GoFiles {
		f := &file{name: base, path: filepath.Join(self.Dir, base)}
		if f.source, err = os.ReadFile(f.path); err != nil {
			return nil, err
		}
		if f.tree, err = parse(p.fset, f.path, f.source); err != nil {
			return nil, err
		}
		p.files = append(p.files, f)
	}
	return p, p.check(nil, p.info)
}

func parse(fset *token.FileSet, path string, source []byte) (*ast.File, error) {
	return parser.ParseFile(fset, path, source, parser.SkipObjectResolution)
}

// check type-checks the package, with one file replaced if there is a mutation.
func (p *pkg) check(m *mutation, info *types.Info) error {
	var trees []*ast.File
	for _, f := range p.files {
		tree := f.tree
		if m != nil && m.file == f {
			var err error
			if tree, err = parse(p.fset, f.path, m.apply()); err != nil {
				return err
			}
		}
		trees = append(trees, tree)
	}
	config := types.Config{Importer: p.importer}
	_, err := config.Check(p.name, p.fset, trees, info)
	return err
}

// compiles reports whether the mutated package type-checks. That is much quicker than asking the compiler.
func (p *pkg) compiles(m mutation) bool { return p.check(&m, nil) == nil }
