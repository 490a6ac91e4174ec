package hours

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"slotd"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

var hoursRoutes = []page.Route[visit]{
	page.At("/settings/hours", page.Member, (*visit).hoursPage, (*visit).newSchedule),
	page.At("/settings/hours/{name}", page.Member, (*visit).schedulePage, (*visit).saveWeek),
	page.At("/settings/hours/{name}/date", page.Member, (*visit).backToSchedule, (*visit).saveDate),
	page.At("/settings/hours/{name}/dates", page.Member, (*visit).backToSchedule, (*visit).removeDates),
	page.At("/settings/hours/{name}/away", page.Member, (*visit).backToSchedule, (*visit).closeAway),
	page.At("/settings/hours/{name}/holidays", page.Member, (*visit).holidaysPage, (*visit).addHolidays),
	page.At("/settings/hours/{name}/delete", page.Member, (*visit).backToSchedule, (*visit).deleteSchedule),
}

const hoursPath = "/settings/hours"

// schedulePath returns the address of a schedule's page. The name may be anything. Browsers would resolve "." and "..",
// so these names get a tilde in front, and so do names that begin with one.
func schedulePath(name string) string {
	if name == "." || name == ".." || strings.HasPrefix(name, "~") {
		name = "~" + name
	}
	return hoursPath + "/" + url.PathEscape(name)
}

// scheduleName returns the name of the schedule in the request's path.
func (v *visit) scheduleName() string { return strings.TrimPrefix(v.R.PathValue("name"), "~") }

type hoursContent struct {
	page.Form
	Zone      string // the workspace's
	Schedules []scheduleLine
	Name      string // of the new schedule
	From      string // the schedule whose hours are copied; empty: ordinary hours
}

type scheduleLine struct {
	Name, Path, Zone string
	Week             []string
	Users            []string // titles of the event types that use it
	Needs            []string // titles of retired event types whose bookings need it
	Exceptions       int      // the number of overrides that are not over
}

func (v *visit) hoursPage() error {
	c := &hoursContent{Form: v.NewForm(""), From: v.RawValue("copy")}
	return v.showHours(http.StatusOK, c)
}

func (v *visit) showHours(status int, c *hoursContent) error {
	c.Zone = v.Snapshot.TimeZone
	for _, name := range slices.Sorted(maps.Keys(v.Snapshot.Schedules)) {
		s := v.Snapshot.Schedules[name]
		needs, err := v.needsOf(name)
		if err != nil {
			return err
		}
		line := scheduleLine{Name: name, Path: schedulePath(name), Zone: s.TimeZone, Week: weekInWords(s.Weekly),
			Users: usersOf(name, &v.Snapshot.Workspace), Needs: needs}
		today := v.todayIn(s)
		for date := range s.Overrides {
			if date >= today {
				line.Exceptions++
			}
		}
		c.Schedules = append(c.Schedules, line)
	}
	return v.Show(status, "hours", say.T("Hours"), c)
}

// newSchedule creates a schedule with ordinary hours, or as a copy of another one.
func (v *visit) newSchedule() error {
	c := &hoursContent{Form: v.NewForm(""), Name: v.Value("name"), From: v.RawValue("from")}
	err := v.Edit("", func(*slotd.Workspace) string { return "" }, func(w *slotd.Workspace) error {
		if _, taken := w.Schedules[c.Name]; taken {
			return page.Refuse(slotd.InvalidArgument, say.T("There is already a schedule named “%s”.", c.Name))
		}
		s, ok := w.Schedules[c.From]
		if !ok && c.From != "" {
			return page.Refuse(slotd.InvalidArgument, say.T("The schedule “%.200s” no longer exists.", c.From))
		}
		if c.From == "" {
			s = slotd.Schedule{Weekly: page.DefaultWeek()}
		}
		w.Schedules[c.Name] = s
		return nil
	})
	if c.AddProblems(err, newScheduleField) {
		return v.showHours(http.StatusUnprocessableEntity, c)
	} else if err != nil {
		return err
	}
	return v.Redirect(schedulePath(c.Name))
}

func newScheduleField(path string) (field, subject string) {
	if path == "schedules" {
		return "name", say.T("The workspace")
	}
	return "name", say.T("The name")
}

// deleteSchedule refuses to delete a schedule that an event type needs.
func (v *visit) deleteSchedule() error {
	c, err := v.openSchedule("delete")
	if err != nil {
		return err
	}
	err = v.Edit(c.Version, c.currentVersion, func(w *slotd.Workspace) error {
		if err := c.refuseDeletion(usersOf(c.Name, w)); err != nil {
			return err
		}
		delete(w.Schedules, c.Name)
		return nil
	})
	status, err := v.finishEdit(&c.scheduleForm, err, func(slotd.Schedule) []string {
		return []string{say.T("The hours on this page have changed. Check them before you delete the schedule.")}
	})
	if err != nil {
		return err
	}
	if status == http.StatusOK {
		return v.Redirect(hoursPath + "?saved=1")
	}
	return v.showSchedule(status, c)
}

// scheduleVersion combines the versions of the inputs (the zone, each day of the week) and of all dates, so that the
// page can say what somebody else has changed. A schedule that is gone has an empty version.
func scheduleVersion(w *slotd.Workspace, name string) string {
	s, ok := w.Schedules[name]
	if !ok {
		return ""
	}
	return form.Version(&s, "dates", workspace.Version(s.Overrides))
}
