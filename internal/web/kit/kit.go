// Package kit is what the pages of guests and owners share: the layout, templates and static files, the headers that
// protect a page, and how a request is counted, read and answered when something goes wrong. It knows nothing of
// bookings: what a page says comes from the packages above.
package kit

import (
	"fmt"
	"net/http"
	"strings"
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
