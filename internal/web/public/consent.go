package public

import (
	"errors"
	"net/http"

	"slotd"
	"slotd/internal/calendar"
	"slotd/internal/calendar/calsync"
	"slotd/internal/lib/limit"
	"slotd/internal/lib/say"
	"slotd/internal/web/kit"
)

// consentContent is the page to which Google and Microsoft send an owner back.
type consentContent struct {
	Workspace, Calendar, Service string
	Action, State, Code          string
	Trouble                      string // shown instead of the question
	WriteBack                    bool
	Connected                    bool // but not readable yet
	Done                         bool
}

var serviceNames = map[slotd.CalendarType]string{slotd.Google: "Google", slotd.Microsoft: "Microsoft"}

// consentPage asks before it connects anything: opening a link changes nothing, and a person whom a stranger sent here
// sees to whose page the calendar would be connected.
func (v *visit) consentPage() error {
	page, err := v.loadConsentPage()
	if err != nil {
		return err
	}
	return v.show(http.StatusOK, "consent", page)
}

// loadConsentPage returns the page about the calendar that the state parameter names.
func (v *visit) loadConsentPage() (*kit.Page, error) {
	c := &consentContent{Action: calsync.ConsentPath, State: v.r.FormValue("state"), Code: v.r.FormValue("code")}
	workspaceID, cal, err := v.Calendars.PendingConsent(v.r.Context(), c.State)
	if err != nil {
		return nil, v.showExpiredLink(err)
	}
	if v.snapshot, err = v.Cache.WorkspaceByID(v.r.Context(), workspaceID); err != nil {
		return nil, err
	}
	c.Workspace, c.Calendar, c.Service, c.WriteBack = v.snapshot.Name, cal.Name, serviceNames[cal.Type], cal.WriteBack
	if v.r.FormValue("error") != "" || c.Code == "" {
		c.Trouble = say.T("%s didn't grant access, so nothing was connected. Open the link again to retry.", c.Service)
	}
	page := v.page(v.snapshot)
	page.Title, page.Personal, page.Content = say.T("Connect a calendar · %s", v.snapshot.Name), true, c
	return page, nil
}

// consent connects the calendar and reads it at once, so that the owner sees problems now.
func (v *visit) consent() error {
	if err := v.readForm(); err != nil {
		return err
	}
	page, err := v.loadConsentPage()
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
		c.Trouble = calsync.ErrorText(unreadable)
	case err != nil && connected:
		v.Log.Error("a calendar that was just connected cannot be read", "error", err)
		c.Trouble = say.T("We'll try again automatically.")
	case errors.As(err, &unreadable):
		c.Trouble = kit.CalendarError(unreadable)
	case err != nil:
		return v.showExpiredLink(err)
	default:
		c.Done = true
		return v.show(http.StatusOK, "consent", page)
	}
	return v.show(http.StatusBadGateway, "consent", page)
}

// showExpiredLink explains to an owner with an expired link what to do: unlike a guest, an owner can get another one.
// Other errors are returned unchanged.
func (v *visit) showExpiredLink(err error) error {
	var codeErr *slotd.Error
	if !errors.As(err, &codeErr) || codeErr.Code != slotd.Unauthorized {
		return err
	}
	v.showMessage(http.StatusForbidden, say.T("This link no longer works"),
		codeErr.Sentence()+" "+say.T("If you just agreed, your calendar is connected. Otherwise connect it again from "+
			"your settings, or with slotd calendar connect."))
	return kit.ErrAnswered
}
