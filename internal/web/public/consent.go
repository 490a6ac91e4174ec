package public

import (
	"errors"
	"net/http"

	"slotd"
	"slotd/internal/calendar"
	"slotd/internal/calendar/calsync"
	"slotd/internal/lib/limit"
	"slotd/internal/web/kit"
)

// consentContent is the page that an owner comes back to from Google or Microsoft.
type consentContent struct {
	Workspace, Calendar, Service string
	Action, State, Code          string
	Trouble                      string // instead of the question
	WriteBack                    bool
	Connected                    bool // but cannot be read yet
	Done                         bool
}

var serviceNames = map[slotd.CalendarType]string{slotd.Google: "Google", slotd.Microsoft: "Microsoft"}

// consentPage asks before it connects anything: opening a link changes nothing, and whoever was sent
// here by a stranger sees whose page the calendar would be connected to.
func (v *visit) consentPage() error {
	page, err := v.asked()
	if err != nil {
		return err
	}
	return v.show(http.StatusOK, "consent", page)
}

// asked is the page about the calendar that the state names.
func (v *visit) asked() (*kit.Page, error) {
	c := &consentContent{Action: calsync.ConsentPath, State: v.r.FormValue("state"), Code: v.r.FormValue("code")}
	workspaceID, cal, err := v.Calendars.PendingConsent(v.r.Context(), c.State)
	if err != nil {
		return nil, v.strange(err)
	}
	if v.snapshot, err = v.Cache.WorkspaceByID(v.r.Context(), workspaceID); err != nil {
		return nil, err
	}
	c.Workspace, c.Calendar, c.Service, c.WriteBack = v.snapshot.Name, cal.Name, serviceNames[cal.Type], cal.WriteBack
	if v.r.FormValue("error") != "" || c.Code == "" {
		c.Trouble = c.Service + " sent you back without a permission, so nothing was connected. Open the link once " +
			"more to try again."
	}
	page := v.page(v.snapshot)
	page.Title, page.Personal, page.Content = "Connect a calendar · "+v.snapshot.Name, true, c
	return page, nil
}

// consent connects the calendar and reads it at once, so that what is wrong is seen now.
func (v *visit) consent() error {
	if err := v.posted(); err != nil {
		return err
	}
	page, err := v.asked()
	if err != nil {
		return err
	}
	c := page.Content.(*consentContent)
	connected, err := v.Calendars.Consent(v.r.Context(), c.State, c.Code,
		limit.Key(v.Proxies.Client(v.r)).String())
	var unreadable *calendar.Error
	c.Connected = connected
	switch {
	case errors.As(err, &unreadable) && connected:
		c.Trouble = unreadable.Message
	case err != nil && connected:
		v.Log.Error("a calendar that was just connected cannot be read", "error", err)
		c.Trouble = "It is tried again by itself."
	case errors.As(err, &unreadable):
		c.Trouble = "It could not be connected: " + unreadable.Message
	case err != nil:
		return v.strange(err)
	default:
		c.Done = true
		return v.show(http.StatusOK, "consent", page)
	}
	return v.show(http.StatusBadGateway, "consent", page)
}

// strange tells an owner who comes with a link that is too old what to do: unlike a guest, they can get
// another one.
func (v *visit) strange(err error) error {
	var no *slotd.Error
	if !errors.As(err, &no) || no.Code != slotd.Unauthorized {
		return err
	}
	v.message(http.StatusForbidden, "This link does not work any more",
		no.Message+" If you have just agreed, your calendar is connected.")
	return kit.ErrAnswered
}
