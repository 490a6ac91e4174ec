package calendars

import (
	"errors"
	"net/http"
	"strconv"

	"slotd"
	"slotd/internal/calendar"
	"slotd/internal/calendar/calsync"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
)

// Events of connected calendars make the host busy, and one calendar may receive the bookings.
var calendarRoutes = []page.Route[visit]{
	page.At("/settings/calendars", page.Fresh, (*visit).calendarsPage, nil),
	page.At("/settings/calendars/new", page.Fresh, (*visit).chooseServicePage, nil),
	page.At("/settings/calendars/new/ics", page.Fresh, newCalendarPage(slotd.ICSFeed), connectCalendar(slotd.ICSFeed)),
	page.At("/settings/calendars/new/caldav", page.Fresh, newCalendarPage(slotd.CalDAV), (*visit).findOrConnect),
	page.At("/settings/calendars/new/caldav/found", page.Fresh, nil, (*visit).connectFound),
	page.At("/settings/calendars/new/google", page.Fresh, newCalendarPage(slotd.Google), connectCalendar(slotd.Google)),
	page.At("/settings/calendars/new/microsoft", page.Fresh, newCalendarPage(slotd.Microsoft),
		connectCalendar(slotd.Microsoft)),
	page.At("/settings/calendars/{id}", page.Fresh, (*visit).calendarPage, (*visit).changeCalendar),
	page.At("/settings/calendars/{id}/test", page.Fresh, nil, (*visit).testCalendar),
	page.At("/settings/calendars/{id}/read", page.Fresh, nil, (*visit).readCalendar),
	page.At("/settings/calendars/{id}/consent", page.Fresh, (*visit).consentPage, nil),
	page.At("/settings/calendars/{id}/disconnect", page.Fresh, (*visit).disconnectCalendarPage,
		(*visit).disconnectCalendar),
}

type calendarsContent struct {
	page.Form
	Calendars []calendarCard
	Receiver  string // the calendar that receives bookings; empty: none
}

// calendarCard describes one calendar and its status.
type calendarCard struct {
	ID, Name, Type, Address, Username string

	WriteBack  bool
	Service    string // where the owner has to give consent; empty: nowhere
	LastRead   string
	NextRead   string
	Events     string
	Warning    string
	Error      string
	Meanwhile  string // what the error means for guests
	Unwritten  string
	WriteError string
	TestResult string // the result of a test
	TestError  string
}

func (v *visit) calendarsPage() error {
	c, err := v.calendars()
	if err != nil {
		return err
	}
	return v.Show(http.StatusOK, "calendars", say.T("Calendars"), c)
}

func (v *visit) calendars() (*calendarsContent, error) {
	all, err := v.Calendars.List(v.R.Context(), v.Snapshot.Config)
	if err != nil {
		return nil, err
	}
	c := &calendarsContent{Form: v.NewForm(""), Receiver: receiver(&v.Snapshot.Workspace)}
	for i := range all {
		c.Calendars = append(c.Calendars, v.calendarCard(&all[i]))
	}
	return c, nil
}

func (v *visit) calendarCard(s *calsync.Status) calendarCard {
	card := calendarCard{
		ID: strconv.FormatInt(s.ID, 10), Name: s.Name, Type: calendarTypes[s.Type].String(),
		Address: shownAddress(&s.Calendar), Username: s.Username,
		WriteBack: s.WriteBack, Warning: page.WithPeriod(s.Warning), Error: page.WithPeriod(s.Error),
		WriteError: page.WithPeriod(s.WriteError),
		LastRead:   timeAgo(s.ReadAt, v.Now), NextRead: timeAhead(s.NextAt, v.Now),
	}
	if !s.ReadAt.IsZero() {
		card.Events = say.N(s.Events, "%d busy time", "%d busy times")
	}
	if s.Unwritten > 0 {
		card.Unwritten = say.N(s.Unwritten, "%d booking couldn't be added to it.",
			"%d bookings couldn't be added to it.")
	}
	if s.ByConsent() && (s.Broken || s.ReadAt.IsZero()) {
		card.Service = serviceName(s.Type)
		if s.ReadAt.IsZero() {
			card.Error = say.T("You haven't given access at %s yet.", card.Service)
		}
	}
	if card.Error != "" || s.ReadAt.IsZero() {
		card.Meanwhile = v.meanwhile(s)
	}
	return card
}

// meanwhile says what the error means for guests. Once the copy of the calendar is too old, nobody knows which times
// are open.
func (v *visit) meanwhile(s *calsync.Status) string {
	until := s.ReadAt.Add(s.StaleAfter())
	if s.ReadAt.IsZero() || !until.After(v.Now) {
		return say.T("Bookings are paused until it can be read.")
	}
	return say.T("We use the last copy until %s. After that, bookings are paused until it can be read.",
		v.Local().ShortInstant(until))
}

// testCalendar reads the whole calendar and stores nothing.
func (v *visit) testCalendar() error {
	cal, err := v.calendar()
	if err != nil {
		return err
	}
	t, err := v.Calendars.Test(v.R.Context(), v.Snapshot.WorkspaceID, cal.ID)
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
			card.TestError = calsync.ErrorText(unreadable)
		default:
			card.TestResult = say.N(t.Events, "The test worked: %d busy time in the next two years, read in %d ms.",
				"The test worked: %d busy times in the next two years, read in %d ms.", t.Took.Milliseconds())
			card.Warning = page.WithPeriod(t.Warnings)
		}
	}
	return v.Show(http.StatusOK, "calendars", say.T("Calendars"), c)
}

// readCalendar updates the copy of the calendar. The page that it redirects to shows any error.
func (v *visit) readCalendar() error {
	cal, err := v.calendar()
	if err != nil {
		return err
	}
	if err := v.readNow(cal.ID); err != nil {
		return disconnected(err)
	}
	return v.Redirect("/settings/calendars#calendar-" + strconv.FormatInt(cal.ID, 10))
}

// calendar returns the calendar that the path names, if it belongs to this workspace.
func (v *visit) calendar() (*slotd.Calendar, error) {
	id, err := strconv.ParseInt(v.R.PathValue("id"), 10, 64)
	for i := range v.Snapshot.Calendars {
		if cal := &v.Snapshot.Calendars[i]; err == nil && cal.ID == id {
			return cal, nil
		}
	}
	return nil, errNoCalendar
}

var errNoCalendar = slotd.NewError(slotd.WorkspaceNotFound, slotd.Facts{})

// disconnected converts the error for a calendar that was disconnected while it was being read.
func disconnected(err error) error {
	if errors.Is(err, calsync.ErrGone) {
		return errNoCalendar
	}
	return err
}
