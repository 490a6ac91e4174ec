package owner

import (
	"errors"
	"net/http"
	"strings"

	"slotd"
)

type firstEventTypeContent struct {
	form
	Title, Duration, Place, Text string
	Address                      string // of the booking page
}

func (v *visit) firstEventTypePage() error {
	if v.isSetUp() {
		return v.leave("/settings/event-types")
	}
	return v.showFirstEventType(http.StatusOK,
		&firstEventTypeContent{form: v.newForm(""), Title: "Intro call", Duration: "30", Place: "video"})
}

func (v *visit) showFirstEventType(status int, c *firstEventTypeContent) error {
	c.Address = v.BaseURL + "/" + v.snapshot.Slug
	return v.show(status, "setup_event_type", "What can be booked", c)
}

// firstEventType ends the setup on the page that guests see.
func (v *visit) firstEventType() error {
	c := &firstEventTypeContent{form: v.newForm(""), Title: v.value("title"), Duration: v.value("duration"),
		Place: v.value("place"), Text: v.value("text")}
	e := slotd.EventType{
		Slug: slugOf(c.Title), Title: c.Title, DurationMinutes: whole(c.Duration), Schedule: "default",
		BookingWindowDays: 60, RemindersMinutesBefore: []int{1440, 60},
		Location: slotd.Location{Type: slotd.LocationType(c.Place)},
	}
	switch {
	case e.Location.Type == slotd.Phone && c.Text == "":
		e.Location.Ask = true
	case e.Location.Type != slotd.Video:
		e.Location.Text = c.Text
	}
	if e.Slug == "" {
		e.Slug = "meeting"
	}
	if v.isSetUp() { // sent twice, or somebody else was quicker: theirs stays
		return v.leave("/" + v.snapshot.Slug)
	}
	err := v.addEventType(&e)
	if errors.Is(err, errChanged) {
		return v.leave("/" + v.snapshot.Slug)
	}
	if c.explain(err, firstEventTypeField) {
		return v.showFirstEventType(http.StatusUnprocessableEntity, c)
	} else if err != nil {
		return err
	}
	return v.leave("/" + v.snapshot.Slug)
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
