// Package kit gives every page its face: the layout, the templates, the static files and the headers
// that keep a page to itself. It knows nothing of bookings: what a page says comes from the rooms
// above.
package kit

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"strings"
	"sync"
)

// Mux is what pages are added to.
type Mux interface {
	Handle(pattern string, handler http.Handler)
}

// Page is what the layout needs; Content is the page's own.
type Page struct {
	Title       string
	Description string // for search engines and link previews
	URL         string // the page's own address; only a page that may be found has one
	Face        Face
	Embedded    bool     // shown in a frame on another site
	Framers     []string // the sites that may do that
	Payees      []string // the sites that forms may lead to, for paying
	Personal    bool     // somebody's data is on it, which no cache may keep
	Home        string   // where the face's name leads; may be empty
	Forward     string   // where the browser goes on to by itself; may be empty
	Booked      bool     // a site around the frame is told that a booking was made
	LinkedData  any      // for machines, as JSON-LD
	Owner       *Owner   // what stands around an owner's page; nil: it is a guest's
	Content     any
}

// Owner is the menu around an owner's page. Nobody has signed in yet where there is no user.
type Owner struct {
	User      string // the address
	Workspace string // its name; empty: there is none yet
	Slug      string
	Sections  []Section
}

// Section is an entry of the menu.
type Section struct {
	Path, Text, Icon string
	Current          bool
}

// Face is what an owner may change about the look of pages.
type Face struct {
	Name   string // of the workspace
	Accent string // "#rrggbb" or empty
	Logo   string // an https URL, or empty
}

// Image is the logo where it is a plain https URL. Nothing else is loaded, or told to other sites.
func (f Face) Image() string {
	if strings.HasPrefix(originOf(f.Logo), "https:") {
		return f.Logo
	}
	return ""
}

//go:embed templates
var templateFiles embed.FS

// The pages, each a template of its own inside the layout.
var pages = parse("booking", "cancel", "consent", "event", "message", "pay", "reschedule", "unpaid", "waiting",
	"workspace")

func parse(names ...string) map[string]*template.Template {
	functions := template.FuncMap{"asset": Asset, "accent": accentPath}
	common := template.Must(template.New("layout.html").Funcs(functions).ParseFS(templateFiles, "templates/layout.html",
		"templates/parts.html", "templates/owner_parts.html"))
	all := map[string]*template.Template{}
	owner, err := fs.Glob(templateFiles, "templates/owner/*.html")
	if err != nil {
		panic(err)
	}
	for _, path := range owner {
		names = append(names, strings.TrimSuffix(strings.TrimPrefix(path, "templates/"), ".html"))
	}
	for _, name := range names {
		all[name] = template.Must(template.Must(common.Clone()).ParseFS(templateFiles, "templates/"+name+".html"))
	}
	return all
}

// Render writes the page as HTML.
func Render(name string, p *Page) ([]byte, error) {
	return RenderInto(nil, "", name, "layout.html", p)
}

// RenderInto writes a part of a page, such as the calendar to choose from, into a page that was
// rendered before, where that has a hole.
func RenderInto(around []byte, hole, page, part string, content any) ([]byte, error) {
	out := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(out)
	out.Reset()
	before, after, _ := bytes.Cut(around, []byte(hole))
	out.Write(before)
	if err := pages[page].ExecuteTemplate(out, part, content); err != nil {
		return nil, fmt.Errorf("write %s of the page %s: %w", part, page, err)
	}
	out.Write(after)
	return bytes.Clone(out.Bytes()), nil
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Send answers with a page that is made for this one request. What a link's holder alone may see is
// private, and not compressed: its secrets must not be guessed from its length.
func Send(w http.ResponseWriter, r *http.Request, status int, html []byte, private bool) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	if !private && acceptsGzip(r) {
		html = Compressed(html)
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", fmt.Sprint(len(html)))
	w.WriteHeader(status)
	w.Write(html)
}
