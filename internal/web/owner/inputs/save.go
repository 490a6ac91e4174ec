package inputs

import (
	"errors"
	"net/http"

	"slotd"
	"slotd/internal/web/owner/page"
)

// SaveWorkspace saves a form of the workspace itself. It returns StatusOK if it did, and otherwise the status for
// showing the form again, which it has filled with the reason.
func SaveWorkspace(v *page.Visit, s *Set[slotd.Workspace], f *Filled) (status int, err error) {
	var now slotd.Workspace
	err = v.Edit(f.Version, func(w *slotd.Workspace) string { now = *w; return s.Version(w) },
		func(w *slotd.Workspace) error { s.Read(w, f.Typed); return nil })
	switch {
	case err == nil:
		return http.StatusOK, nil
	case errors.Is(err, page.ErrChanged):
		s.Merge(f, &now, s.Version(&now))
		return http.StatusConflict, nil
	case f.AddProblems(err, func(path string) (string, string) { return s.Field(path, f.Typed) }):
		return http.StatusUnprocessableEntity, nil
	}
	return 0, err
}
