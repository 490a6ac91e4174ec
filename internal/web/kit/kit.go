// Package kit holds what the pages of guests and owners share: the layout, templates and static files, the headers that
// protect a page, rate limits, form reading and error handling. It knows nothing about bookings: the content of a page
// comes from the packages above.
package kit

import (
	"fmt"
	"net/http"
	"strings"
)

// Mux is the router on which pages are registered.
type Mux interface {
	Handle(pattern string, handler http.Handler)
}

// Page is what the layout needs. Content is for the page's own template.
type Page struct {
	Title       string
	Description string // for search engines and link previews
	URL         string // the page's canonical URL; only pages for search engines have one
	Face        Face
	Embedded    bool     // shown in a frame on another site
	Framers     []string // the sites that may frame it
	Payees      []string // the payment sites to which forms may redirect
	Personal    bool     // it shows personal data, which no cache may store
	Home        string   // where the workspace's name links to; may be empty
	Forward     string   // where the browser is forwarded to; may be empty
	Booked      bool     // the script notifies the site around the frame of a booking
	LinkedData  any      // rendered as JSON-LD
	Owner       *Owner   // the menu of an owner's page; nil for a guest's page
	Content     any
}

// Owner is the menu around an owner's page. Without a user, nobody is signed in.
type Owner struct {
	User      string // the e-mail address
	Workspace string // its name; empty if there is none yet
	Slug      string
	Sections  []Section
}

// Section is an entry of the menu.
type Section struct {
	Path, Text, Icon string
	Current          bool
}

// Face is the branding that an owner can set.
type Face struct {
	Name   string // of the workspace
	Accent string // "#rrggbb" or empty
	Logo   string // an https URL, or empty
}

// Image returns the logo's URL if it is a plain https URL, and "" otherwise: pages load nothing else.
func (f Face) Image() string {
	if strings.HasPrefix(originOf(f.Logo), "https:") {
		return f.Logo
	}
	return ""
}

// Send sends a page that is not cached. Pages that only the holder of a link may see are private. They are not
// compressed, so that nobody can guess their secrets from their length.
func Send(w http.ResponseWriter, r *http.Request, status int, html []byte, private bool) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	if !private && acceptsGzip(r) {
		html = Compress(html)
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", fmt.Sprint(len(html)))
	w.WriteHeader(status)
	w.Write(html)
}
