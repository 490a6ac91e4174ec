package page

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/availability/when"
	"slotd/internal/identity"
	"slotd/internal/lib/say"
	"slotd/internal/store"
	"slotd/internal/web/kit"
	"slotd/internal/workspace"
	"slotd/internal/workspace/file"
)

// Visit is one request.
type Visit struct {
	*Site
	W        http.ResponseWriter
	R        *http.Request
	Now      time.Time
	need     Need
	view     *kit.View // the area's templates
	Client   identity.Client
	Session  *identity.Session  // nil: nobody has signed in
	Snapshot *snapshot.Snapshot // of the workspace that the session shows; nil: none
}

// handler counts the request against the rate limits, identifies the visitor, and checks whether they may open the
// page.
func (s *Site) handler(need Need, get, post func(*Visit) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &Visit{Site: s, W: w, R: r, Now: s.Clock(), need: need}
		v.Client = identity.Client{Address: s.Guard.Client(r), Browser: Browser(r.UserAgent())}
		defer s.Recover(r, v.fail)
		if err := v.serve(get, post); err != nil {
			v.fail(err)
		}
	})
}

func (v *Visit) serve(get, post func(*Visit) error) error {
	if err := v.Count(v.R, v.Now); err != nil {
		return err
	}
	do := get
	switch {
	case v.R.Method == http.MethodPost:
		do = post
	case v.R.Method != http.MethodGet && v.R.Method != http.MethodHead:
		do = nil
	}
	if do == nil {
		return v.notAllowed(get != nil, post != nil)
	}
	if err := v.identify(); err != nil {
		return err
	}
	if v.R.Method == http.MethodPost {
		if err := v.readForm(); err != nil {
			return err
		}
	} else {
		v.R.ParseForm() // otherwise FormValue would read a body too, of any length
	}
	if err := v.checkAccess(); err != nil {
		return err
	}
	return do(v)
}

func (v *Visit) notAllowed(get, post bool) error {
	var allowed []string
	if get {
		allowed = append(allowed, "GET", "HEAD")
	}
	if post {
		allowed = append(allowed, "POST")
	}
	v.W.Header().Set("Allow", strings.Join(allowed, ", "))
	return v.Message(http.StatusMethodNotAllowed, say.T("This page can't do that"),
		say.T("Please open it from the menu."))
}

// identify finds the session, and its workspace if the user is still one of the owners.
func (v *Visit) identify() (err error) {
	ctx := v.R.Context()
	if v.Session, err = v.Owners.Recognize(ctx, v.Cookie(), v.Client); err != nil || v.Session == nil {
		return err
	}
	isMember, err := v.Owners.IsMember(ctx, v.Session.WorkspaceID, v.Session.User.ID)
	if err != nil || !isMember {
		return err
	}
	v.Snapshot, err = v.Cache.Latest(ctx, v.Session.WorkspaceID)
	return err
}

// MaxForm is larger than the longest texts of a form in the widest letters, percent-encoded.
const MaxForm = 512 << 10

// readForm parses the posted form and rejects forms from other sites.
func (v *Visit) readForm() error {
	if kit.IsCrossOrigin(v.R, v.BaseURL) {
		v.Log.Warn("a form from another site was refused", "route", v.R.Pattern)
		return v.Message(http.StatusForbidden, say.T("This form comes from another site"),
			say.T("Nothing was changed. Please open the page here and try again."))
	}
	return kit.ReadForm(v.W, v.R, MaxForm)
}

// Value returns a value of the form or of the query, trimmed and with plain line breaks.
func (v *Visit) Value(name string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(v.R.FormValue(name), "\ufffd"), "\r\n", "\n"))
}

// RawValue returns a value that was picked from a list. It does not trim: a schedule's name may begin or end with
// blanks.
func (v *Visit) RawValue(name string) string {
	return strings.ToValidUTF8(v.R.FormValue(name), "\ufffd")
}

// Show answers with a page of the area. Its headers forbid others to cache it or frame it, and keep its address from
// other sites.
func (v *Visit) Show(status int, name, title string, content any) error {
	return v.show(v.view, status, name, title, content)
}

