package page

import (
	"strings"

	"slotd/internal/workspace"
)

// VersionedField is a field of a form that has a version for each field, so that two owners who change different fields
// both keep their changes.
type VersionedField struct {
	Label       string  // as the page calls it
	Current     string  // the stored value, as the form would show it
	CurrentText string  // the stored value in words, if they differ from Current
	Typed       *string // what was typed; Resolve replaces it with Current if the owner left the field alone
	Untouched   bool    // the owner left the field alone, although its text is not what the form showed
}

// Versions returns a version that combines one version for each value.
func Versions(values ...string) string {
	each := make([]string, len(values))
	for i, value := range values {
		each[i] = workspace.Version(value)
	}
	return strings.Join(each, "-")
}

// OpenedWith reports whether a field had this value when the form was opened.
func (f *Form) OpenedWith(field int, value string) bool {
	seen := strings.Split(f.Version, "-")
	return field < len(seen) && seen[field] == Versions(value)
}

// Resolve merges a form with changes that somebody else made after it was opened. Fields that the owner left alone take
// the stored value. Where both changed a field, the form keeps what was typed and shows the stored value beside it. The
// form takes the version of the stored data: an owner who saves again has seen it.
func (f *Form) Resolve(version string, fields ...VersionedField) {
	for i, field := range fields {
		if f.OpenedWith(i, field.Current) || *field.Typed == field.Current {
			continue
		}
		text := field.CurrentText
		if text == "" {
			text = ShortQuote(field.Current)
		}
		if field.Untouched || f.OpenedWith(i, *field.Typed) {
			f.Merged = append(f.Merged, field.Label+" is now "+text+", as somebody else has set it.")
			*field.Typed = field.Current
		} else {
			f.Theirs = append(f.Theirs, field.Label+" is now "+text+".")
		}
	}
	f.Version, f.Conflict = version, true
}
