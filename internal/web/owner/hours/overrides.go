package hours

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/inputs"
)

// datesView is the part of a schedule's page about single dates.
type datesView struct {
	Month      string // such as February 2027
	Prev, Next string // links; empty: there is no such month
	Heads      []string
	Weeks      [][]dateCell
	Chosen     *chosenDate // nil: none
	AwayFrom   string
	AwayUntil  string
	Done       string // what a form has just done
	Booked     *bookedNotice
	Coming     []dateRun
	Past       int // how many overrides are over
}

// chosenDate is the date that is being edited.
type chosenDate struct {
	Date, Name string
	Kind       string // closed, hours or weekly
	Hours      string
	Weekly     string // the hours of the week on that day
}

// dateRun is a run of consecutive dates with the same hours.
type dateRun struct {
	Key   string // its first and last date, as the form sends them
	Name  string
	Hours string
	Days  int
	Href  string
}

// todayIn returns today's date in the schedule's zone.
func (v *visit) todayIn(s slotd.Schedule) zone.Date {
	z, err := zone.Load(cmp.Or(s.TimeZone, v.Snapshot.TimeZone))
	if err != nil { // the zone was validated with another tz database
		return zone.UTCDate(v.Now)
	}
	return z.Date(v.Now)
}

// fillDates shows the month that the address asks for, either directly or by a date in it. The default is the current
// month.
func (v *visit) fillDates(c *scheduleContent, s slotd.Schedule) {
	today := v.todayIn(s)
	shown := today
	if d, err := zone.ParseDate(v.Value("month") + "-01"); err == nil {
		shown = d
	}
	if d, err := zone.ParseDate(v.Value("date")); err == nil {
		shown = d
		if c.Chosen == nil {
			c.Chosen = choose(d, s)
		}
	}
	c.Done, c.Booked = v.closedNotice(), v.bookedNotice()
	c.month(shown, today, s, v.firstWeekday())
	for _, d := range slices.Sorted(maps.Keys(s.Overrides)) {
		if d < today {
			c.Past++
		} else {
			c.addComing(d, s)
		}
	}
}

func choose(d zone.Date, s slotd.Schedule) *chosenDate {
	chosen := &chosenDate{Date: d.String(), Name: longDate(d), Kind: "weekly",
		Weekly: hoursInWords(s.Weekly[d.Weekday()])}
	if windows, own := s.Overrides[d]; own {
		chosen.Kind, chosen.Hours = "hours", inputs.ShowHours(windows)
		if len(windows) == 0 {
			chosen.Kind = "closed"
		}
	}
	return chosen
}

// addComing adds a date to the last run if it follows on it with the same hours, and otherwise begins a new run.
func (c *scheduleContent) addComing(d zone.Date, s slotd.Schedule) {
	hours := hoursInWords(s.Overrides[d])
	if last := len(c.Coming) - 1; last >= 0 {
		row := &c.Coming[last]
		from, until, _ := parseRun(row.Key)
		if until == d-1 && row.Hours == hours {
			*row = dateRun{Key: from.String() + ".." + d.String(), Name: longDate(from) + " – " + longDate(d),
				Hours: hours, Days: row.Days + 1, Href: row.Href}
			return
		}
	}
	c.Coming = append(c.Coming, dateRun{Key: d.String() + ".." + d.String(), Name: longDate(d), Hours: hours, Days: 1,
		Href: c.Path + "?date=" + d.String() + "#date"})
}

func parseRun(key string) (from, until zone.Date, err error) {
	a, b, _ := strings.Cut(key, "..")
	if from, err = zone.ParseDate(a); err != nil {
		return 0, 0, err
	}
	until, err = zone.ParseDate(b)
	return from, until, err
}

// saveDate sets or removes the hours of one date.
func (v *visit) saveDate() error {
	c, err := v.openSchedule("date")
	if err != nil {
		return err
	}
	date, windows := v.readDate(c)
	if len(c.Problems) > 0 {
		return v.showSchedule(http.StatusUnprocessableEntity, c)
	}
	err = v.editSchedule(&c.scheduleForm, func(s *slotd.Schedule) {
		if c.Chosen.Kind == "weekly" {
			delete(s.Overrides, date)
		} else {
			s.Overrides[date] = windows
		}
	})
	status, err := v.finishEdit(&c.scheduleForm, err,
		func(s slotd.Schedule) []string { return theirDates(s, date, date) })
	if err != nil {
		return err
	}
	if status == http.StatusOK {
		if c.Chosen.Kind == "closed" {
			return v.leaveDates(&c.scheduleForm, date, "dates", dateRange{date, date})
		}
		return v.leaveDates(&c.scheduleForm, date, "dates")
	}
	return v.showSchedule(status, c)
}

func (v *visit) readDate(c *scheduleContent) (zone.Date, []slots.Window) {
	date, err := zone.ParseDate(v.Value("date"))
	if err != nil {
		c.AddProblem("dates", wrongDate(say.T("Date"), v.Value("date")))
		return 0, nil
	}
	c.Chosen = choose(date, v.Snapshot.Schedules[c.Name])
	c.Chosen.Kind, c.Chosen.Hours = v.Value("kind"), v.Value("hours")
	windows := []slots.Window{}
	switch c.Chosen.Kind {
	case "closed", "weekly":
	case "hours":
		if windows = inputs.ReadHours(c.Chosen.Hours); len(windows) == 0 {
			c.AddProblem("hours", say.T("Enter hours such as 09:00-12:00, or choose “Closed”."))
		}
	default:
		c.AddProblem("date", say.T("Choose which hours apply on this date."))
	}
	return date, windows
}

// theirDates says which hours apply now on the dates of a form.
func theirDates(s slotd.Schedule, from, until zone.Date) (lines []string) {
	var c scheduleContent
	for d := from; d <= until; d++ {
		if _, own := s.Overrides[d]; own {
			c.addComing(d, s)
		}
	}
	for _, row := range c.Coming {
		lines = append(lines, row.Name+": "+row.Hours)
	}
	if lines == nil {
		lines = []string{say.T("These dates have no date-specific hours now. Other hours of the schedule have changed.")}
	}
	return lines
}

// removeDates removes the overrides of a run of dates, or all past ones, so that the hours of the week apply again.
func (v *visit) removeDates() error {
	c, err := v.openSchedule("dates")
	if err != nil {
		return err
	}
	from, until, err := parseRun(v.Value("remove"))
	if v.Value("remove") == "past" {
		from, until, err = 0, v.todayIn(v.Snapshot.Schedules[c.Name])-1, nil
	}
	if err != nil {
		c.AddProblem("dates", wrongDate(say.T("Date"), v.Value("remove")))
		return v.showSchedule(http.StatusUnprocessableEntity, c)
	}
	err = v.editSchedule(&c.scheduleForm, func(s *slotd.Schedule) {
		maps.DeleteFunc(s.Overrides, func(d zone.Date, _ []slots.Window) bool { return from <= d && d <= until })
	})
	status, err := v.finishEdit(&c.scheduleForm, err, func(slotd.Schedule) []string {
		return []string{say.T("The list below shows the current hours.")}
	})
	if err != nil {
		return err
	}
	if status == http.StatusOK {
		return v.Redirect(c.Path + "?saved=dates#dates")
	}
	return v.showSchedule(status, c)
}
