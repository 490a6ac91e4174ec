package file

import (
	"slices"
	"strconv"
	"strings"

	"slotd/internal/workspace"
)

// isExported reports whether a file should hold the field: not if it has its default, unless a reader would look for it.
func isExported[T any](v *T, f workspace.Field[T]) bool {
	if f.Required || f.Shown {
		return true
	}
	switch k := f.Kind.(type) {
	case workspace.Text[T]:
		return *k.At(v) != k.Default
	case workspace.Number[T]:
		return k.Get(v) != k.Default
	case workspace.Flag[T]:
		return *k.At(v)
	case workspace.Numbers[T]:
		return !slices.Equal(*k.At(v), k.Default)
	case workspace.Texts[T]:
		return len(*k.At(v)) > 0
	case workspace.Object[T]:
		if k.Has != nil {
			return k.Has(v)
		}
		return slices.ContainsFunc(k.Fields, func(f workspace.Field[T]) bool { return isExported(v, f) })
	}
	return false
}

// fieldValue returns the field's value as one line of YAML.
func fieldValue[T any](v *T, f workspace.Field[T]) string {
	switch k := f.Kind.(type) {
	case workspace.Text[T]:
		return scalar(*k.At(v))
	case workspace.Number[T]:
		return strconv.Itoa(k.Get(v))
	case workspace.Flag[T]:
		return strconv.FormatBool(*k.At(v))
	case workspace.Numbers[T]:
		return "[" + joined(*k.At(v), strconv.Itoa) + "]"
	case workspace.Texts[T]:
		return "[" + joined(*k.At(v), scalar) + "]"
	case workspace.Object[T]:
		return flow(v, k.Fields)
	}
	return ""
}

// flow writes an object on one line.
func flow[T any](v *T, fields []workspace.Field[T]) string {
	var parts []string
	for _, f := range fields {
		if isExported(v, f) {
			parts = append(parts, f.Name+": "+fieldValue(v, f))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// lines writes an object with a line for each field. The first line starts with first, the others with an indent of the
// same width.
func (o *output) lines(first string, fields []line) {
	for i, f := range fields {
		prefix := strings.Repeat(" ", len(first))
		if i == 0 {
			prefix = first
		}
		o.line("%s%s: %s", prefix, f.name, f.value)
	}
}

type line struct{ name, value string }

func exportLines[T any](v *T, fields []workspace.Field[T], indent string) (all []line) {
	for _, f := range fields {
		if !isExported(v, f) {
			continue
		}
		value := fieldValue(v, f)
		if k, ok := f.Kind.(workspace.Text[T]); ok && k.Format.Lines {
			value = block(*k.At(v), indent)
		}
		all = append(all, line{f.Name, value})
	}
	return all
}
