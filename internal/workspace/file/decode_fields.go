package file

import (
	"fmt"

	"slotd/internal/workspace"
)

// readObject reads an object's fields into v, which gets the defaults of those that are left out. The object may also
// have parts that the caller reads.
func readObject[T any](r *reader, n *node, path string, v *T, list []workspace.Field[T], parts ...string) fields {
	workspace.SetDefaults(v, list)
	return readParts(r, n, path, v, list, parts...)
}

func readParts[T any](r *reader, n *node, path string, v *T, list []workspace.Field[T], parts ...string) fields {
	f := r.object(n, path, append(workspace.FieldNames(list), parts...)...)
	for _, field := range list {
		if f.parts[field.Name] != nil {
			readField(f, v, field)
		} else if field.Required {
			f.require(field.Name)
		}
	}
	return f
}

func readField[T any](f fields, v *T, field workspace.Field[T]) {
	n, at := f.parts[field.Name], f.at(field.Name)
	switch k := field.Kind.(type) {
	case workspace.Text[T]:
		*k.At(v) = f.r.text(n, at)
	case workspace.Number[T]:
		k.Set(v, f.r.number(n, at, k.None.String()))
	case workspace.Flag[T]:
		*k.At(v) = f.r.flag(n, at)
	case workspace.Numbers[T]:
		items := f.r.list(n, at, field.Example)
		numbers := make([]int, len(items))
		for i, item := range items {
			numbers[i] = f.r.integer(item, fmt.Sprintf("%s[%d]", at, i))
		}
		*k.At(v) = numbers
	case workspace.Texts[T]:
		for i, item := range f.r.list(n, at, field.Example) {
			*k.At(v) = append(*k.At(v), f.r.text(item, fmt.Sprintf("%s[%d]", at, i)))
		}
	case workspace.Week[T]:
		*k.At(v) = f.r.week(n, at)
	case workspace.Dates[T]:
		*k.At(v) = f.r.dates(n, at, field.Example)
	case workspace.Object[T]:
		if k.Make != nil {
			k.Make(v)
		}
		readParts(f.r, n, at, v, k.Fields)
	}
}
