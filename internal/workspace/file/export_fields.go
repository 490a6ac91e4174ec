package file

import (
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

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
	case workspace.Dates[T]:
		return len(*k.At(v)) > 0
	case workspace.Object[T]:
		if k.Has != nil {
			return k.Has(v)
		}
		return slices.ContainsFunc(k.Fields, func(f workspace.Field[T]) bool { return isExported(v, f) })
	}
	return false
}

// fieldValue returns the field's value: on one line, unless it is a week or a list of dates.
func fieldValue[T any](e *encoder, v *T, f workspace.Field[T]) *yaml.Node {
	switch k := f.Kind.(type) {
	case workspace.Text[T]:
		return e.text(*k.At(v))
	case workspace.Number[T]:
		return numberNode(k.Get(v))
	case workspace.Flag[T]:
		return plainNode(strconv.FormatBool(*k.At(v)))
	case workspace.Numbers[T]:
		return listNode(yaml.FlowStyle, *k.At(v), numberNode)
	case workspace.Texts[T]:
		return listNode(yaml.FlowStyle, *k.At(v), e.text)
	case workspace.Week[T]:
		return weekNode(*k.At(v))
	case workspace.Dates[T]:
		return datesNode(*k.At(v))
	case workspace.Object[T]:
		return fieldLine(e, v, k.Fields)
	}
	return plainNode("")
}

// fieldLine returns an object on one line.
func fieldLine[T any](e *encoder, v *T, fields []workspace.Field[T]) *yaml.Node {
	n := mappingNode(yaml.FlowStyle)
	for _, f := range fields {
		if isExported(v, f) {
			set(n, plainNode(f.Name), fieldValue(e, v, f))
		}
	}
	return n
}

// fieldLines returns an object with a line for each field. Texts of several lines are blocks.
func fieldLines[T any](e *encoder, v *T, fields []workspace.Field[T]) *yaml.Node {
	n := mappingNode(0)
	for _, f := range fields {
		if !isExported(v, f) {
			continue
		}
		value := fieldValue(e, v, f)
		if k, ok := f.Kind.(workspace.Text[T]); ok && k.Format.Lines && isBlock(*k.At(v)) {
			value = e.block(*k.At(v))
		}
		set(n, plainNode(f.Name), value)
	}
	return n
}
