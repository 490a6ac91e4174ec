package page

import (
	"slices"
	"strings"

	"slotd/internal/lib/say"
	"slotd/internal/workspace"
)

// VersionedField is a field of a form that has a version for each field, so that two owners who change different fields
// both keep their changes.
type VersionedField struct {
	Name        string  // in the form's version
	Label       string  // as the page calls it
	Current     string  // the stored value, as the form would show it
	CurrentText string  // the stored value in words, if they differ from Current
	Typed       *string // what was typed; Resolve replaces it with Current if the owner left the field alone
	Untouched   bool    // the owner left the field alone, although its text is not what the form showed
}

// Versions returns a version that combines one version for each field. Names and values of the fields alternate.
func Versions(fields ...string) string {
	var each []string
	for field := range slices.Chunk(fields, 2) {
		each = append(each, field[0]+":"+workspace.Version(field[1]))
	}
	return strings.Join(each, "-")
}

// OpenedWith reports whether a field had this value when the form was opened.
func (f *Form) OpenedWith(field, value string) bool {
	return slices.Contains(strings.Split(f.Version, "-"), Versions(field, value))
}

// Resolve merges a form with changes that somebody else made after it was opened. Fields that the owner left alone take
// the stored value. Where both changed a field, the form keeps what was typed and shows the stored value beside it. The
// form takes the version of the stored data: an owner who saves again has seen it.
func (f *Form) Resolve(version string, fields ...VersionedField) {
	for _, field := range fields {
		if f.OpenedWith(field.Name, field.Current) || *field.Typed == field.Current {
			continue
		}
		text := field.CurrentText
		if text == "" {
			text = ShortQuote(field.Current)
		}
		if field.Untouched || f.OpenedWith(field.Name, *field.Typed) {
			f.Merged = append(f.Merged, say.T("%s is now %s (changed by someone else).", field.Label, text))
			*field.Typed = field.Current
		} else {
			f.Theirs = append(f.Theirs, say.T("%s is now %s.", field.Label, text))
		}
	}
	f.Version, f.Conflict = version, true
}
