package eventtypes

import (
	"slices"

	"slotd"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

func OfferedOf(types []slotd.EventType) []slotd.EventType {
	return slices.DeleteFunc(slices.Clone(types), func(e slotd.EventType) bool { return e.Retired })
}

func indexOfSlug(types []slotd.EventType, slug string) int {
	return slices.IndexFunc(types, func(e slotd.EventType) bool { return e.Slug == slug })
}

// orderMark stands for which there are, in which order.
func orderMark(types []slotd.EventType) string {
	slugs := make([]string, len(types))
	for i, e := range types {
		slugs[i] = e.Slug
	}
	return workspace.Version(slugs)
}

// eventTypeMark is made of one for each field of the form.
func eventTypeMark(e *slotd.EventType) string {
	fields := fieldsOf(e)
	var values []string
	for _, f := range fields.named() {
		values = append(values, *f.value)
	}
	return page.Versions(values...)
}

// markOfSlug is of the event type with this slug, or of there being none.
func markOfSlug(slug string) func(w *slotd.Workspace) string {
	return func(w *slotd.Workspace) string {
		if at := indexOfSlug(w.EventTypes, slug); at >= 0 {
			return eventTypeMark(&w.EventTypes[at])
		}
		return "gone"
	}
}
