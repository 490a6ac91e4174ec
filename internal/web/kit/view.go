package kit

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strings"
	"sync"
)

//go:embed layout.html parts.html style.css icon.svg icon.png icons.svg
var ownFiles embed.FS

// Every page is the layout around its own content. parts.html of a folder holds what its pages share.
var layout = template.Must(template.New("layout.html").
	Funcs(template.FuncMap{"asset": Asset, "accent": accentPath}).ParseFS(ownFiles, "layout.html", "parts.html"))

// View holds the pages of one folder: an .html file is a page, every other file is served below /static.
type View struct {
	pages map[string]*template.Template
}

// NewView reads a folder of pages, which are named for their files. shared are folders whose parts.html the pages may use
// besides their own. It panics if a template is wrong; call it at the start.
func NewView(files embed.FS, shared ...embed.FS) *View {
	addAssets(files)
	common := template.Must(layout.Clone())
	for _, folder := range append(shared, files) {
		if _, err := fs.Stat(folder, "parts.html"); err == nil {
			template.Must(common.ParseFS(folder, "parts.html"))
		}
	}
	v := &View{map[string]*template.Template{}}
	names, err := fs.Glob(files, "*.html")
	if err != nil {
		panic(err)
	}
	for _, file := range names {
		if file == "parts.html" {
			continue
		}
		name := strings.TrimSuffix(path.Base(file), ".html")
		v.pages[name] = template.Must(template.Must(common.Clone()).ParseFS(files, file))
	}
	return v
}

// Render writes the page as HTML.
func (v *View) Render(name string, p *Page) ([]byte, error) {
	return v.RenderInto(nil, "", name, "layout.html", p)
}

// RenderInto writes a part of a page, such as the calendar to choose from, into a page that was rendered before, where
// that has a hole.
func (v *View) RenderInto(around []byte, hole, page, part string, content any) ([]byte, error) {
	out := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(out)
	out.Reset()
	before, after, _ := bytes.Cut(around, []byte(hole))
	out.Write(before)
	if err := v.pages[page].ExecuteTemplate(out, part, content); err != nil {
		return nil, fmt.Errorf("write %s of the page %s: %w", part, page, err)
	}
	out.Write(after)
	return bytes.Clone(out.Bytes()), nil
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
