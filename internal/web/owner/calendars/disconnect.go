package calendars

import (
	"net/http"
	"slices"
	"strconv"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

type disconnectCalendarContent struct {
	page.Form
	ID, Name  string
	WriteBack bool
}

func (v *visit) disconnectCalendarPage() error {
	cal, err := v.calendar()
	if err != nil {
		return err
	}
	c := &disconnectCalendarContent{Form: v.NewForm(""), ID: strconv.FormatInt(cal.ID, 10), Name: cal.Name,
		WriteBack: cal.WriteBack}
	return v.Show(http.StatusOK, "disconnect", say.T("Disconnect %s", cal.Name), c)
}

// disconnectCalendar identifies the calendar by its id: one that was connected again under the same name is a different
// one.
func (v *visit) disconnectCalendar() error {
	cal, err := v.calendar()
	if err != nil {
		return err
	}
	err = v.EditWith(workspace.EditRequest{Edit: func(w *slotd.Workspace) error {
		w.Calendars = slices.DeleteFunc(w.Calendars, func(o slotd.Calendar) bool { return o.ID == cal.ID })
		return nil
	}})
	if err != nil {
		return err
	}
	return v.Redirect("/settings/calendars?saved=1")
}
