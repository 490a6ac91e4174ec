package eventtypes

import (
	"errors"
	"maps"
	"net/http"
	"slices"

	"slotd"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

// eventTypeContent is the form of one event type, as it is typed.
type eventTypeContent struct {
	page.Form
	New    bool
	Of     string // the slug of the one that is changed; empty: a new one
	Action string
	eventTypeFields
	Schedules  []string
	Address    string // of the booking page, up to the slug
	Public     string // where it is booked; empty: nowhere at present
	Arithmetic string // what the buffers cost
	Unpaid     bool   // it has a price that nobody can pay
	Revives    string // the title of the retired one that has this slug
	Preview    *eventTypePreview
}

func (v *visit) eventTypePage() error {
	e := v.Snapshot.EventTypeBySlug(v.R.PathValue("slug"))
	if e == nil || e.Retired {
		return slotd.Errorf(slotd.EventTypeNotFound, "no such event type")
	}
	return v.showEventType(http.StatusOK, v.eventTypeForm(e, eventTypeMark(e)), e)
}

// eventTypeForm is the form filled in from what is there.
func (v *visit) eventTypeForm(e *slotd.EventType, seen string) *eventTypeContent {
	return &eventTypeContent{Form: v.NewForm(seen), Of: e.Slug, eventTypeFields: fieldsOf(e)}
}

// showEventType adds what the fields mean.
func (v *visit) showEventType(status int, c *eventTypeContent, e *slotd.EventType) error {
	title := "New event type"
	v.completeEventType(c, e)
	c.inWords()
	if !c.New {
		title = c.Title
	}
	return v.Show(status, "event_type", title, c)
}

func (v *visit) completeEventType(c *eventTypeContent, e *slotd.EventType) {
	c.Schedules = slices.Sorted(maps.Keys(v.Snapshot.Schedules))
	c.Address = v.Booking.URL(v.Snapshot.Slug, "")
	c.Arithmetic = bufferArithmetic(e)
	c.Unpaid = v.cannotBePaid(e)
	c.Preview = v.eventTypePreview(c, e)
	if c.New {
		c.Of, c.Action = "", EventTypesPath+"/new"
		if old := v.Snapshot.EventTypeBySlug(e.Slug); old != nil && old.Retired {
			c.Revives = old.Title
		}
		return
	}
	c.Action = EventTypePath(c.Of)
	if c.Hidden != yes {
		c.Public = v.Booking.URL(v.Snapshot.Slug, c.Of)
	}
}

// typedEventType reads the form. of is the slug of the event type that is changed, empty for a new one.
func (v *visit) typedEventType(of string) (*eventTypeContent, *slotd.EventType) {
	c := &eventTypeContent{Form: v.NewForm(v.Value("seen")), New: of == "", Of: of, eventTypeFields: v.typedFields()}
	c.Saved = false
	if of != "" {
		c.Slug = of
	} else if c.Slug == "" {
		c.Slug = page.Slugify(c.Title)
	}
	e := c.eventType(&c.Form)
	at := -1
	if old := v.Snapshot.EventTypeBySlug(of); old != nil && of != "" {
		e.ID, at = old.ID, indexOfSlug(OfferedOf(v.Snapshot.EventTypes), of)
	}
	for _, p := range v.judgeEventType(e, at) {
		if !c.Wrong(p.Field) {
			c.Problems = append(c.Problems, p)
		}
	}
	c.inWords()
	return c, e
}

// judgeEventType says what would be wrong with the workspace if it had this event type in the place, or at the end.
func (v *visit) judgeEventType(e *slotd.EventType, at int) []page.Problem {
	var f page.Form
	w := v.Snapshot.Workspace
	w.EventTypes = OfferedOf(w.EventTypes)
	if at < 0 {
		if other := indexOfSlug(w.EventTypes, e.Slug); other >= 0 {
			f.AddProblem("slug", slugTaken(&w.EventTypes[other]))
			return f.Problems
		}
		at = len(w.EventTypes)
		w.EventTypes = append(w.EventTypes, *e)
	}
	w.EventTypes[at] = *e
	f.AddProblems(&workspace.Invalid{Problems: workspace.Validate(&w)}, eventTypeField)
	return f.Problems
}

func slugTaken(other *slotd.EventType) string {
	return "“" + other.Title + "” has this address already; choose another one."
}

// saveEventType changes one that is there, or was there when the form was opened.
func (v *visit) saveEventType() error {
	slug := v.R.PathValue("slug")
	if v.Snapshot.EventTypeBySlug(slug) == nil {
		return slotd.Errorf(slotd.EventTypeNotFound, "no such event type")
	}
	c, e := v.typedEventType(slug)
	if len(c.Problems) > 0 {
		return v.showEventType(http.StatusUnprocessableEntity, c, e)
	}
	err := v.Edit(c.Version, markOfSlug(slug), func(w *slotd.Workspace) error {
		if at := indexOfSlug(w.EventTypes, slug); at >= 0 {
			w.EventTypes[at] = *e
		} else {
			w.EventTypes = append(w.EventTypes, *e)
		}
		return nil
	})
	switch {
	case errors.Is(err, page.ErrChanged):
		return v.eventTypeChanged(c, e)
	case c.AddProblems(err, eventTypeField):
		return v.showEventType(http.StatusUnprocessableEntity, c, e)
	case err != nil:
		return err
	}
	return v.Leave(EventTypePath(slug) + "?saved=1")
}

// eventTypeChanged shows what was typed and what is there now. Sending it again puts the latter away.
func (v *visit) eventTypeChanged(c *eventTypeContent, e *slotd.EventType) (err error) {
	if v.Snapshot, err = v.Cache.Latest(v.R.Context(), v.Snapshot.WorkspaceID); err != nil {
		return err
	}
	now := v.Snapshot.EventTypeBySlug(c.Of)
	if now == nil || now.Retired {
		c.Version, c.Theirs = "gone", []string{"They deleted it. Saving offers it again."}
	} else {
		c.Resolve(eventTypeMark(now), c.beside(fieldsOf(now))...)
		e = c.eventType(&page.Form{})
		e.ID = now.ID
	}
	return v.showEventType(http.StatusConflict, c, e)
}
