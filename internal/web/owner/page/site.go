// Package page holds what the owner's pages have in common: who sends a request, for which workspace, who may open
// what, forms with their problems and versions, and the layout around the content. The neighboring packages hold the
// pages themselves.
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

// NewView parses an area's templates, which may use the parts of this package.
func NewView(area embed.FS) *kit.View { return kit.NewView(area, files) }

// Site holds what the pages of all areas need.
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
	Member        // is an owner of the workspace that the session shows
	Fresh         // is a Member and has signed in recently
)

// Route is one page: its path, who may open it, and its handlers. V is the area's own visit type. The page rejects
// methods whose handler is nil.
type Route[V any] struct {
	path      string
	need      Need
	get, post func(*V) error
}

// At returns a route.
func At[V any](path string, need Need, get, post func(*V) error) Route[V] {
	return Route[V]{path, need, get, post}
}

// Add registers an area's routes. view holds the area's templates, and begin wraps a Visit in the area's own type.
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
