package setup

import (
	"errors"
	"net/http"
	"strings"

	"slotd/internal/web/owner/eventtypes"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"

	"slotd"
)

type firstEventTypeContent struct {
	page.Form
	Title, Duration, Place, Text string
	Address                      string // of the booking page
}

func (v *visit) firstEventTypePage() error {
	if v.isSetUp() {
		return v.Redirect("/settings/event-types")
	}
	return v.showFirstEventType(http.StatusOK,
		&firstEventTypeContent{Form: v.NewForm(""), Title: "Intro call", Duration: "30", Place: "video"})
}

func (v *visit) showFirstEventType(status int, c *firstEventTypeContent) error {
	c.Address = v.BaseURL + "/" + v.Snapshot.Slug
	return v.Show(status, "event_type", "What can be booked", c)
}

// firstEventType ends the setup on the page that guests see.
func (v *visit) firstEventType() error {
	c := &firstEventTypeContent{Form: v.NewForm(""), Title: v.Value("title"), Duration: v.Value("duration"),
		Place: v.Value("place"), Text: v.Value("text")}
	var e slotd.EventType
	workspace.SetDefaults(&e, workspace.EventTypeFields)
	e.Slug, e.Title, e.DurationMinutes = page.Slugify(c.Title), c.Title, page.ParseNumber(c.Duration)
	e.Location.Type = slotd.LocationType(c.Place)
	switch {
	case e.Location.Type == slotd.Phone && c.Text == "":
		e.Location.Ask = true
	case e.Location.Type != slotd.Video:
		e.Location.Text = c.Text
	}
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
	if c.AddProblems(err, firstEventTypeField) {
		return v.showFirstEventType(http.StatusUnprocessableEntity, c)
	} else if err != nil {
		return err
	}
	return v.Redirect("/" + v.Snapshot.Slug)
}

func firstEventTypeField(path string) (field, subject string) {
	_, name, _ := strings.Cut(path, "].")
	switch name {
	case "duration_minutes":
		return "duration", "The duration"
	case "location.type":
		return "place", "The place"
	case "location", "location.text":
		return "text", "The place"
	}
	return "title", "The title"
}
