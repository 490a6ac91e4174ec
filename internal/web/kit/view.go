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

	"slotd/internal/lib/say"
)

//go:embed layout.html parts.html style.css icon.svg icon.png icons.svg
var ownFiles embed.FS

// layout surrounds the content of every page. A folder's parts.html holds the templates that its pages share.
var layout = template.Must(template.New("layout.html").
	Funcs(say.Funcs).Funcs(template.FuncMap{"asset": Asset, "accent": accentPath}).ParseFS(ownFiles, "layout.html", "parts.html"))

// View holds the pages of one folder: every .html file is a page, every other file is served under /static.
type View struct {
	pages map[string]*template.Template
}

// NewView parses a folder of pages, which are named after their files. shared are further folders whose parts.html the
// pages may use. NewView panics if a template is invalid; call it during initialization.
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
		v.pages[name] = inlineSentences(template.Must(template.Must(common.Clone()).ParseFS(files, file)))
	}
	return v
}

// Render returns the page as HTML.
func (v *View) Render(name string, p *Page) ([]byte, error) {
	return v.RenderInto(nil, "", name, "layout.html", p)
}

// RenderInto renders a part of a page, such as the calendar, and inserts it into the shell, a page that was rendered
// before, in place of the placeholder.
func (v *View) RenderInto(shell []byte, placeholder, page, part string, content any) ([]byte, error) {
	out := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(out)
	out.Reset()
	before, after, _ := bytes.Cut(shell, []byte(placeholder))
	out.Write(before)
	if err := v.pages[page].ExecuteTemplate(out, part, content); err != nil {
		return nil, fmt.Errorf("write %s of the page %s: %w", part, page, err)
	}
	out.Write(after)
	return bytes.Clone(out.Bytes()), nil
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
