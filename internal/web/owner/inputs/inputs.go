// Package inputs makes the inputs of the owner's forms from the workspace's lists of fields: what they show, how they
// read what was typed, with which version a form was opened, and to which input a problem belongs. The pages decide
// where an input stands.
package inputs

import (
	"slices"
	"strings"

	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

// Values are the texts of a form, by the names of its inputs.
type Values map[string]string

// Set is the inputs of a form, in the order of the workspace file.
type Set[T any] struct {
	inputs  []input[T]
	objects map[string]string // inputs that show problems of a whole object, by its path
}

// input is one input of a form. The methods of its Own are all set, apart from Words and Secret.
type input[T any] struct {
	Input
	Own[T]
	path   string                     // of the field, in the workspace file
	fixed  bool                       // the field can't be changed later
	flag   bool                       // it is a box to tick
	picked bool                       // the text is picked from a list: blanks at its ends belong to it
	tidy   func(string) string        // may be nil
	items  func(text string) []string // the items of a list, as typed; nil: it is no list
}

// Own is how a form shows and reads an input that does not show exactly one field as it is stored. What is nil is as
// for other inputs.
type Own[T any] struct {
	Show   func(v *T) string
	Read   func(v *T, typed Values) // makes an invalid text a value that the validation rejects
	Words  func(v *T) string        // the stored value in words, for owners who did not know it
	Secret func(v *T) bool          // the form never shows the stored value; an empty text keeps it
	PartOf string                   // another input; whoever changed that keeps this as typed if it was emptied meanwhile
	Apart  bool                     // its version concerns more than this form: the page keeps it
}

// New returns the inputs of the fields. own holds those that are not shown as they are stored, by their names.
func New[T any](fields []workspace.Field[T], own map[string]Own[T]) *Set[T] {
	s := &Set[T]{objects: map[string]string{}}
	s.add("", true, fields, own)
	return s
}

func (s *Set[T]) add(path string, required bool, fields []workspace.Field[T], own map[string]Own[T]) {
	for _, f := range fields {
		at := workspace.JoinPath(path, f.Name)
		if object, ok := f.Kind.(workspace.Object[T]); ok {
			if f.Input != "" {
				s.objects[at] = f.Input
			}
			s.add(at, required && object.Has == nil, object.Fields, own)
			continue
		}
		for _, in := range inputsOf(f, at) {
			in.Required = in.Required && required
			in.replace(own[in.Name])
			s.inputs = append(s.inputs, in)
		}
	}
}

func (in *input[T]) replace(own Own[T]) {
	if own.Show != nil {
		in.Show = own.Show
	}
	if own.Read != nil {
		in.Read = own.Read
	}
	if own.Words != nil {
		in.Words = own.Words
	}
	in.Secret, in.PartOf, in.Apart = own.Secret, own.PartOf, own.Apart
}

// Only returns the set with these inputs alone.
func (s *Set[T]) Only(names ...string) *Set[T] {
	return s.without(func(in input[T]) bool { return !slices.Contains(names, in.Name) })
}

// Changeable returns the set without the inputs of fields that can't be changed later.
func (s *Set[T]) Changeable() *Set[T] { return s.without(func(in input[T]) bool { return in.fixed }) }

func (s *Set[T]) without(drop func(input[T]) bool) *Set[T] {
	return &Set[T]{slices.DeleteFunc(slices.Clone(s.inputs), drop), s.objects}
}

// Show returns what the form shows of v.
func (s *Set[T]) Show(v *T) Values {
	typed := Values{}
	for _, in := range s.inputs {
		if typed[in.Name] = in.Show(v); in.isSecret(v) {
			typed[in.Name] = ""
		}
	}
	return typed
}

func (in *input[T]) isSecret(v *T) bool { return in.Secret != nil && in.Secret(v) }

// Typed returns what was typed.
func (s *Set[T]) Typed(v *page.Visit) Values {
	typed := Values{}
	for _, in := range s.inputs {
		text := v.Value(in.Name)
		switch {
		case in.flag:
			text = yesOrNo(text != "")
		case in.picked:
			text = v.RawValue(in.Name)
		case in.tidy != nil:
			text = in.tidy(text)
		}
		typed[in.Name] = text
	}
	return typed
}

// Read changes v to what was typed. Invalid texts become values that the validation rejects.
func (s *Set[T]) Read(v *T, typed Values) {
	for _, in := range s.inputs {
		if typed[in.Name] != "" || !in.isSecret(v) {
			in.Read(v, typed)
		}
	}
}

// Version returns a version of v that combines one for each input. Names and values of what else belongs to it may
// follow.
func (s *Set[T]) Version(v *T, more ...string) string {
	fields := slices.Clone(more)
	for _, in := range s.inputs {
		if in.versioned() {
			fields = append(fields, in.Name, in.Show(v))
		}
	}
	return page.Versions(fields...)
}

func (in *input[T]) versioned() bool { return !in.fixed && !in.Apart }

// Field returns the input for a problem with a field, and the subject of its sentence. path is the field's, below the
// object that the form shows.
func (s *Set[T]) Field(path string, typed Values) (name, subject string) {
	path, item, listed := strings.Cut(path, "[")
	for _, in := range s.inputs {
		switch {
		case in.path != path && (s.objects[path] == "" || s.objects[path] != in.Name):
			continue
		case !listed:
			return in.Name, in.Label
		}
		at := page.ParseNumber(strings.TrimSuffix(item, "]"))
		if in.items != nil {
			if items := in.items(typed[in.Name]); at >= 0 && at < len(items) {
				return in.Name, in.Label + ": " + page.ShortQuote(items[at])
			}
		}
		return in.Name, in.Label
	}
	return s.inputs[0].Name, path
}
