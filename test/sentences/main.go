// Command sentences prints every sentence that people read on pages, in emails and on the command line, in the order of
// the files: to be read aloud, and to be translated one day. Its test finds sentences that are not marked.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	unmarked := flag.Bool("unmarked", false, "print the sentences that are not marked instead")
	flag.Parse()
	c, err := read(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "sentences:", err)
		os.Exit(1)
	}
	list := c.marked
	if *unmarked {
		list = c.unmarked
	}
	for _, s := range list {
		fmt.Println(s)
	}
}

// catalog is what people read, sorted by its place.
type catalog struct{ marked, unmarked []sentence }

// read returns the sentences of the module at root.
func read(root string) (*catalog, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	packages, err := load(fset, root)
	if err != nil {
		return nil, err
	}
	c := &catalog{}
	for _, p := range packages {
		if isExempt(p.path) {
			continue
		}
		c.add(readCode(fset, p))
		files, err := os.ReadDir(p.dir)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if err := c.addFile(p.dir, f); err != nil {
				return nil, err
			}
		}
	}
	for _, list := range [][]sentence{c.marked, c.unmarked} {
		for i := range list {
			list[i].at.Filename = strings.TrimPrefix(list[i].at.Filename, root+"/")
		}
		slices.SortStableFunc(list, func(a, b sentence) int {
			return cmp.Or(cmp.Compare(a.at.Filename, b.at.Filename), cmp.Compare(a.at.Line, b.at.Line))
		})
	}
	return c, nil
}

// addFile adds the sentences of a template or a script beside the code. The templates of emails have a folder.
func (c *catalog) addFile(dir string, f fs.DirEntry) error {
	path := filepath.Join(dir, f.Name())
	switch {
	case f.IsDir() && f.Name() == "templates":
		files, err := os.ReadDir(path)
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := c.addTemplate(filepath.Join(path, f.Name())); err != nil {
				return err
			}
		}
	case strings.HasSuffix(f.Name(), ".html"):
		return c.addTemplate(path)
	case strings.HasSuffix(f.Name(), ".js"):
		unmarked, err := readScript(path)
		c.add(nil, unmarked)
		return err
	}
	return nil
}

func (c *catalog) addTemplate(path string) error {
	marked, unmarked, err := readTemplate(path)
	c.add(marked, unmarked)
	return err
}

func (c *catalog) add(marked, unmarked []sentence) {
	c.marked = append(c.marked, marked...)
	for _, s := range unmarked {
		if !isName(s.text) && !isTechnical(s) {
			c.unmarked = append(c.unmarked, s)
		}
	}
}
