package eventtypes

import (
	"errors"
	"maps"
	"net/http"
	"slices"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/inputs"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

// eventTypeContent is the form of one event type, as typed.
type eventTypeContent struct {
	inputs.Filled
	New        bool
	EditedSlug string // the slug of the event type that is edited; empty: it is a new one
	Action     string
	Schedules  []string
	Address    string // of the booking page, up to the slug
	Public     string // where guests book it; empty: they cannot at present
	Arithmetic string // how much time a booking takes with its buffers
	Unpaid     bool   // it has a price, but guests cannot pay
	Revives    string // the title of the retired event type that has this slug
	Preview    *eventTypePreview
}

// Places are the choices for where it takes place.
func (c *eventTypeContent) Places() []place { return places }

func (v *visit) eventTypePage() error {
	e := v.Snapshot.EventTypeBySlug(v.R.PathValue("slug"))
	if e == nil || e.Retired {
		return slotd.NewError(slotd.EventTypeNotFound, slotd.Facts{})
	}
	return v.showEventType(http.StatusOK, v.eventTypeForm(e, Form.Version(e)), e)
}

// eventTypeForm returns the form filled in with the stored values.
func (v *visit) eventTypeForm(e *slotd.EventType, seen string) *eventTypeContent {
	return &eventTypeContent{Filled: Form.Fill(v.NewForm(seen), Form.Show(e)), EditedSlug: e.Slug}
}

// showEventType adds what follows from the fields, and shows the form.
func (v *visit) showEventType(status int, c *eventTypeContent, e *slotd.EventType) error {
	title := say.T("New event type")
	v.completeEventType(c, e)
	if !c.New {
		title = c.Typed["title"]
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
		c.EditedSlug, c.Action = "", EventTypesPath+"/new"
		if old := v.Snapshot.EventTypeBySlug(e.Slug); old != nil && old.Retired {
			c.Revives = old.Title
		}
		return
	}
	c.Action = EventTypePath(c.EditedSlug)
	if c.Typed["hidden"] != inputs.Yes {
		c.Public = v.Booking.URL(v.Snapshot.Slug, c.EditedSlug)
	}
}

// typedEventType reads the form. editedSlug is the slug of the event type that is edited, or empty for a new one.
func (v *visit) typedEventType(editedSlug string) (*eventTypeContent, *slotd.EventType) {
	c := &eventTypeContent{Filled: Form.Fill(v.NewForm(v.Value("seen")), Form.Typed(v.Visit)), New: editedSlug == "",
		EditedSlug: editedSlug}
	c.Saved = false
	if editedSlug != "" {
		c.Typed["slug"] = editedSlug
	} else if c.Typed["slug"] == "" {
		c.Typed["slug"] = page.Slugify(c.Typed["title"])
	}
	e := readEventType(c.Typed, &c.Form)
	at := -1
	if old := v.Snapshot.EventTypeBySlug(editedSlug); old != nil && editedSlug != "" {
		e.ID, at = old.ID, indexOfSlug(Offered(v.Snapshot.EventTypes), editedSlug)
	}
	for _, p := range v.checkEventType(c.Typed, e, at) {
		if !c.Wrong(p.Field) {
			c.Problems = append(c.Problems, p)
		}
	}
	return c, e
}

// checkEventType validates the workspace with this event type at the index, or at the end if the index is negative.
func (v *visit) checkEventType(typed inputs.Values, e *slotd.EventType, at int) []page.Problem {
	var f page.Form
	w := v.Snapshot.Workspace
	w.EventTypes = Offered(w.EventTypes)
	if at < 0 {
		if other := indexOfSlug(w.EventTypes, e.Slug); other >= 0 {
			f.AddProblem("slug", slugTaken(&w.EventTypes[other]))
			return f.Problems
		}
		at = len(w.EventTypes)
		w.EventTypes = append(w.EventTypes, *e)
	}
	w.EventTypes[at] = *e
	f.AddProblems(&workspace.ValidationError{Problems: workspace.Validate(&w)}, FieldOf(typed))
	return f.Problems
}

func slugTaken(other *slotd.EventType) string {
	return say.T("“%s” already has this address. Choose another one.", other.Title)
}

// saveEventType changes an event type that exists, or did when the form was opened.
func (v *visit) saveEventType() error {
	slug := v.R.PathValue("slug")
	if v.Snapshot.EventTypeBySlug(slug) == nil {
		return slotd.NewError(slotd.EventTypeNotFound, slotd.Facts{})
	}
	c, e := v.typedEventType(slug)
	if len(c.Problems) > 0 {
		return v.showEventType(http.StatusUnprocessableEntity, c, e)
	}
	err := v.Edit(c.Version, versionOfSlug(slug), func(w *slotd.Workspace) error {
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
	case c.AddProblems(err, FieldOf(c.Typed)):
		return v.showEventType(http.StatusUnprocessableEntity, c, e)
	case err != nil:
		return err
	}
	return v.Redirect(EventTypePath(slug) + "?saved=1")
}

// eventTypeChanged shows what was typed together with what is stored now. Sending the form again overwrites the latter.
func (v *visit) eventTypeChanged(c *eventTypeContent, e *slotd.EventType) (err error) {
	if v.Snapshot, err = v.Cache.Latest(v.R.Context(), v.Snapshot.WorkspaceID); err != nil {
		return err
	}
	now := v.Snapshot.EventTypeBySlug(c.EditedSlug)
	if now == nil || now.Retired {
		c.Version, c.Theirs = "gone", []string{say.T("They deleted this event type. Saving restores it.")}
	} else {
		Form.Merge(&c.Filled, now, Form.Version(now))
		e = readEventType(c.Typed, &page.Form{})
		e.ID = now.ID
	}
	return v.showEventType(http.StatusConflict, c, e)
}
