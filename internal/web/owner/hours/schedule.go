package hours

import (
	"errors"
	"maps"
	"net/http"
	"strings"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/inputs"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

// form has the inputs of a schedule's week.
var form = inputs.New(workspace.ScheduleFields, map[string]inputs.Own[slotd.Schedule]{
	"zone": {Words: func(s *slotd.Schedule) string {
		if s.TimeZone == "" {
			return say.T("the workspace's time zone")
		}
		return page.ShortQuote(s.TimeZone)
	}},
})

// scheduleForm holds what all forms of a schedule have in common.
type scheduleForm struct {
	inputs.Filled
	Name string
	Path string
}

func (f *scheduleForm) currentVersion(w *slotd.Workspace) string { return scheduleVersion(w, f.Name) }

type scheduleContent struct {
	scheduleForm
	Part          string // the form that was sent: week, date, dates, away or delete
	WorkspaceZone string
	Days          []inputs.Input // of the week
	Users         []string
	Needs         []string // titles of retired event types
	datesView
}

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
	return &scheduleContent{Part: part, Needs: needs, scheduleForm: scheduleForm{Filled: form.Fill(v.NewForm(seen), nil),
		Name: name, Path: schedulePath(name)}}, err
}

func (v *visit) noSchedule() error {
	return v.Message(http.StatusNotFound, say.T("Schedule not found"),
		say.T("It may have been deleted. Please choose another one."))
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
	if c.Typed == nil {
		c.Typed = form.Show(&s)
	}
	for _, id := range workspace.Weekdays {
		day, err := c.Input(id)
		if err != nil {
			return err
		}
		c.Days = append(c.Days, day)
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
	c.Typed = form.Typed(v.Visit)
	err = v.editSchedule(&c.scheduleForm, func(s *slotd.Schedule) { form.Read(s, c.Typed) })
	status, err := v.finishEdit(&c.scheduleForm, err, c.mergeWeek)
	if err != nil {
		return err
	}
	if status == http.StatusOK {
		return v.Redirect(c.Path + "?saved=week")
	}
	return v.showSchedule(status, c)
}

// mergeWeek merges the form with somebody else's changes of the zone and the week, and returns the conflicts.
func (c *scheduleContent) mergeWeek(s slotd.Schedule) []string {
	form.Merge(&c.Filled, &s, "") // finishEdit sets the version, which includes that of the dates
	if len(c.Theirs)+len(c.Merged) == 0 {
		c.Merged = []string{say.T("Only date-specific hours. Saving doesn't change them.")}
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
	rest := strings.TrimPrefix(path, workspace.JoinPath("schedules", f.Name)+".")
	switch {
	case rest == "overrides":
		return "dates", say.T("The schedule")
	case strings.HasPrefix(rest, "overrides."):
		return "hours", say.T("These hours")
	}
	return form.Field(rest, f.Typed)
}
