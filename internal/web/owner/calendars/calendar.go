package calendars

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"slotd"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

// calendarContent is the form of one calendar, either new or connected.
type calendarContent struct {
	page.Form
	New           bool
	ID            string // of a connected calendar
	Type          slotd.CalendarType
	Kind, Service string // in words
	Name          string

	URL, Username, Calendar string
	StaleAfter              string
	WriteBack               bool

	StoredAddress string // the stored address, which stays if no other one is typed; empty: it has to be typed
	Receiver      string // the other calendar that receives bookings at present
	Missing       string // the flags that the server needs before an owner can give consent to the service
	Retry         bool   // the calendar was tried and could not be read
}

// emptyCalendar returns the form without values.
func (v *visit) emptyCalendar(kind slotd.CalendarType, name string) *calendarContent {
	c := &calendarContent{
		Form: v.NewForm(calendarVersion(&v.Snapshot.Workspace, name)), Type: kind, Kind: calendarTypes[kind],
		Name:       name,
		StaleAfter: strconv.Itoa(slotd.DefaultStaleAfterMinutes), Receiver: receiver(&v.Snapshot.Workspace),
	}
	if kind == slotd.Google || kind == slotd.Microsoft {
		c.Service = serviceName(kind)
		if _, known := v.Calendars.Apps[kind]; !known {
			c.Missing = "--" + string(kind) + "-client-id and --" + string(kind) + "-client-secret"
		}
	}
	return c
}

// typedCalendar returns the form as it was sent.
func (v *visit) typedCalendar(kind slotd.CalendarType, name string) *calendarContent {
	c := v.emptyCalendar(kind, name)
	c.Version, c.Saved = v.Value("seen"), false
	c.URL, c.Username, c.Calendar = v.Value("url"), v.Value("username"), v.Value("calendar")
	c.WriteBack = v.Value("write_back") != "" && kind != slotd.ICSFeed
	if minutes := v.Value("stale_after"); minutes != "" {
		c.StaleAfter = minutes
	}
	return c
}

func (c *calendarContent) calendar() slotd.Calendar {
	return slotd.Calendar{
		Name: c.Name, Type: c.Type, URL: c.URL, Username: c.Username, Calendar: c.Calendar, WriteBack: c.WriteBack,
		StaleAfterMinutes: page.ParseNumber(c.StaleAfter),
	}
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
	c := v.emptyCalendar(cal.Type, cal.Name)
	c.fillFrom(cal)
	if c.StoredAddress == "" {
		c.URL = cal.URL
	}
	c.Username, c.Calendar, c.WriteBack, c.StaleAfter = cal.Username, cal.Calendar, cal.WriteBack,
		strconv.Itoa(cal.StaleAfterMinutes)
	return v.showCalendar(http.StatusOK, c)
}

func (v *visit) showCalendar(status int, c *calendarContent) error {
	title := c.Name
	if c.New {
		title = "Connect a calendar"
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
	next := c.calendar()
	if c.StoredAddress != "" && c.URL == "" {
		next.URL = cal.URL
	}
	next.ID = cal.ID
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
		c.AddProblem("password", "The password has to be typed: a stored one is only good for the address and the user "+
			"name it was given for.")
		return true, v.showCalendar(http.StatusUnprocessableEntity, c)
	case c.AddProblems(err, calendarField):
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

func calendarField(path string) (field, subject string) {
	_, name, _ := strings.Cut(path, "].")
	switch name {
	case "url":
		return "url", "The address"
	case "username":
		return "username", "The user name"
	case "calendar":
		return "calendar", "The calendar"
	case "stale_after_minutes":
		return "stale_after", "The time that counts"
	case "write_back":
		return "write_back", "Receiving bookings"
	case "name":
		return "name", "The name"
	}
	return "name", "The workspace's " + path
}
