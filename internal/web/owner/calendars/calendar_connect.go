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
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

func (v *visit) chooseServicePage() error {
	return v.Show(http.StatusOK, "calendar_new", "Connect a calendar", nil)
}

func newCalendarPage(kind slotd.CalendarType) func(*visit) error {
	return func(v *visit) error {
		c := v.emptyCalendar(kind, "")
		c.New = true
		return v.showCalendar(http.StatusOK, c)
	}
}

// connectCalendar adds a calendar. One of a service is agreed to there before it can be read.
func connectCalendar(kind slotd.CalendarType) func(*visit) error {
	return func(v *visit) error {
		c := v.typedCalendar(kind, v.Value("name"))
		c.New = true
		next := c.calendar()
		if answered, err := v.refuseCalendar(c, &next, true); answered || err != nil {
			return err
		}
		if answered, err := v.keepCalendar(c, next); answered || err != nil {
			return err
		}
		id, err := v.calendarID(next.Name)
		if err != nil {
			return err
		}
		if next.ByConsent() {
			return v.Leave("/settings/calendars/" + strconv.FormatInt(id, 10) + "/consent")
		}
		if err := v.readFirst(id); err != nil {
			return err
		}
		return v.Leave("/settings/calendars?saved=1")
	}
}

// calendarID is of a calendar that was connected just now.
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

// typedPassword is as it was typed: spaces may belong to it.
func (v *visit) typedPassword() string { return v.R.PostFormValue("password") }

const maxPassword = 1000

// refuseCalendar shows the form again where what was typed is wrong, or does not lead to a calendar. An unreadable
// calendar lets nobody book, so it is read before it is kept, unless its owner insists.
func (v *visit) refuseCalendar(c *calendarContent, next *slotd.Calendar, elsewhere bool) (answered bool, err error) {
	trial := v.Snapshot.Workspace
	trial.Calendars = slices.Clone(trial.Calendars)
	putCalendar(&trial, *next, c.New)
	c.AddProblems(&workspace.Invalid{Problems: workspace.Validate(&trial)}, calendarField)
	c.AddProblem("password", wrongPassword(v.typedPassword(), next.Username, elsewhere))
	if next.ByConsent() && c.New && c.Missing != "" {
		c.Trouble = "This server is not known to " + c.Service + " yet: whoever runs it has to set " + c.Missing + "."
	}
	if len(c.Problems) == 0 && c.Trouble == "" && v.Value("anyway") == "" && !next.ByConsent() &&
		(elsewhere || v.typedPassword() != "") {
		ctx, cancel := context.WithTimeout(v.R.Context(), triesFor)
		defer cancel()
		reason, err := v.tryOut(ctx, next, v.typedPassword())
		if err != nil {
			return false, err
		}
		if reason != "" {
			c.Trouble, c.Retry = "It cannot be read: "+reason, true
		}
	}
	if len(c.Problems) == 0 && c.Trouble == "" {
		return false, nil
	}
	return true, v.showCalendar(http.StatusUnprocessableEntity, c)
}

func wrongPassword(password, username string, elsewhere bool) string {
	switch {
	case len(password) > maxPassword:
		return "The password must be at most 1000 characters long."
	case password != "" && username == "":
		return "A password needs a user name."
	case password == "" && username != "" && elsewhere:
		return "The password has to be typed: a stored one is only good for the address and the user name it was " +
			"given for."
	}
	return ""
}

// What a try may take: somebody waits for it.
const (
	triesFor  = 20 * time.Second
	triedSize = 64 << 20
	triedSpan = 60 * 24 * time.Hour
)

// tryOut reads a calendar that is not connected yet, and says why it cannot be read.
func (v *visit) tryOut(ctx context.Context, cal *slotd.Calendar, password string) (reason string, err error) {
	z, err := zone.Load(v.Snapshot.TimeZone)
	if err != nil {
		return "", err
	}
	client := v.Calendars.Client
	reader := ical.Reader{Zone: z.Location(), OwnerEmail: v.Snapshot.Host.Email, Location: zone.Location, From: v.Now,
		Until: v.Now.Add(triedSpan)}.SharingBudget()
	var provider calendar.Provider = feed.New(client, cal.URL, cal.Username, password, reader)
	if cal.Type == slotd.CalDAV {
		provider = caldav.New(client, caldav.Account{URL: cal.URL, Username: cal.Username, Password: password}, reader)
	}
	_, err = provider.Changes(safehttp.WithAllowance(ctx, triedSize), "", nil)
	return v.unreadable(ctx, err)
}

// unreadable is what the owner is told of an error of a server whose calendar is not connected yet. It holds no
// password.
func (v *visit) unreadable(ctx context.Context, err error) (reason string, other error) {
	var known *calendar.Error
	switch {
	case err == nil:
		return "", nil
	case errors.As(err, &known):
		return notConnected(known), nil
	case v.R.Context().Err() != nil:
		return "", err
	case ctx.Err() != nil:
		return "its server took longer than " + page.Plural(int(triesFor/time.Second), "second") + ".", nil
	}
	return "", err
}

// readFirst reads calendars at once, so that the next page says how they are. One that takes longer goes on being read.
func (v *visit) readFirst(ids ...int64) error {
	ctx, cancel := context.WithTimeout(v.R.Context(), triesFor)
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

type agreeContent struct {
	Name, Service, Address string
	WriteBack              bool
}

// agreePage leads on by a link: no form of ours may lead to another site.
func (v *visit) agreePage() error {
	cal, err := v.calendar()
	if err != nil {
		return err
	}
	address, err := v.Calendars.ConsentURL(v.R.Context(), v.Snapshot.WorkspaceID, cal)
	var known *calendar.Error
	if errors.As(err, &known) {
		return slotd.Errorf(slotd.InvalidArgument, "%s cannot be connected: %s", cal.Name, page.WithPeriod(known.Message))
	} else if err != nil {
		return err
	}
	c := &agreeContent{Name: cal.Name, Service: serviceName(cal.Type), Address: address, WriteBack: cal.WriteBack}
	return v.Show(http.StatusOK, "calendar_consent", "Continue at "+c.Service, c)
}
