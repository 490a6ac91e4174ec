package owner

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/availability/when"
	"slotd/internal/identity"
	"slotd/internal/lib/limit"
	"slotd/internal/store"
	"slotd/internal/web/kit"
	"slotd/internal/workspace"
	"slotd/internal/workspace/file"
)

// visit is one request under way.
type visit struct {
	*Site
	w        http.ResponseWriter
	r        *http.Request
	now      time.Time
	need     need
	client   identity.Client
	session  *identity.Session  // nil: nobody has signed in
	snapshot *snapshot.Snapshot // of the workspace that the session shows; nil: none
}

// open counts the visitor, finds out who it is, and lets in who may come.
func (s *Site) open(d route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &visit{Site: s, w: w, r: r, now: s.Now(), need: d.need}
		v.client = identity.Client{Address: limit.Key(s.Proxies.Client(r)), Browser: browser(r.UserAgent())}
		defer v.rescue()
		if err := v.pass(d); err != nil {
			v.fail(err)
		}
	})
}

func (v *visit) pass(d route) error {
	if err := v.count(); err != nil {
		return err
	}
	do := d.get
	switch {
	case v.r.Method == http.MethodPost:
		do = d.post
	case v.r.Method != http.MethodGet && v.r.Method != http.MethodHead:
		do = nil
	}
	if do == nil {
		return v.notAllowed(d)
	}
	if err := v.identify(); err != nil {
		return err
	}
	if v.r.Method == http.MethodPost {
		if err := v.readForm(); err != nil {
			return err
		}
	} else {
		v.r.ParseForm() // or FormValue would take in a body too, of any length
	}
	if err := v.judge(); err != nil {
		return err
	}
	return do(v)
}

func (v *visit) notAllowed(d route) error {
	var allowed []string
	if d.get != nil {
		allowed = append(allowed, "GET", "HEAD")
	}
	if d.post != nil {
		allowed = append(allowed, "POST")
	}
	v.w.Header().Set("Allow", strings.Join(allowed, ", "))
	return v.message(http.StatusMethodNotAllowed, "This page cannot do that", "Please open it from the menu.")
}

// count takes from the client's share: of reading, and of writing too where something is posted.
func (v *visit) count() error {
	wait := v.Reads.Take(v.client.Address, v.now)
	if wait == 0 && v.r.Method == http.MethodPost {
		wait = v.Writes.Take(v.client.Address, v.now)
	}
	if wait == 0 {
		return nil
	}
	no := slotd.Errorf(slotd.RateLimited, "Too many requests.")
	no.RetryAfter = wait
	return no
}

// identify finds the session, and the workspace it shows if that is still its user's.
func (v *visit) identify() (err error) {
	ctx := v.r.Context()
	if v.session, err = v.Owners.Recognize(ctx, v.cookie(), v.client); err != nil || v.session == nil {
		return err
	}
	mine, err := v.Owners.IsMember(ctx, v.session.WorkspaceID, v.session.User.ID)
	if err != nil || !mine {
		return err
	}
	v.snapshot, err = v.Cache.Latest(ctx, v.session.WorkspaceID)
	return err
}

// maxForm is more than the longest texts of a form, in the widest letters, percent-encoded.
const maxForm = 512 << 10

// crossOrigin knows forms on other sites, which would act with their visitors' sessions.
var crossOrigin = http.NewCrossOriginProtection()

// readForm reads a form of ours.
func (v *visit) readForm() error {
	if err := crossOrigin.Check(v.r); err != nil && v.r.Header.Get("Origin") != v.BaseURL {
		v.Log.Warn("a form from another site was refused", "route", v.r.Pattern)
		return v.message(http.StatusForbidden, "This form comes from another site",
			"Nothing was changed. Please open the page here and try again.")
	}
	if kind, _, err := mime.ParseMediaType(v.r.Header.Get("Content-Type")); err != nil ||
		kind != "application/x-www-form-urlencoded" {
		return v.message(http.StatusUnsupportedMediaType, "This is no form of ours",
			"Please open the page anew and try again.")
	}
	v.r.Body = http.MaxBytesReader(v.w, v.r.Body, maxForm)
	if err := v.r.ParseForm(); err != nil {
		var long *http.MaxBytesError
		if errors.As(err, &long) {
			return v.message(http.StatusRequestEntityTooLarge, "This is too long",
				"Please go back and shorten what you typed.")
		}
		return slotd.Errorf(slotd.InvalidArgument, "The form cannot be read: %v", err)
	}
	return nil
}

// value is what was typed into a field of a form, or stands in the address.
func (v *visit) value(name string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(v.r.FormValue(name), "\ufffd"), "\r\n", "\n"))
}

