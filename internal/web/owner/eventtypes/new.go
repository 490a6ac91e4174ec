package eventtypes

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

func (v *visit) newEventTypePage() error {
	e := &slotd.EventType{}
	workspace.SetDefaults(e, workspace.EventTypeFields)
	e.DurationMinutes, e.Location.Type, e.Schedule = 30, slotd.Video, v.firstSchedule()
	if slug := v.Value("copy"); slug != "" {
		original := v.Snapshot.EventTypeBySlug(slug)
		if original == nil {
			return slotd.NewError(slotd.EventTypeNotFound, slotd.Facts{})
		}
		e = v.copyOf(original)
	}
	c := v.eventTypeForm(e, "")
	c.New = true
	return v.showEventType(http.StatusOK, c, e)
}

// copyOf returns a copy with its own title and slug.
func (v *visit) copyOf(original *slotd.EventType) *slotd.EventType {
	e := *original
	e.ID, e.Retired = 0, false
	title := []rune(say.T("Copy of %s", e.Title))
	e.Title = strings.TrimSpace(string(title[:min(len(title), workspace.MaxName)]))
	for n := 1; ; n++ {
		end := "-copy"
		if n > 1 {
			end = fmt.Sprintf("-copy-%d", n)
		}
		e.Slug = strings.TrimRight(original.Slug[:min(len(original.Slug), 64-len(end))], "-") + end
		if v.Snapshot.EventTypeBySlug(e.Slug) == nil {
			return &e
		}
	}
}

func (v *visit) firstSchedule() string {
	names := slices.Sorted(maps.Keys(v.Snapshot.Schedules))
	if len(names) == 0 || slices.Contains(names, "default") {
		return "default"
	}
	return names[0]
}

func (v *visit) createEventType() error {
	c, e := v.typedEventType("")
	old := v.Snapshot.EventTypeBySlug(e.Slug)
	if old != nil && !old.Retired && workspace.Version(old) == workspace.Version(e) { // sent twice
		return v.Redirect(EventTypesPath + "?saved=1#type-" + e.Slug)
	}
	if len(c.Problems) > 0 {
		return v.showEventType(http.StatusUnprocessableEntity, c, e)
	}
	err := Add(v.Visit, e)
	if errors.Is(err, page.ErrChanged) {
		c.AddProblem("slug", say.T("Someone else just created an event type with this address. Choose another one."))
	}
	if len(c.Problems) > 0 || c.AddProblems(err, FieldOf(c.Typed)) {
		return v.showEventType(http.StatusUnprocessableEntity, c, e)
	} else if err != nil {
		return err
	}
	if old != nil {
		return v.Redirect(EventTypesPath + "?saved=1&revived=1#type-" + e.Slug)
	}
	return v.Redirect(EventTypesPath + "?saved=1#type-" + e.Slug)
}

// Add appends an event type. If one with its slug was added in the meantime, that one stays, and the error is
// page.ErrChanged.
func Add(v *page.Visit, e *slotd.EventType) error {
	return v.Edit("gone", versionOfSlug(e.Slug), func(w *slotd.Workspace) error {
		if at := indexOfSlug(w.EventTypes, e.Slug); at >= 0 {
			w.EventTypes[at] = *e
		} else {
			w.EventTypes = append(w.EventTypes, *e)
		}
		return nil
	})
}
