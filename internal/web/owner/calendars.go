package owner

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"slotd"
	"slotd/internal/calendar"
	"slotd/internal/calendar/calsync"
)

// What stands in a connected calendar is busy, and one of them may receive the bookings.
var calendarRoutes = []route{
	{"/settings/calendars", fresh, (*visit).calendarsPage, nil},
	{"/settings/calendars/new", fresh, (*visit).chooseServicePage, nil},
	{"/settings/calendars/new/ics", fresh, newCalendarPage(slotd.ICSFeed), connectCalendar(slotd.ICSFeed)},
	{"/settings/calendars/new/caldav", fresh, newCalendarPage(slotd.CalDAV), (*visit).findOrConnect},
	{"/settings/calendars/new/caldav/found", fresh, nil, (*visit).connectFound},
	{"/settings/calendars/new/google", fresh, newCalendarPage(slotd.Google), connectCalendar(slotd.Google)},
	{"/settings/calendars/new/microsoft", fresh, newCalendarPage(slotd.Microsoft), connectCalendar(slotd.Microsoft)},
	{"/settings/calendars/{id}", fresh, (*visit).calendarPage, (*visit).changeCalendar},
	{"/settings/calendars/{id}/test", fresh, nil, (*visit).testCalendar},
	{"/settings/calendars/{id}/read", fresh, nil, (*visit).readCalendar},
	{"/settings/calendars/{id}/consent", fresh, (*visit).agreePage, nil},
	{"/settings/calendars/{id}/disconnect", fresh, (*visit).disconnectCalendarPage, (*visit).disconnectCalendar},
}

type calendarsContent struct {
	form
	Calendars []calendarCard
	Receives  string // the one that bookings are written into; empty: none
}

// calendarCard is how one calendar is, in words.
type calendarCard struct {
	ID, Name, Type, Address, Username string

	WriteBack    bool
	Service      string // where its owner has to agree; empty: nowhere
	LastRead     string
	NextRead     string
	Events       string
	Warning      string
	Error        string
	Meanwhile    string // what the error means for guests
	Unwritten    string
	WriteError   string
	Trial        string // what a test has shown
	TrialTrouble string
}

func (v *visit) calendarsPage() error {
	c, err := v.calendars()
	if err != nil {
		return err
	}
	return v.show(http.StatusOK, "calendars", "Calendars", c)
}

func (v *visit) calendars() (*calendarsContent, error) {
	all, err := v.Calendars.List(v.r.Context(), v.snapshot.Config)
	if err != nil {
		return nil, err
	}
	c := &calendarsContent{form: v.newForm(""), Receives: receiver(&v.snapshot.Workspace)}
	for i := range all {
		c.Calendars = append(c.Calendars, v.calendarCard(&all[i]))
	}
	return c, nil
}

func (v *visit) calendarCard(s *calsync.Status) calendarCard {
	card := calendarCard{
		ID: strconv.FormatInt(s.ID, 10), Name: s.Name, Type: calendarTypes[s.Type], Address: shownAddress(&s.Calendar),
		Username:  s.Username,
		WriteBack: s.WriteBack, Warning: ended(s.Warning), Error: ended(s.Error), WriteError: ended(s.WriteError),
		LastRead: timeAgo(s.ReadAt, v.now), NextRead: timeAhead(s.NextAt, v.now),
	}
	if !s.ReadAt.IsZero() {
		card.Events = counted(s.Events, "busy time")
	}
	if s.Unwritten > 0 {
		card.Unwritten = counted(s.Unwritten, "booking")
	}
	if s.ByConsent() && (s.Broken || s.ReadAt.IsZero()) {
		card.Service = serviceName(s.Type)
		if s.ReadAt.IsZero() {
			card.Error = "Its owner has not agreed at " + card.Service + " yet."
		}
	}
	if card.Error != "" || s.ReadAt.IsZero() {
		card.Meanwhile = v.meanwhile(s)
	}
	return card
}

// meanwhile says what guests get while a calendar cannot be read: nobody knows which times are open once the copy is
// too old.
func (v *visit) meanwhile(s *calsync.Status) string {
	until := s.ReadAt.Add(s.StaleAfter())
	if s.ReadAt.IsZero() || !until.After(v.now) {
		return "Nobody can book until it can be read."
	}
	return "Guests can book by what was read last until " + v.local().ShortInstant(until) +
		"; then nobody can until it can be read."
}

// testCalendar reads the whole calendar and keeps nothing.
func (v *visit) testCalendar() error {
	cal, err := v.calendar()
	if err != nil {
		return err
	}
	t, err := v.Calendars.Test(v.r.Context(), v.snapshot.WorkspaceID, cal.ID)
	var unreadable *calendar.Error
	if err != nil && !errors.As(err, &unreadable) {
		return disconnected(err)
	}
	c, err := v.calendars()
	if err != nil {
		return err
	}
	for i := range c.Calendars {
		card := &c.Calendars[i]
		switch {
		case card.ID != strconv.FormatInt(cal.ID, 10):
		case unreadable != nil:
			card.TrialTrouble = ended(unreadable.Message)
		default:
			card.Trial = fmt.Sprintf("It was read in %d ms and has %s in the next two years.", t.Took.Milliseconds(),
				counted(t.Events, "busy time"))
			card.Warning = ended(t.Warnings)
		}
	}
	return v.show(http.StatusOK, "calendars", "Calendars", c)
}

// readCalendar brings the copy up to date. What went wrong stands on the page that it leads to.
func (v *visit) readCalendar() error {
	cal, err := v.calendar()
	if err != nil {
		return err
	}
	if err := v.readFirst(cal.ID); err != nil {
		return disconnected(err)
	}
	return v.leave("/settings/calendars#calendar-" + strconv.FormatInt(cal.ID, 10))
}

// calendar is the one that the path names, if it is this workspace's.
func (v *visit) calendar() (*slotd.Calendar, error) {
	id, err := strconv.ParseInt(v.r.PathValue("id"), 10, 64)
	for i := range v.snapshot.Calendars {
		if cal := &v.snapshot.Calendars[i]; err == nil && cal.ID == id {
			return cal, nil
		}
	}
	return nil, errNoCalendar
}

var errNoCalendar = slotd.Errorf(slotd.WorkspaceNotFound, "There is no such calendar.")

// disconnected is for a calendar that was disconnected while it was being read.
func disconnected(err error) error {
	if errors.Is(err, calsync.ErrGone) {
		return errNoCalendar
	}
	return err
}