// chosen is what was picked from what the page offered. A schedule's name may have blanks at its ends.
func (v *visit) chosen(name string) string { return strings.ToValidUTF8(v.r.FormValue(name), "\ufffd") }

// rescue turns a panic into a page, so that the owner gets an answer and the log a stack.
func (v *visit) rescue() {
	if p := recover(); p != nil {
		v.Log.Error("a page panicked", "route", v.r.Pattern, "panic", p, "stack", string(debug.Stack()))
		v.fail(errors.New("panic"))
	}
}

// show answers with a page. Nobody else may keep it, frame it or be told of it.
func (v *visit) show(status int, name, title string, content any) error {
	page := &kit.Page{Title: title, Personal: true, Content: content, Owner: v.menu()}
	if v.snapshot != nil {
		page.Face = kit.Face{Name: v.snapshot.Name, Accent: v.snapshot.Look.Accent, Logo: v.snapshot.Look.Logo}
	}
	html, err := kit.Render("owner/"+name, page)
	if err != nil {
		return err
	}
	v.protect(page)
	kit.Send(v.w, v.r, status, html, true)
	return nil
}

// protect: forms need their origin told to this site, so the referrer is not hidden from it.
func (v *visit) protect(p *kit.Page) {
	kit.Protect(v.w.Header(), p)
	kit.KeepPrivate(v.w.Header())
	v.w.Header().Set("Referrer-Policy", "same-origin")
}

// menu is what stands around a page for somebody who has signed in.
func (v *visit) menu() *kit.Owner {
	o := &kit.Owner{}
	if v.session == nil {
		return o
	}
	o.User = v.session.User.Email
	if v.snapshot == nil || strings.HasPrefix(v.r.URL.Path, "/setup") { // one thing after the other
		return o
	}
	o.Workspace, o.Slug = v.snapshot.Name, v.snapshot.Slug
	for _, s := range sections {
		current := v.r.URL.Path == s.Path || strings.HasPrefix(v.r.URL.Path, s.Path+"/")
		o.Sections = append(o.Sections, kit.Section{Path: s.Path, Text: s.Text, Icon: s.Icon, Current: current})
	}
	return o
}

// leave sends the browser on to what it asks for next by GET.
func (v *visit) leave(path string) error {
	v.protect(&kit.Page{})
	http.Redirect(v.w, v.r, path, http.StatusSeeOther)
	return errAnswered
}

// local is how this owner reads times: in the workspace's zone, by the browser's clock.
func (v *visit) local() when.Local {
	return when.InNamed(v.snapshot.TimeZone, when.LocaleOf(v.r.Header.Get("Accept-Language")).Twelve)
}

// actor is who the activity says it was.
func (v *visit) actor() identity.Actor {
	return identity.UserActor(v.session.User.ID, v.client.From())
}

// errChanged is an edit of something that somebody else has changed meanwhile.
var errChanged = errors.New("changed meanwhile")

// edit changes the workspace and notes who did it. seen is the mark that the form was filled in from, and mark makes
// that of what is there now: if they differ, nothing is changed and the error is errChanged, unless all is there
// already, as after a double click.
func (v *visit) edit(seen string, mark func(w *slotd.Workspace) string, change func(w *slotd.Workspace) error) error {
	return v.editWith(workspace.Editing{Edit: func(w *slotd.Workspace) error {
		if mark(w) == seen {
			return change(w)
		}
		was := workspace.Copy(w)
		if err := change(w); err != nil || len(file.Diff(was, w)) > 0 {
			return errChanged
		}
		return nil
	}})
}

// editWith is for edits that bring passwords, or compare nothing.
func (v *visit) editWith(e workspace.Editing) error {
	e.Slug, e.Keys, e.Now = v.snapshot.Slug, v.Keys, v.now
	e.Then = func(ctx context.Context, tx *store.Tx, workspaceID int64, before workspace.Previous,
		after *slotd.Workspace) error {
		lines := file.Diff(before.Workspace, after)
		for _, name := range before.NewPasswords {
			lines = append(lines, fmt.Sprintf("calendar %s: password changed", name))
		}
		return identity.RecordActivity(ctx, tx, workspaceID, v.actor(), "workspace.changed", strings.Join(lines, "\n"),
			v.now)
	}
	_, err := workspace.Edit(v.r.Context(), v.DB, e)
	if err == nil {
		v.wakeJobs()
	}
	return err
}

// wakeJobs has new jobs done at once.
func (v *visit) wakeJobs() {
	if v.Wake != nil {
		v.Wake()
	}
}
