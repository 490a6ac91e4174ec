package owner

import (
	"net/http"
	"strings"
	"testing"

	"slotd"
	"slotd/internal/web/owner/eventtypes"
	"slotd/internal/web/webtest"
	"slotd/internal/workspace"
	"slotd/internal/workspace/fieldtest"
)

// Each field alone changes the version that the form carries, and is still there after saving a form that nobody has
// changed: a form that forgot it would erase it, or overwrite somebody else's change of it.
func TestForms_KnowEachField(t *testing.T) {
	w := lite(t)
	w.Put(fieldtest.Base())
	ada := w.ada()
	tried := 0
	for _, v := range fieldtest.Variants(t) {
		if v.Fixed { // it says which one it is
			continue
		}
		tried++
		at := v.List + " " + v.Field
		w.Put(fieldtest.Base())
		path := w.pageOf(v)
		before := ada.get(path).says(200).editForm().Values.Get("seen")
		w.putWithPasswords(v.Workspace)
		file := w.export("acme")
		form := ada.get(path).says(200).editForm()
		if form.Values.Get("seen") == before {
			t.Errorf("%s does not change the version of %s", at, path)
		}
		if form.Action != "" {
			path = form.Action
		}
		if p := ada.postForm(path, form.Values); p.Status != http.StatusSeeOther {
			t.Errorf("%s: %s is not saved: %d %s", at, path, p.Status, p.Text())
		}
		if got := w.export("acme"); got != file {
			t.Errorf("%s: saving the form of %s makes of\n%s\n%s", at, path, file, got)
		}
	}
	if tried < 30 {
		t.Errorf("only %d fields", tried)
	}
}

// putWithPasswords stores the workspace. A calendar with a user name needs a password.
func (w *world) putWithPasswords(desired *slotd.Workspace) {
	w.T.Helper()
	passwords := map[string]string{}
	for _, c := range desired.Calendars {
		if c.Username != "" {
			passwords[c.Name] = "secret"
		}
	}
	_, err := w.Workspaces.Put(background, workspace.Change{Desired: desired, Passwords: passwords, Now: w.Clock.Now()})
	w.Must(err)
}

// pageOf returns the page that changes what the variant has changed.
func (w *world) pageOf(v fieldtest.Variant) string {
	w.T.Helper()
	switch v.List {
	case "schedules":
		return usual
	case "event_types":
		return eventtypes.EventTypePath(v.Item)
	case "calendars":
		return w.calendarPath(v.Item)
	}
	part, _, _ := strings.Cut(v.Field, ".")
	return pagesOfWorkspace[part]
}

// editForm returns the page's form that carries a version and has a field to type into.
func (p *response) editForm() *webtest.Form {
	p.T.Helper()
	for _, name := range []string{"title", "mon", "stale_after", "sites", "email"} {
		for _, f := range p.Page().Forms() {
			if f.Names[name] && f.Names["seen"] {
				return f
			}
		}
	}
	p.T.Fatalf("no form: %s", p.Text())
	return nil
}
