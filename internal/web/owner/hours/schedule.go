package hours

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

// scheduleForm holds what all forms of a schedule have in common.
type scheduleForm struct {
	page.Form
	Name string
	Path string
}

func (f *scheduleForm) currentVersion(w *slotd.Workspace) string { return scheduleVersion(w, f.Name) }

type scheduleContent struct {
	scheduleForm
	Part          string // the form that was sent: week, date, dates, away or delete
	Zone          string // empty: the workspace's
	WorkspaceZone string // the workspace's zone
	Days          []scheduleDay
	Users         []string
	Needs         []string // titles of retired event types
	datesView
}

// scheduleDay is a day of the week with its hours in the format of the workspace file.
type scheduleDay struct{ ID, Name, Hours string }

// openSchedule finds the schedule in the request's path.
func (v *visit) openSchedule(part string) (*scheduleContent, error) {
	name := v.scheduleName()
	if _, ok := v.Snapshot.Schedules[name]; !ok {
		return nil, v.noSchedule()
	}
	seen := v.Value("seen")
	if v.R.Method != http.MethodPost {
		seen = scheduleVersion(&v.Snapshot.Workspace, name)
	}
	needs, err := v.needsOf(name)
	return &scheduleContent{scheduleForm: scheduleForm{Form: v.NewForm(seen), Name: name, Path: schedulePath(name)},
		Part: part, Needs: needs}, err
}

func (v *visit) noSchedule() error {
	return v.Message(http.StatusNotFound, "There are no such hours",
		"They may have been deleted. The menu shows what there is.")
}

// backToSchedule redirects owners who reload the page after a form was rejected.
func (v *visit) backToSchedule() error { return v.Redirect(schedulePath(v.scheduleName())) }

func (v *visit) schedulePage() error {
	c, err := v.openSchedule(v.Value("saved"))
	if err != nil {
		return err
	}
	return v.showSchedule(http.StatusOK, c)
}

// showSchedule fills in everything that was not typed from what is stored.
func (v *visit) showSchedule(status int, c *scheduleContent) error {
	s := v.Snapshot.Schedules[c.Name]
	if c.Days == nil {
		c.Zone = s.TimeZone
		for i, id := range workspace.Weekdays {
			c.Days = append(c.Days, scheduleDay{id, weekday(i).String(), windowsText(s.Weekly[weekday(i)])})
		}
	}
	c.WorkspaceZone, c.Users = v.Snapshot.TimeZone, usersOf(c.Name, &v.Snapshot.Workspace)
	v.fillDates(c, s)
	return v.Show(status, "schedule", c.Name, c)
}

func (v *visit) saveWeek() error {
	c, err := v.openSchedule("week")
	if err != nil {
		return err
	}
	week := v.readWeek(c)
	if len(c.Problems) > 0 {
		return v.showSchedule(http.StatusUnprocessableEntity, c)
	}
	err = v.editSchedule(&c.scheduleForm, func(s *slotd.Schedule) { s.TimeZone, s.Weekly = c.Zone, week })
	status, err := v.finishEdit(&c.scheduleForm, err, c.mergeWeek)
	if err != nil {
		return err
	}
	if status == http.StatusOK {
		return v.Redirect(c.Path + "?saved=week")
	}
	return v.showSchedule(status, c)
}

func (v *visit) readWeek(c *scheduleContent) map[time.Weekday][]slots.Window {
	c.Zone = v.Value("zone")
	if z, ok := page.FindZone(c.Zone); ok && c.Zone != "" {
		c.Zone = z
	}
	week := map[time.Weekday][]slots.Window{}
	for i, id := range workspace.Weekdays {
		day := scheduleDay{id, weekday(i).String(), v.Value(id)}
		c.Days = append(c.Days, day)
		windows, err := readWindows(day.Hours)
		if err != nil {
			c.AddProblem(id, fmt.Sprintf("%s: %v.", day.Name, err))
		} else if len(windows) > 0 {
			week[weekday(i)] = windows
		}
	}
	return week
}

// mergeWeek merges the form with somebody else's changes of the zone and the week, and returns the conflicts.
func (c *scheduleContent) mergeWeek(s slotd.Schedule) []string {
	fields := []page.VersionedField{{Name: "zone", Label: "Time zone", Current: s.TimeZone, Typed: &c.Zone}}
	if s.TimeZone == "" {
		fields[0].CurrentText = "the workspace's"
	}
	for i := range c.Days {
		hours := windowsText(s.Weekly[weekday(i)])
		fields = append(fields, page.VersionedField{Name: c.Days[i].ID, Label: c.Days[i].Name, Current: hours,
			CurrentText: cmp.Or(hours, "closed"),
			Typed:       &c.Days[i].Hours})
	}
	c.Resolve("", fields...) // finishEdit sets the version, which includes that of the dates
	if len(c.Theirs)+len(c.Merged) == 0 {
		c.Merged = []string{"Only dates with hours of their own. They stay as they are when you save."}
	}
	return c.Theirs
}

// editSchedule changes the schedule if it is still what the form was filled in from.
func (v *visit) editSchedule(f *scheduleForm, change func(s *slotd.Schedule)) error {
	return v.Edit(f.Version, f.currentVersion, func(w *slotd.Workspace) error {
		s, ok := w.Schedules[f.Name]
		if !ok {
			return page.ErrChanged
		}
		s.Overrides = maps.Clone(s.Overrides)
		if s.Overrides == nil {
			s.Overrides = map[zone.Date][]slots.Window{}
		}
		change(&s)
		w.Schedules[f.Name] = s
		return nil
	})
}

// finishEdit returns the status for the result of an edit: StatusOK if the change was made, and otherwise the status
// for showing the form again, which finishEdit has filled with the reason. theirs says what somebody else has changed
// in the meantime.
func (v *visit) finishEdit(f *scheduleForm, err error, theirs func(slotd.Schedule) []string) (status int, _ error) {
	switch {
	case err == nil:
		return http.StatusOK, nil
	case errors.Is(err, page.ErrChanged):
		if v.Snapshot, err = v.Cache.Latest(v.R.Context(), v.Session.WorkspaceID); err != nil {
			return 0, err
		}
		s, ok := v.Snapshot.Schedules[f.Name]
		if !ok {
			return 0, v.noSchedule()
		}
		f.Theirs = theirs(s) // before the version changes, which theirs compares with
		f.Version = scheduleVersion(&v.Snapshot.Workspace, f.Name)
		return http.StatusConflict, nil
	case f.AddProblems(err, f.field):
		return http.StatusUnprocessableEntity, nil
	}
	return 0, err
}

// field maps a path of the workspace file to a field of the page.
func (f *scheduleForm) field(path string) (field, subject string) {
	rest := strings.TrimPrefix(path, workspace.JoinPath("schedules", f.Name))
	for i, id := range workspace.Weekdays {
		if strings.HasPrefix(rest, ".weekly."+id) {
			return id, weekday(i).String()
		}
	}
	switch {
	case rest == ".time_zone":
		return "zone", "The time zone:"
	case rest == ".overrides":
		return "dates", "The schedule"
	case strings.HasPrefix(rest, ".overrides."):
		return "hours", "These hours"
	}
	return "week", path
}
