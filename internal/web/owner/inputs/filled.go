package inputs

import (
	"fmt"

	"slotd/internal/web/owner/page"
)

// Filled is a form with what stands in its inputs. A page's content embeds it.
type Filled struct {
	page.Form
	Typed  Values
	inputs []Input
}

// Input is what a page shows of one input.
type Input struct {
	Name, Label, Hint, Value string
	Numeric, Required, Wrong bool
	MaxLength                int
}

// Fill returns a form with these texts.
func (s *Set[T]) Fill(form page.Form, typed Values) Filled {
	f := Filled{Form: form, Typed: typed}
	for _, in := range s.inputs {
		f.inputs = append(f.inputs, in.Input)
	}
	return f
}

// Input returns the input with this name. The owner's pages have a template for most of them.
func (f *Filled) Input(name string) (Input, error) {
	for _, in := range f.inputs {
		if in.Name == name {
			in.Value, in.Wrong = f.Typed[name], f.Wrong(name)
			return in, nil
		}
	}
	return Input{}, fmt.Errorf("the form has no input %s", name)
}

// hasNone reports whether the stored data has no value for a part, such as the text of a place that has none.
func (s *Set[T]) hasNone(in input[T], now *T) bool { return in.PartOf != "" && in.Show(now) == "" }

// Merge merges a form with changes that somebody else made after it was opened: see page.Form.Resolve. version is that
// of the stored data, and more are fields that are not inputs of the set.
func (s *Set[T]) Merge(f *Filled, now *T, version string, more ...page.VersionedField) {
	fields := more
	texts := make([]string, len(s.inputs))
	for i, in := range s.inputs {
		texts[i] = f.Typed[in.Name]
		if !in.versioned() || s.hasNone(in, now) && !f.OpenedWith(in.PartOf, f.Typed[in.PartOf]) {
			continue
		}
		field := page.VersionedField{Name: in.Name, Label: in.Label, Current: in.Show(now), Typed: &texts[i],
			Untouched: in.isSecret(now) && texts[i] == ""}
		if in.Words != nil {
			field.CurrentText = in.Words(now)
		}
		fields = append(fields, field)
	}
	f.Resolve(version, fields...)
	for i, in := range s.inputs {
		if !in.isSecret(now) || f.Typed[in.Name] != "" {
			f.Typed[in.Name] = texts[i]
		}
	}
}
