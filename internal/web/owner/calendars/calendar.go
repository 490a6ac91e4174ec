package calendars

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/inputs"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

// form has the inputs of a calendar. A page shows those that the calendar's type has.
var form = inputs.New(workspace.CalendarFields, map[string]inputs.Own[slotd.Calendar]{
	"url": {
		Words:  shownAddress,
		Secret: func(c *slotd.Calendar) bool { return c.Type == slotd.ICSFeed }, // whoever knows it can read the calendar
	},
	// Only one calendar receives bookings, so all forms share the version of which one it is.
	"write_back": {Apart: true, Read: func(c *slotd.Calendar, typed inputs.Values) {
		c.WriteBack = typed["write_back"] == inputs.Yes && c.Type != slotd.ICSFeed
	}},
})

// calendarContent is the form of one calendar, either new or connected.
type calendarContent struct {
	inputs.Filled
	New           bool
	ID            string // of a connected calendar
	Type          slotd.CalendarType
	Kind, Service string // in words
	Name          string

	StoredAddress string // the stored address, which stays if no other one is typed; empty: it has to be typed
	Receiver      string // the other calendar that receives bookings at present
	Missing       string // the flags that the server needs before an owner can give consent to the service
	Retry         bool   // the calendar was tried and could not be read
}

// newContent returns the form of a calendar with these texts.
func (v *visit) newContent(kind slotd.CalendarType, name string, typed inputs.Values) *calendarContent {
	w := &v.Snapshot.Workspace
	c := &calendarContent{Filled: form.Fill(v.NewForm(calendarVersion(w, name)), typed), Type: kind,
		Kind: calendarTypes[kind].String(), Name: name, Receiver: receiver(w)}
	if kind == slotd.Google || kind == slotd.Microsoft {
		c.Service = serviceName(kind)
		if _, known := v.Calendars.Apps[kind]; !known {
			c.Missing = say.T("--%[1]s-client-id and --%[1]s-client-secret", kind)
		}
	}
	return c
}

// emptyCalendar returns the form of a new calendar before anything is typed.
func (v *visit) emptyCalendar(kind slotd.CalendarType) *calendarContent {
	var cal slotd.Calendar
	workspace.SetDefaults(&cal, workspace.CalendarFields)
	c := v.newContent(kind, "", form.Show(&cal))
	c.New = true
	return c
}

// typedCalendar returns the form as it was sent.
func (v *visit) typedCalendar(kind slotd.CalendarType, name string) *calendarContent {
	c := v.newContent(kind, name, form.Typed(v.Visit))
	c.Version, c.Saved, c.Typed["name"] = v.Value("seen"), false, name
	return c
}

// calendar returns what was typed. What the form does not show stays as it is stored.
func (c *calendarContent) calendar(stored slotd.Calendar) slotd.Calendar {
	stored.Type = c.Type
	form.Read(&stored, c.Typed)
	return stored
}

// fillFrom fills in the calendar's present state.
func (c *calendarContent) fillFrom(cal *slotd.Calendar) {
	c.ID = strconv.FormatInt(cal.ID, 10)
	if c.Receiver == cal.Name {
		c.Receiver = ""
	}
	if cal.Type == slotd.ICSFeed { // a feed's address may be all that is needed to read it
		c.StoredAddress = shownAddress(cal)
	}
}

func (v *visit) calendarPage() error {
	cal, err := v.calendar()
	if err != nil {
		return err
	}
	c := v.newContent(cal.Type, cal.Name, form.Show(cal))
	c.fillFrom(cal)
	return v.showCalendar(http.StatusOK, c)
}

func (v *visit) showCalendar(status int, c *calendarContent) error {
	title := c.Name
	if c.New {
		title = say.T("Connect a calendar")
	}
	return v.Show(status, "calendar", title, c)
}

// changeCalendar never changes the name, because the workspace file identifies the calendar by it.
func (v *visit) changeCalendar() error {
	cal, err := v.calendar()
	if err != nil {
		return err
	}
	c := v.typedCalendar(cal.Type, cal.Name)
	c.fillFrom(cal)
	// Check this before the new input is tried together with what is stored now.
	if calendarVersion(&v.Snapshot.Workspace, cal.Name) != c.Version {
		return v.calendarConflict(c)
	}
	next := c.calendar(*cal)
	sourceChanged := !cal.SameSource(&next)
	if answered, err := v.refuseCalendar(c, &next, sourceChanged); answered || err != nil {
		return err
	}
	if answered, err := v.saveCalendar(c, next); answered || err != nil {
		return err
	}
	if sourceChanged && next.ByConsent() {
		return v.Redirect("/settings/calendars/" + c.ID + "/consent")
	}
	if sourceChanged || v.typedPassword() != "" {
		if err := v.readNow(cal.ID); err != nil {
			return err
		}
	}
	return v.Redirect("/settings/calendars?saved=1")
}

// saveCalendar saves what was typed, or shows the form again.
func (v *visit) saveCalendar(c *calendarContent, next slotd.Calendar) (answered bool, err error) {
	passwords := map[string]string{}
	if p := v.typedPassword(); p != "" {
		passwords[next.Name] = p
	}
	err = v.EditWith(workspace.EditRequest{Passwords: passwords, Edit: func(w *slotd.Workspace) error {
		if calendarVersion(w, next.Name) != c.Version {
			return page.ErrChanged
		}
		putCalendar(w, next, c.New)
		return nil
	}})
	var missing *workspace.PasswordMissingError
	switch {
	case errors.Is(err, page.ErrChanged):
		return true, v.calendarConflict(c)
	case errors.As(err, &missing):
		c.AddProblem("password", passwordNeeded.String())
		return true, v.showCalendar(http.StatusUnprocessableEntity, c)
	case c.AddProblems(err, c.field):
		return true, v.showCalendar(http.StatusUnprocessableEntity, c)
	}
	return false, err
}

// putCalendar replaces the calendar of the same name, or adds it. Only one calendar receives bookings.
func putCalendar(w *slotd.Workspace, cal slotd.Calendar, isNew bool) {
	for i := range w.Calendars {
		w.Calendars[i].WriteBack = w.Calendars[i].WriteBack && !cal.WriteBack
	}
	at := slices.IndexFunc(w.Calendars, func(o slotd.Calendar) bool { return o.Name == cal.Name })
	if isNew || at < 0 {
		w.Calendars = append(w.Calendars, cal)
		return
	}
	w.Calendars[at] = cal
}

// field maps a path of the workspace file to an input and the subject of its problem.
func (c *calendarContent) field(path string) (field, subject string) { return fieldOf(path, c.Typed) }

func fieldOf(path string, typed inputs.Values) (field, subject string) {
	if _, name, ok := strings.Cut(path, "]."); ok {
		return form.Field(name, typed)
	}
	return "name", say.T("The workspace's %s", path)
}
