package eventtypes

import (
	"slices"

	"slotd"
	"slotd/internal/workspace"
)

// Offered returns the event types that are not retired.
func Offered(types []slotd.EventType) []slotd.EventType {
	return slices.DeleteFunc(slices.Clone(types), func(e slotd.EventType) bool { return e.Retired })
}

func indexOfSlug(types []slotd.EventType, slug string) int {
	return slices.IndexFunc(types, func(e slotd.EventType) bool { return e.Slug == slug })
}

// orderVersion returns the version of the list: which event types there are, in which order.
func orderVersion(types []slotd.EventType) string {
	slugs := make([]string, len(types))
	for i, e := range types {
		slugs[i] = e.Slug
	}
	return workspace.Version(slugs)
}

// versionOfSlug returns a function for the version of the event type with this slug, or "gone" if there is none.
func versionOfSlug(slug string) func(w *slotd.Workspace) string {
	return func(w *slotd.Workspace) string {
		if at := indexOfSlug(w.EventTypes, slug); at >= 0 {
			return Form.Version(&w.EventTypes[at])
		}
		return "gone"
	}
}
