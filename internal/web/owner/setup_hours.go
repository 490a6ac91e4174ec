package owner

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/workspace"
)

type firstHoursContent struct {
	form
	Zone string
	Days []firstDay
}

// firstDay is a day of the week with one window; more of them are made in the settings.
type firstDay struct {
	ID, Name    string
	Open        bool
	From, Until string
}

func (v *visit) firstHoursPage() error {
	s, ok := v.snapshot.Schedules["default"]
	if !ok || v.isSetUp() {
		return v.leave("/settings/hours")
	}
	c := &firstHoursContent{form: v.newForm(workspace.Version(s)), Zone: v.snapshot.TimeZone}
	for i, id := range workspace.Weekdays {
		day := time.Weekday((i + 1) % 7)
		d := firstDay{ID: id, Name: day.String(), From: "09:00", Until: "17:00"}
		if windows := s.Weekly[day]; len(windows) > 0 {
			from, until, _ := strings.Cut(windows[0].String(), "-")
			d.Open, d.From, d.Until = true, from, until
		}
		c.Days = append(c.Days, d)
	}
	return v.show(http.StatusOK, "setup_hours", "Your hours", c)
}

func (v *visit) firstHours() error {
	if v.isSetUp() {
		return v.leave("/settings/hours")
	}
	c := &firstHoursContent{form: v.newForm(v.value("seen")), Zone: v.snapshot.TimeZone}
	week := map[time.Weekday][]slots.Window{}
	for i, id := range workspace.Weekdays {
		day := time.Weekday((i + 1) % 7)
		d := firstDay{ID: id, Name: day.String(), Open: v.value(id) != "", From: v.value(id + "_from"),
			Until: v.value(id + "_until")}
		c.Days = append(c.Days, d)
		if !d.Open {
			continue
		}
		w, err := slots.ParseWindow(d.From + "-" + d.Until)
		if err != nil {
			c.wrong(id+"_from", d.Name+" must begin before it ends, such as 09:00 to 17:00.")
			continue
		}
		week[day] = []slots.Window{w}
	}
	if len(c.Problems) > 0 {
		return v.show(http.StatusUnprocessableEntity, "setup_hours", "Your hours", c)
	}
	err := v.edit(c.Version, func(w *slotd.Workspace) string { return workspace.Version(w.Schedules["default"]) },
		func(w *slotd.Workspace) error {
			s := w.Schedules["default"]
			s.Weekly = week
			w.Schedules["default"] = s
			return nil
		})
	if errors.Is(err, errChanged) {
		c.Version, c.Theirs = workspace.Version(v.snapshot.Schedules["default"]),
			[]string{"The hours are no longer those that you have seen."}
		return v.show(http.StatusConflict, "setup_hours", "Your hours", c)
	} else if err != nil {
		return err
	}
	return v.leave("/setup/event-type")
}
