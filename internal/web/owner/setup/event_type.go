package setup

import (
	"errors"
	"net/http"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/eventtypes"
	"slotd/internal/web/owner/inputs"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

// eventTypeForm has the inputs of the first event type. The settings have more.
var eventTypeForm = eventtypes.Form.Only("title", "duration", "place", "text")

type firstEventTypeContent struct {
	inputs.Filled
	Address string // of the booking page
}

func (v *visit) firstEventTypePage() error {
	if v.isSetUp() {
		return v.Redirect("/settings/event-types")
	}
	first := &slotd.EventType{Title: say.T("Intro call"), DurationMinutes: 30, Location: slotd.Location{Type: slotd.Video}}
	return v.showFirstEventType(http.StatusOK,
		&firstEventTypeContent{Filled: eventTypeForm.Fill(v.NewForm(""), eventTypeForm.Show(first))})
}

func (v *visit) showFirstEventType(status int, c *firstEventTypeContent) error {
	c.Address = v.BaseURL + "/" + v.Snapshot.Slug
	return v.Show(status, "event_type", say.T("Create your first event type"), c)
}

// firstEventType ends the setup on the page that guests see.
func (v *visit) firstEventType() error {
	c := &firstEventTypeContent{Filled: eventTypeForm.Fill(v.NewForm(""), eventTypeForm.Typed(v.Visit))}
	var e slotd.EventType
	workspace.SetDefaults(&e, workspace.EventTypeFields)
	eventTypeForm.Read(&e, c.Typed)
	if e.Location.Type == slotd.Phone && e.Location.Text == "" {
		e.Location.Ask = true
	}
	e.Slug = page.Slugify(e.Title)
	if e.Slug == "" {
		e.Slug = "meeting"
	}
	if v.isSetUp() { // sent twice, or somebody else was faster and their event type stays
		return v.Redirect("/" + v.Snapshot.Slug)
	}
	err := eventtypes.Add(v.Visit, &e)
	if errors.Is(err, page.ErrChanged) {
		return v.Redirect("/" + v.Snapshot.Slug)
	}
	if c.AddProblems(err, eventtypes.FieldOf(c.Typed)) {
		return v.showFirstEventType(http.StatusUnprocessableEntity, c)
	} else if err != nil {
		return err
	}
	return v.Redirect("/" + v.Snapshot.Slug)
}