func (v *Visit) show(view *kit.View, status int, name, title string, content any) error {
	page := &kit.Page{Title: title, Personal: true, Content: content, Owner: v.menu()}
	if v.Snapshot != nil {
		page.Face = kit.Face{Name: v.Snapshot.Name, Accent: v.Snapshot.Look.Accent, Logo: v.Snapshot.Look.Logo}
	}
	html, err := view.Render(name, page)
	if err != nil {
		return err
	}
	v.Protect(page)
	kit.Send(v.W, v.R, status, html, true)
	return nil
}

// Protect sets the security headers. The referrer goes to this site itself, because forms have to prove their origin.
func (v *Visit) Protect(p *kit.Page) {
	kit.Protect(v.W.Header(), p)
	kit.KeepPrivate(v.W.Header())
	v.W.Header().Set("Referrer-Policy", "same-origin")
}

// menu returns what surrounds a page for somebody who has signed in.
func (v *Visit) menu() *kit.Owner {
	o := &kit.Owner{}
	if v.Session == nil {
		return o
	}
	o.User = v.Session.User.Email
	if v.Snapshot == nil || strings.HasPrefix(v.R.URL.Path, "/setup") { // the setup has no menu
		return o
	}
	o.Workspace, o.Slug = v.Snapshot.Name, v.Snapshot.Slug
	for _, s := range Sections {
		current := v.R.URL.Path == s.Path || strings.HasPrefix(v.R.URL.Path, s.Path+"/")
		o.Sections = append(o.Sections, kit.Section{Path: s.Path, Text: s.Text.String(), Icon: s.Icon, Current: current})
	}
	return o
}

// Redirect redirects the browser, which then requests the path by GET.
func (v *Visit) Redirect(path string) error {
	v.Protect(&kit.Page{})
	http.Redirect(v.W, v.R, path, http.StatusSeeOther)
	return kit.ErrAnswered
}

// Local returns how this owner reads times: in the workspace's zone, with the clock of the browser's language.
func (v *Visit) Local() when.Local {
	return when.InNamed(v.Snapshot.TimeZone, when.LocaleOf(v.R.Header.Get("Accept-Language")).TwelveHour)
}

// Actor returns the owner as the activity log names them.
func (v *Visit) Actor() slotd.Actor {
	return slotd.NewUserActor(v.Session.User.ID, v.Client.AddressText())
}

// ErrChanged is the error of an edit whose data somebody else has changed since the form was opened.
var ErrChanged = errors.New("changed meanwhile")

// Edit changes the workspace and records who did it. seen is the version that the form was filled in from, and version
// computes the version of what is stored now. If they differ, Edit changes nothing and returns ErrChanged, unless the
// stored data already is what the owner wants, as after a double click.
func (v *Visit) Edit(seen string, version func(w *slotd.Workspace) string,
	change func(w *slotd.Workspace) error) error {
	return v.EditWith(workspace.EditRequest{Edit: func(w *slotd.Workspace) error {
		if version(w) == seen {
			return change(w)
		}
		before := workspace.Copy(w)
		if err := change(w); err != nil || len(file.Diff(before, w)) > 0 {
			return ErrChanged
		}
		return nil
	}})
}

// EditWith is for edits that set passwords or compare no versions.
func (v *Visit) EditWith(e workspace.EditRequest) error {
	e.Slug, e.Now = v.Snapshot.Slug, v.Now
	e.Then = func(ctx context.Context, tx *store.Tx, workspaceID int64, before workspace.Previous,
		after *slotd.Workspace) error {
		lines := file.Diff(before.Workspace, after)
		for _, name := range before.NewPasswords {
			lines = append(lines, say.T("calendar %s: password changed", name))
		}
		return identity.RecordActivity(ctx, tx, workspaceID, v.Actor(), "workspace.changed", strings.Join(lines, "\n"),
			v.Now)
	}
	_, err := v.Workspaces.Edit(v.R.Context(), e)
	if err == nil {
		v.WakeJobs()
	}
	return err
}

// WakeJobs wakes the worker, so that it runs new jobs at once.
func (v *Visit) WakeJobs() {
	if v.Wake != nil {
		v.Wake()
	}
}
