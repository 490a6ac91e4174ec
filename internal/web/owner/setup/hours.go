package setup

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

type firstHoursContent struct {
	page.Form
	Zone string
	Days []firstDay
}

// firstDay is a day of the week with a single window. The settings allow more.
type firstDay struct {
	ID, Name    string
	Open        bool
	From, Until string
}

func (v *visit) firstHoursPage() error {
	s, ok := v.Snapshot.Schedules["default"]
	if !ok || v.isSetUp() {
		return v.Redirect("/settings/hours")
	}
	c := &firstHoursContent{Form: v.NewForm(workspace.Version(s)), Zone: v.Snapshot.TimeZone}
	for i, id := range workspace.Weekdays {
		day := time.Weekday((i + 1) % 7)
		d := firstDay{ID: id, Name: day.String(), From: "09:00", Until: "17:00"}
		if windows := s.Weekly[day]; len(windows) > 0 {
			from, until, _ := strings.Cut(windows[0].String(), "-")
			d.Open, d.From, d.Until = true, from, until
		}
		c.Days = append(c.Days, d)
	}
	return v.showFirstHours(http.StatusOK, c)
}

func (v *visit) showFirstHours(status int, c *firstHoursContent) error {
	return v.Show(status, "hours", say.T("When are you available?"), c)
}

func (v *visit) firstHours() error {
	if v.isSetUp() {
		return v.Redirect("/settings/hours")
	}
	c := &firstHoursContent{Form: v.NewForm(v.Value("seen")), Zone: v.Snapshot.TimeZone}
	week := map[time.Weekday][]slots.Window{}
	for i, id := range workspace.Weekdays {
		day := time.Weekday((i + 1) % 7)
		d := firstDay{ID: id, Name: day.String(), Open: v.Value(id) != "", From: v.Value(id + "_from"),
			Until: v.Value(id + "_until")}
		c.Days = append(c.Days, d)
		if !d.Open {
			continue
		}
		w, err := slots.ParseWindow(d.From + "-" + d.Until)
		if err != nil {
			c.AddProblem(id+"_from", say.T("%s must start before it ends, such as 09:00 to 17:00.", d.Name))
			continue
		}
		week[day] = []slots.Window{w}
	}
	if len(c.Problems) > 0 {
		return v.showFirstHours(http.StatusUnprocessableEntity, c)
	}
	err := v.Edit(c.Version, func(w *slotd.Workspace) string { return workspace.Version(w.Schedules["default"]) },
		func(w *slotd.Workspace) error {
			s := w.Schedules["default"]
			s.Weekly = week
			w.Schedules["default"] = s
			return nil
		})
	if errors.Is(err, page.ErrChanged) {
		c.Version, c.Theirs = workspace.Version(v.Snapshot.Schedules["default"]),
			[]string{say.T("The hours have changed since you opened this page.")}
		return v.showFirstHours(http.StatusConflict, c)
	} else if err != nil {
		return err
	}
	return v.Redirect("/setup/event-type")
}
