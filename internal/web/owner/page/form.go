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

// Form holds what all forms of the settings have in common. A page's content embeds it.
type Form struct {
	Workspace string    // the form's workspace; the session may show another one when the form is sent
	Version   string    // the version of the data that the form was filled in from
	Saved     bool      // the form was sent and saved
	Problems  []Problem // with single fields
	Trouble   string    // any other problem
	Theirs    []string  // changes by somebody else that conflict with what was typed
	Merged    []string  // changes by somebody else that were filled in where the owner had typed nothing else
	Conflict  bool      // somebody else changed the data in the meantime, possibly fields that this form does not show
}

// Problem says what is wrong with one field.
type Problem struct{ Field, Reason string }

// Wrong reports whether the field has a problem.
func (f *Form) Wrong(field string) bool {
	return slices.ContainsFunc(f.Problems, func(p Problem) bool { return p.Field == field })
}

// AddProblem adds a problem. It does nothing if the reason is empty.
func (f *Form) AddProblem(field, reason string) {
	if reason != "" {
		f.Problems = append(f.Problems, Problem{field, reason})
	}
}

// NewForm returns a form for the session's workspace. version is that of the data it is filled in from.
func (v *Visit) NewForm(version string) Form {
	return Form{Workspace: v.Snapshot.Slug, Version: version, Saved: v.Value("saved") != ""}
}

// AddProblems adds the problems of a *workspace.ValidationError to the form. The function name maps a path of the
// workspace file to a field's id and to the subject of the sentence. AddProblems reports whether err was an error about
// the owner's input; it leaves all other errors to the caller.
func (f *Form) AddProblems(err error, name func(path string) (field, subject string)) bool {
	var invalid *workspace.ValidationError
	if !errors.As(err, &invalid) {
		if CodeOf(err) != slotd.InvalidArgument {
			return false
		}
		f.Trouble = ErrorText(err)
		return true
	}
	for _, p := range invalid.Problems {
		field, subject := name(p.Path)
		f.AddProblem(field, strings.TrimSpace(subject+" "+FaultSentence(p.Fault))+".")
	}
	return true
}

// Escape escapes a path for use as a query parameter.
func Escape(path string) string { return url.QueryEscape(path) }

// LocalPath returns the path to if it is one of the owner's pages, and an empty string otherwise. It rejects all other
// targets of a redirect, including those disguised by dots and slashes that browsers remove.
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
