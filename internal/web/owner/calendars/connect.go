package calendars

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"slotd"
	"slotd/internal/availability/zone"
	"slotd/internal/calendar"
	"slotd/internal/calendar/caldav"
	"slotd/internal/calendar/feed"
	"slotd/internal/calendar/ical"
	"slotd/internal/lib/safehttp"
	"slotd/internal/lib/say"
	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

func (v *visit) chooseServicePage() error {
	return v.Show(http.StatusOK, "new", say.T("Connect a calendar"), nil)
}

func newCalendarPage(kind slotd.CalendarType) func(*visit) error {
	return func(v *visit) error {
		return v.showCalendar(http.StatusOK, v.emptyCalendar(kind))
	}
}

// connectCalendar adds a calendar. For Google and Microsoft the owner has to give consent there before it can be read.
func connectCalendar(kind slotd.CalendarType) func(*visit) error {
	return func(v *visit) error {
		c := v.typedCalendar(kind, v.Value("name"))
		c.New = true
		next := c.calendar(slotd.Calendar{})
		if answered, err := v.refuseCalendar(c, &next, true); answered || err != nil {
			return err
		}
		if answered, err := v.saveCalendar(c, next); answered || err != nil {
			return err
		}
		id, err := v.calendarID(next.Name)
		if err != nil {
			return err
		}
		if next.ByConsent() {
			return v.Redirect("/settings/calendars/" + strconv.FormatInt(id, 10) + "/consent")
		}
		if err := v.readNow(id); err != nil {
			return err
		}
		return v.Redirect("/settings/calendars?saved=1")
	}
}

// calendarID returns the id of a calendar that was just connected.
func (v *visit) calendarID(name string) (int64, error) {
	p, err := v.Cache.Latest(v.R.Context(), v.Snapshot.WorkspaceID)
	if err != nil {
		return 0, err
	}
	for _, c := range p.Calendars {
		if c.Name == name {
			return c.ID, nil
		}
	}
	return 0, errNoCalendar
}

// typedPassword does not trim, because spaces may be part of a password.
func (v *visit) typedPassword() string { return v.R.PostFormValue("password") }

const maxPassword = 1000

// refuseCalendar shows the form again if the input is invalid or the calendar cannot be read. Nobody can book while a
// calendar is unreadable, so it is read before it is saved, unless the owner insists. sourceChanged is true if the form
// names another source than what is stored.
func (v *visit) refuseCalendar(c *calendarContent, next *slotd.Calendar,
	sourceChanged bool) (answered bool, err error) {
	trial := v.Snapshot.Workspace
	trial.Calendars = slices.Clone(trial.Calendars)
	putCalendar(&trial, *next, c.New)
	c.AddProblems(&workspace.ValidationError{Problems: workspace.Validate(&trial)}, c.field)
	c.AddProblem("password", wrongPassword(v.typedPassword(), next.Username, sourceChanged))
	if next.ByConsent() && c.New && c.Missing != "" {
		c.Trouble = say.T("This server isn't registered with %s yet. Its operator needs to set %s.", c.Service,
			c.Missing)
	}
	if len(c.Problems) == 0 && c.Trouble == "" && v.Value("anyway") == "" && !next.ByConsent() &&
		(sourceChanged || v.typedPassword() != "") {
		ctx, cancel := context.WithTimeout(v.R.Context(), tryTimeout)
		defer cancel()
		reason, err := v.tryRead(ctx, next, v.typedPassword())
		if err != nil {
			return false, err
		}
		if reason != "" {
			c.Trouble, c.Retry = say.T("It can't be read. %s", reason), true
		}
	}
	if len(c.Problems) == 0 && c.Trouble == "" {
		return false, nil
	}
	return true, v.showCalendar(http.StatusUnprocessableEntity, c)
}

const passwordNeeded say.Sentence = "Please enter the password. The stored one is only for the address and " +
	"username it was entered with."

func wrongPassword(password, username string, sourceChanged bool) string {
	switch {
	case len(password) > maxPassword:
		return say.T("The password can have at most %d characters.", maxPassword)
	case password != "" && username == "":
		return say.T("Enter a username too, or leave the password blank.")
	case password == "" && username != "" && sourceChanged:
		return passwordNeeded.String()
	}
	return ""
}

// Limits for reading a calendar while somebody is waiting for the page.
const (
	tryTimeout  = 20 * time.Second
	tryMaxBytes = 64 << 20
	trySpan     = 60 * 24 * time.Hour
)

// tryRead reads a calendar that is not connected yet. It returns the reason if the calendar cannot be read.
func (v *visit) tryRead(ctx context.Context, cal *slotd.Calendar, password string) (reason string, err error) {
	z, err := zone.Load(v.Snapshot.TimeZone)
	if err != nil {
		return "", err
	}
	client := v.Calendars.Client
	reader := ical.Reader{Zone: z.Location(), OwnerEmail: v.Snapshot.Host.Email, Location: zone.Location, From: v.Now,
		Until: v.Now.Add(trySpan)}.SharingBudget()
	var provider calendar.Provider = feed.New(client, cal.URL, cal.Username, password, reader)
	if cal.Type == slotd.CalDAV {
		provider = caldav.New(client, caldav.Account{URL: cal.URL, Username: cal.Username, Password: password}, reader)
	}
	_, err = provider.Changes(safehttp.WithBodyLimit(ctx, tryMaxBytes), "", nil)
	return v.unreadable(ctx, err)
}

// unreadable returns the reason to show to the owner for an error of a calendar that is not connected yet. The reason
// contains no password.
func (v *visit) unreadable(ctx context.Context, err error) (reason string, other error) {
	var known *calendar.Error
	switch {
	case err == nil:
		return "", nil
	case errors.As(err, &known):
		return kit.CalendarError(known), nil
	case v.R.Context().Err() != nil:
		return "", err
	case ctx.Err() != nil:
		return say.N(int(tryTimeout/time.Second), "Its server took longer than %d second.",
			"Its server took longer than %d seconds."), nil
	}
	return "", err
}

// readNow reads calendars at once, so that the next page shows their status. A calendar that takes longer is read in
// the background.
func (v *visit) readNow(ids ...int64) error {
	ctx, cancel := context.WithTimeout(v.R.Context(), tryTimeout)
	defer cancel()
	failed := make([]error, len(ids))
	var all sync.WaitGroup
	for i, id := range ids {
		all.Go(func() { failed[i] = v.Calendars.ReadNow(ctx, v.Snapshot.WorkspaceID, id) })
	}
	all.Wait()
	for _, err := range failed {
		var known *calendar.Error
		if err != nil && !errors.As(err, &known) && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

type consentContent struct {
	Name, Service, Address string
	WriteBack              bool
}

// consentPage shows a link to the service, because our forms must not lead to other sites.
func (v *visit) consentPage() error {
	cal, err := v.calendar()
	if err != nil {
		return err
	}
	address, err := v.Calendars.ConsentURL(v.R.Context(), v.Snapshot.WorkspaceID, cal)
	var known *calendar.Error
	if errors.As(err, &known) {
		return page.Refuse(slotd.InvalidArgument, say.T("%s can't be connected. %s", cal.Name,
			kit.CalendarError(known)))
	} else if err != nil {
		return err
	}
	c := &consentContent{Name: cal.Name, Service: serviceName(cal.Type), Address: address, WriteBack: cal.WriteBack}
	return v.Show(http.StatusOK, "consent", say.T("Continue to %s", c.Service), c)
}
