package public

import (
	"net/http"
	"strings"
	"time"

	"slotd/internal/availability/snapshot"
	"slotd/internal/calendar/calsync"
	"slotd/internal/web/kit"
)

// visit is one request under way.
type visit struct {
	*Site
	w        http.ResponseWriter
	r        *http.Request
	now      time.Time
	embedded bool               // in a frame on another site
	snapshot *snapshot.Snapshot // of the workspace, once that is known
	private  bool               // for the holder of a link alone
	payees   []string           // where its forms may lead to, for paying
}

type step func(*visit) error

// reads and writes are the two kinds of doors.
type (
	reads  struct{ get step }
	writes struct{ get, post step }
)

type steps interface {
	step(method string) (do step, allowed string)
}

func (d reads) step(method string) (step, string) {
	if method == http.MethodGet || method == http.MethodHead {
		return d.get, ""
	}
	return nil, "GET, HEAD"
}

func (d writes) step(method string) (step, string) {
	if method == http.MethodPost {
		return d.post, ""
	}
	do, _ := reads{d.get}.step(method)
	return do, "GET, HEAD, POST"
}

// door counts the visitor, finds what was asked for and shows what went wrong.
func (s *Site) handle(d steps) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &visit{Site: s, w: w, r: r, now: s.Now(), embedded: strings.HasPrefix(r.URL.Path, "/embed/")}
		v.private = strings.HasPrefix(strings.TrimPrefix(r.URL.Path, "/embed"), "/b/") ||
			r.URL.Path == calsync.ConsentPath
		defer s.Rescue(r, v.fail)
		if err := s.Count(r, v.now); err != nil {
			v.fail(err)
			return
		}
		do, allowed := d.step(r.Method)
		if do == nil {
			w.Header().Set("Allow", allowed)
			v.message(http.StatusMethodNotAllowed, "This page cannot do that", "It can only be opened.")
			return
		}
		if r.Method != http.MethodPost {
			r.ParseForm() // or FormValue would take in a body too, of any length
		}
		if err := do(v); err != nil {
			v.fail(err)
		}
	})
}

// show answers with a page that is made for this visit.
func (v *visit) show(status int, name string, p *kit.Page) error {
	html, err := view.Render(name, p)
	if err != nil {
		return err
	}
	v.protect(p)
	kit.Send(v.w, v.r, status, html, v.private)
	return nil
}

func (v *visit) protect(p *kit.Page) {
	kit.Protect(v.w.Header(), p)
	if v.private {
		kit.KeepPrivate(v.w.Header())
	}
}

// path is where a page lies, under /embed if this one does.
func (v *visit) path(parts ...string) string {
	path := "/" + strings.Join(parts, "/")
	if v.embedded {
		return "/embed" + path
	}
	return path
}

// leave sends the browser on to what it asks for next by GET.
func (v *visit) leave(path string) error {
	v.protect(v.blank())
	v.w.Header().Set("Cache-Control", "no-store")
	http.Redirect(v.w, v.r, path, http.StatusSeeOther)
	return nil
}
