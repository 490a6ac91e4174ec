package calendars

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"slotd"
	"slotd/internal/calendar/caldav"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

// foundTicket carries an account between the two steps of connecting it. It is sealed, because it is part of a page.
type foundTicket struct {
	Username, Password string
	Found              []caldav.Found
	Until              int64
}

const (
	ticketLifetime = time.Hour
	maxFound       = 100
)

func (v *visit) ticketIdentity() string {
	return fmt.Sprintf("found-calendars %d %d", v.Snapshot.WorkspaceID, v.Session.User.ID)
}

func (v *visit) sealTicket(t *foundTicket) (string, error) {
	plain, err := json.Marshal(t)
	if err != nil {
		return "", err
	}
	sealed, err := v.Keys.Seal(plain, v.ticketIdentity())
	return base64.RawURLEncoding.EncodeToString(sealed), err
}

func (v *visit) openTicket(text string) (*foundTicket, error) {
	sealed, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return nil, errTicket
	}
	t := &foundTicket{}
	plain, err := v.Keys.Open(sealed, v.ticketIdentity())
	if err != nil || json.Unmarshal(plain, t) != nil || v.Now.Unix() > t.Until {
		return nil, errTicket
	}
	return t, nil
}

var errTicket = page.Refuse(slotd.InvalidArgument,
	say.T("This search has expired, and nothing was changed. Please search for your calendars again."))

// findOrConnect looks for the calendars of an account, or connects the address as a single calendar.
func (v *visit) findOrConnect() error {
	if v.Value("way") == "direct" {
		return connectCalendar(slotd.CalDAV)(v)
	}
	c := v.typedCalendar(slotd.CalDAV, v.Value("name"))
	c.New = true
	trial := v.Snapshot.Workspace
	probe := c.calendar(slotd.Calendar{})
	probe.Name, probe.WriteBack, probe.StaleAfterMinutes = freeName(&trial, "CalDAV"), false,
		slotd.DefaultStaleAfterMinutes
	trial.Calendars = append(slices.Clone(trial.Calendars), probe)
	c.AddProblems(&workspace.ValidationError{Problems: workspace.Validate(&trial)}, c.field)
	c.AddProblem("password", wrongPassword(v.typedPassword(), probe.Username, true))
	if len(c.Problems) > 0 {
		return v.showCalendar(http.StatusUnprocessableEntity, c)
	}
	found, reason, err := v.discover(&probe)
	if err != nil {
		return err
	}
	if reason != "" {
		c.Trouble = say.T("No calendars were found. %s", reason)
		return v.showCalendar(http.StatusUnprocessableEntity, c)
	}
	return v.showNewlyFound(&foundTicket{Username: probe.Username, Password: v.typedPassword(), Found: found,
		Until: v.Now.Add(ticketLifetime).Unix()})
}

func (v *visit) discover(c *slotd.Calendar) (found []caldav.Found, reason string, err error) {
	ctx, cancel := context.WithTimeout(v.R.Context(), tryTimeout)
	defer cancel()
	found, err = caldav.Discover(ctx, v.Calendars.Client,
		caldav.Account{URL: c.URL, Username: c.Username, Password: v.typedPassword()})
	reason, err = v.unreadable(ctx, err)
	if err == nil && reason == "" && len(found) == 0 {
		reason = say.T("The account has no calendars for events.")
	}
	return found[:min(len(found), maxFound)], reason, err
}

func (v *visit) showNewlyFound(t *foundTicket) error {
	c, err := v.foundCalendars(t)
	if err != nil {
		return err
	}
	taken := v.Snapshot.Workspace
	for i := range c.Found {
		f := &c.Found[i]
		f.Name = freeName(&taken, f.Name)
		taken.Calendars = append(slices.Clip(taken.Calendars), slotd.Calendar{Name: f.Name})
		f.Use = len(c.Found) == 1 && f.Connected == ""
	}
	return v.Show(http.StatusOK, "found", say.T("Choose calendars"), c)
}

// freeName returns the name, with a number if a calendar of the workspace already has it.
func freeName(w *slotd.Workspace, name string) string {
	if strings.TrimSpace(name) == "" {
		name = say.T("Calendar")
	}
	free := name
	for n := 2; slices.ContainsFunc(w.Calendars, func(c slotd.Calendar) bool { return c.Name == free }); n++ {
		free = name + " " + strconv.Itoa(n)
	}
	return free
}
