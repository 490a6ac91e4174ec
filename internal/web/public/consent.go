package public

import (
	"errors"
	"net/http"

	"slotd"
	"slotd/internal/calendar"
	"slotd/internal/calsync"
)

// consentContent is the page that an owner comes back to from Google or Microsoft.
type consentContent struct {
	Workspace, Calendar, Service string
	Action, State, Code          string
	Trouble                      string // instead of the question
	WriteBack                    bool
	Done                         bool
}

var serviceNames = map[slotd.CalendarType]string{slotd.Google: "Google", slotd.Microsoft: "Microsoft"}

// consentPage asks before it connects anything: opening a link changes nothing, and whoever was sent
// here by a stranger sees whose page the calendar would be connected to.
func (v *visit) consentPage() error { return v.showConsent(http.StatusOK, "") }

func (v *visit) showConsent(status int, trouble string) error {
	state, code := v.r.FormValue("state"), v.r.FormValue("code")
	workspaceID, cal, err := v.Booking.Calendars.Asked(v.r.Context(), state)
	if err != nil {
		return v.strange(err)
	}
	if v.picture, err = v.Booking.Shelf.WorkspaceByID(v.r.Context(), workspaceID); err != nil {
		return err
	}
	page := v.page(v.picture)
	page.Title, page.Personal = "Connect a calendar · "+v.picture.Name, true
	c := &consentContent{
		Workspace: v.picture.Name, Calendar: cal.Name, Service: serviceNames[cal.Type],
		Action: calsync.ConsentPath, State: state, Code: code, WriteBack: cal.WriteBack, Trouble: trouble, Done: status == http.StatusCreated,
	}
	if v.r.FormValue("error") != "" || code == "" {
		c.Trouble = c.Service + " sent you back without a permission, so nothing was connected. Open the link once more to try again."
	}
	page.Content = c
	if c.Done {
		status = http.StatusOK
	}
	return v.show(status, "consent", page)
}

// consent connects the calendar and reads it at once, so that what is wrong is seen now.
func (v *visit) consent() error {
	if err := v.posted(); err != nil {
		return err
	}
	connected, err := v.Booking.Calendars.Agree(v.r.Context(), v.r.PostFormValue("state"), v.r.PostFormValue("code"))
	var unreadable *calendar.Error
	switch {
	case errors.As(err, &unreadable) && connected:
		return v.showConsent(http.StatusBadGateway, "We have your permission now, but the calendar cannot be read yet, which is tried again by itself: "+unreadable.Message)
	case errors.As(err, &unreadable):
		return v.showConsent(http.StatusBadGateway, "It could not be connected: "+unreadable.Message)
	case err != nil:
		return v.strange(err)
	}
	return v.showConsent(http.StatusCreated, "")
}

// strange tells an owner who comes with a link that is too old what to do: unlike a guest, they can get
// another one.
func (v *visit) strange(err error) error {
	var no *slotd.Error
	if !errors.As(err, &no) || no.Code != slotd.Unauthorized {
		return err
	}
	v.message(http.StatusForbidden, "Your calendar is not connected", no.Message)
	return errAnswered
}
