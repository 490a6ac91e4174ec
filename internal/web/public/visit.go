package public

import (
	"net/http"
	"strings"
	"time"

	"slotd/internal/availability/snapshot"
	"slotd/internal/calendar/calsync"
	"slotd/internal/lib/say"
	"slotd/internal/web/kit"
)

// visit is one request to a page.
type visit struct {
	*Site
	w        http.ResponseWriter
	r        *http.Request
	now      time.Time
	embedded bool               // shown in a frame on another site
	snapshot *snapshot.Snapshot // of the workspace; nil until it is known
	private  bool               // only for the holder of a link
	payees   []string           // payment sites to which its forms may redirect
}

// action handles a request.
type action func(*visit) error

// getRoute and formRoute are the two kinds of routes: pages that are only opened, and pages with a form.
type (
	getRoute  struct{ get action }
	formRoute struct{ get, post action }
)

// route returns the action for a method. If there is none, do is nil and allowed lists the methods of the route.
type route interface {
	action(method string) (do action, allowed string)
}

func (rt getRoute) action(method string) (action, string) {
	if method == http.MethodGet || method == http.MethodHead {
		return rt.get, ""
	}
	return nil, "GET, HEAD"
}

func (rt formRoute) action(method string) (action, string) {
	if method == http.MethodPost {
		return rt.post, ""
	}
	do, _ := getRoute{rt.get}.action(method)
	return do, "GET, HEAD, POST"
}

// handle returns a handler that counts the request against the client's limits, runs the route's action and shows
// errors as pages.
func (s *Site) handle(rt route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &visit{Site: s, w: w, r: r, now: s.Now(), embedded: strings.HasPrefix(r.URL.Path, "/embed/")}
		v.private = strings.HasPrefix(strings.TrimPrefix(r.URL.Path, "/embed"), "/b/") ||
			r.URL.Path == calsync.ConsentPath
		defer s.Recover(r, v.fail)
		if err := s.Count(r, v.now); err != nil {
			v.fail(err)
			return
		}
		do, allowed := rt.action(r.Method)
		if do == nil {
			w.Header().Set("Allow", allowed)
			v.showMessage(http.StatusMethodNotAllowed, say.T("This page can't do that"), say.T("You can only view it."))
			return
		}
		if r.Method != http.MethodPost {
			r.ParseForm() // otherwise FormValue would read a body of any length
		}
		if err := do(v); err != nil {
			v.fail(err)
		}
	})
}

// show renders and sends a page that is not cached.
func (v *visit) show(status int, name string, p *kit.Page) error {
	html, err := view.Render(name, p)
	if err != nil {
		return err
	}
	v.protect(p)
	kit.Send(v.w, v.r, status, html, v.private)
	return nil
}

// protect sets the page's security headers.
func (v *visit) protect(p *kit.Page) {
	kit.Protect(v.w.Header(), p)
	if v.private {
		kit.KeepPrivate(v.w.Header())
	}
}

// path returns the path of a page, under /embed if the current page is there.
func (v *visit) path(parts ...string) string {
	path := "/" + strings.Join(parts, "/")
	if v.embedded {
		return "/embed" + path
	}
	return path
}

// redirect sends the browser on with 303, so that it requests the path with GET.
func (v *visit) redirect(path string) error {
	v.protect(v.blank())
	v.w.Header().Set("Cache-Control", "no-store")
	http.Redirect(v.w, v.r, path, http.StatusSeeOther)
	return nil
}
