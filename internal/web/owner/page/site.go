// Package page is what the owner's pages have in common: who asks, for which workspace, who may open what, the forms with
// their problems and versions, and the page around the content. The areas beside it bring the pages themselves.
package page

import (
	"embed"
	"time"

	"slotd/internal/availability/snapshot"
	"slotd/internal/identity"
	"slotd/internal/web/kit"
	"slotd/internal/workspace"
)

//go:embed *.html settings.css settings.js
var files embed.FS

var ownView = kit.NewView(files)

// NewView reads an area's folder of pages, which may use the parts of this one.
func NewView(area embed.FS) *kit.View { return kit.NewView(area, files) }

// Site is what every page of every workspace needs.
type Site struct {
	Owners     *identity.Service
	Workspaces *workspace.Store
	Cache      *snapshot.Cache
	Clock      func() time.Time
	Wake       func() // called when there are new jobs; may be nil
	BaseURL    string
	kit.Guard
}

// Need says who may open a page.
type Need int

const (
	Anyone   Need = iota
	SignedIn      // has a session
	Member        // owns the workspace that the session shows
	Fresh         // the same, and signed in a short time ago
)

// Route is one page: who may open it, and what it does. An area's V is its own visit. A handler that is nil is not
// allowed.
type Route[V any] struct {
	path      string
	need      Need
	get, post func(*V) error
}

// At makes a route.
func At[V any](path string, need Need, get, post func(*V) error) Route[V] {
	return Route[V]{path, need, get, post}
}

// Add adds an area's routes, whose pages are in view. begin turns a visit into one of the area's own.
func Add[V any](mux kit.Mux, s *Site, view *kit.View, routes []Route[V], begin func(*Visit) *V) {
	handler := func(handle func(*V) error) func(*Visit) error {
		if handle == nil {
			return nil
		}
		return func(v *Visit) error {
			v.view = view
			return handle(begin(v))
		}
	}
	for _, r := range routes {
		mux.Handle(r.path, s.handler(r.need, handler(r.get), handler(r.post)))
	}
}
