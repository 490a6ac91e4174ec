package page

import (
	"errors"
	"net/url"
	"path"
	"slices"
	"strings"

	"slotd"
	"slotd/internal/workspace"
)

// form is what every form of the settings has; a page's content embeds it.
type Form struct {
	Workspace string    // the one it is about: the session may show another one when it is sent
	Version   string    // the mark of what it was filled in from
	Saved     bool      // it was sent and is kept
	Problems  []Problem // with what was typed
	Trouble   string    // with anything else
	Theirs    []string  // what somebody else has made of it meanwhile
	Taken     []string  // what of that is filled in, where nothing else was typed
	Conflict  bool      // it was changed meanwhile, be it elsewhere than on this form
}

// problem is what is wrong with one field.
type Problem struct{ Field, Reason string }

// Wrong reports whether anything is wrong with the field.
func (f *Form) Wrong(field string) bool {
	return slices.ContainsFunc(f.Problems, func(p Problem) bool { return p.Field == field })
}

// wrong adds a problem; an empty reason means that nothing is wrong.
func (f *Form) AddProblem(field, reason string) {
	if reason != "" {
		f.Problems = append(f.Problems, Problem{field, reason})
	}
}

func (v *Visit) NewForm(seen string) Form {
	return Form{Workspace: v.Snapshot.Slug, Version: seen, Saved: v.Value("saved") != ""}
}

// explain turns what is wrong with the workspace into problems of the form's fields: name turns a path of the workspace
// file into a field's id, and its reason's subject. It reports whether the error was of that kind.
func (f *Form) AddProblems(err error, name func(path string) (field, subject string)) bool {
	var invalid *workspace.Invalid
	if !errors.As(err, &invalid) {
		var no *slotd.Error
		if errors.As(err, &no) && no.Code == slotd.InvalidArgument {
			f.Trouble = no.Message
			return true
		}
		return false
	}
	for _, p := range invalid.Problems {
		field, subject := name(p.Path)
		f.AddProblem(field, strings.TrimSpace(subject+" "+p.Reason)+".")
	}
	return true
}

// reword puts the page's words in the place of the workspace file's, in what is wrong with a field.
func (f *Form) Reword(field, file, page string) {
	for i, p := range f.Problems {
		if p.Field == field {
			f.Problems[i].Reason = strings.Replace(p.Reason, file, page, 1)
		}
	}
}

func Escape(path string) string { return url.QueryEscape(path) }

// localPath is a path of the owner's pages, or empty: nothing else may be gone to, also not by way of dots and slashes
// that browsers take out.
func LocalPath(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || len(to) > 500 || path.Clean(u.Path) != u.Path ||
		strings.Contains(u.Path, "\\") {
		return ""
	}
	if inside := u.Path + "/"; !strings.HasPrefix(inside, "/settings/") && !strings.HasPrefix(inside, "/setup/") {
		return ""
	}
	return to
}
