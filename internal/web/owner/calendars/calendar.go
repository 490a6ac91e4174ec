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

// calendarContent is the form of one calendar, a new one or one that is connected.
type calendarContent struct {
	page.Form
	New           bool
	ID            string // of one that is connected
	Type          slotd.CalendarType
	Kind, Service string // in words
	Name          string

	URL, Username, Calendar string
	StaleAfter              string
	WriteBack               bool

	Kept     string // the address that stays if no other one is typed; empty: it has to be typed
	Receiver string // the other calendar that bookings are written into at present
	Missing  string // the flags that the server needs before its owner can agree anywhere
	Retry    bool   // it was tried and could not be read
}

// emptyCalendar is the form without values.
func (v *visit) emptyCalendar(kind slotd.CalendarType, name string) *calendarContent {
	c := &calendarContent{
		Form: v.NewForm(calendarMark(&v.Snapshot.Workspace, name)), Type: kind, Kind: calendarTypes[kind], Name: name,
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

// typedCalendar is the form as it was sent.
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

// shownFor fills in how the calendar is at present.
func (c *calendarContent) shownFor(cal *slotd.Calendar) {
	c.ID = strconv.FormatInt(cal.ID, 10)
	if c.Receiver == cal.Name {
		c.Receiver = ""
	}
	if cal.Type == slotd.ICSFeed { // its address may be all that it takes to read it
		c.Kept = shownAddress(cal)
	}
}

func (v *visit) calendarPage() error {
	cal, err := v.calendar()
	if err != nil {
		return err
	}
	c := v.emptyCalendar(cal.Type, cal.Name)
	c.shownFor(cal)
	if c.Kept == "" {
		c.URL = cal.URL
	}
	c.Username, c.Calendar, c.WriteBack, c.StaleAfter = cal.Username, cal.Calendar, cal.WriteBack,
		strconv.Itoa(cal.StaleAfterMinutes)
	return v.showCalendar(http.StatusOK, c)
}

func (v *visit) showCalendar(status int, c *calendarContent) error {
	example := "https://acme.example/calendar.ics"
	if c.Type == slotd.CalDAV {
		example = "https://acme.example/dav/calendars/ada/"
	}
	c.Reword("url", "https://acme.example/room", example)
	title := c.Name
	if c.New {
		title = "Connect a calendar"
	}
	return v.Show(status, "calendar", title, c)
}

// changeCalendar never changes the name: it is what the workspace file knows the calendar by.
func (v *visit) changeCalendar() error {
	cal, err := v.calendar()
	if err != nil {
		return err
	}
	c := v.typedCalendar(cal.Type, cal.Name)
	c.shownFor(cal)
	// before what was typed is tried out with what is there now
	if calendarMark(&v.Snapshot.Workspace, cal.Name) != c.Version {
		return v.calendarConflict(c)
	}
	next := c.calendar()
	if c.Kept != "" && c.URL == "" {
		next.URL = cal.URL
	}
	next.ID = cal.ID
	elsewhere := !cal.SameSource(&next)
	if answered, err := v.refuseCalendar(c, &next, elsewhere); answered || err != nil {
		return err
	}
	if answered, err := v.keepCalendar(c, next); answered || err != nil {
		return err
	}
	if elsewhere && next.ByConsent() {
		return v.Leave("/settings/calendars/" + c.ID + "/consent")
	}
	if elsewhere || v.typedPassword() != "" {
		if err := v.readFirst(cal.ID); err != nil {
			return err
		}
	}
	return v.Leave("/settings/calendars?saved=1")
}

// keepCalendar writes what was typed, or shows the form again.
func (v *visit) keepCalendar(c *calendarContent, next slotd.Calendar) (answered bool, err error) {
	passwords := map[string]string{}
	if p := v.typedPassword(); p != "" {
		passwords[next.Name] = p
	}
	err = v.EditWith(workspace.Editing{Passwords: passwords, Edit: func(w *slotd.Workspace) error {
		if calendarMark(w, next.Name) != c.Version {
			return page.ErrChanged
		}
		putCalendar(w, next, c.New)
		return nil
	}})
	var missing *workspace.PasswordMissing
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
