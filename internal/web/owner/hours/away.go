package hours

import (
	"fmt"
	"net/http"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/zone"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
)

// maxAwayDays limits the length of one absence.
const maxAwayDays = 366

// closeAway closes a range of dates, both ends included.
func (v *visit) closeAway() error {
	c, err := v.openSchedule("away")
	if err != nil {
		return err
	}
	from, until := v.readAway(c)
	if len(c.Problems) > 0 {
		return v.showSchedule(http.StatusUnprocessableEntity, c)
	}
	replaced := 0
	err = v.editSchedule(&c.scheduleForm, func(s *slotd.Schedule) { replaced = closeDates(s, from, until) })
	status, err := v.finishEdit(&c.scheduleForm, err,
		func(s slotd.Schedule) []string { return theirDates(s, from, until) })
	if err != nil {
		return err
	}
	if status == http.StatusOK {
		return v.leaveDates(&c.scheduleForm, from, fmt.Sprintf("away&closed=%d&replaced=%d", until-from+1, replaced),
			dateRange{from, until})
	}
	return v.showSchedule(status, c)
}

func (v *visit) readAway(c *scheduleContent) (from, until zone.Date) {
	c.AwayFrom, c.AwayUntil = v.Value("from"), v.Value("until")
	from, err := zone.ParseDate(c.AwayFrom)
	if err != nil {
		c.AddProblem("from", wrongDate(say.T("First day"), c.AwayFrom))
	}
	until, err = zone.ParseDate(c.AwayUntil)
	if err != nil {
		c.AddProblem("until", wrongDate(say.T("Last day"), c.AwayUntil))
	}
	switch {
	case len(c.Problems) > 0:
	case until < from:
		c.AddProblem("until", say.T("The last day can't be before the first day."))
	case until < v.todayIn(v.Snapshot.Schedules[c.Name]):
		c.AddProblem("until", say.T("These days are in the past. The last day must be today or later."))
	case until-from >= maxAwayDays:
		c.AddProblem("until", say.T("You can block at most %d days at once; these are %d.", maxAwayDays,
			until-from+1))
	}
	return from, until
}

// wrongDate says what is wrong with a date. An empty date field gets a sentence of its own.
func wrongDate(label, typed string) string {
	if typed == "" {
		return say.T("Choose a date.")
	}
	return say.T("%s: %s isn't a date. Enter one such as 2027-01-31, in the years 2000 to 2100.", label,
		page.ShortQuote(typed))
}

// closeDates closes a range of dates, and counts those that had hours of their own before.
func closeDates(s *slotd.Schedule, from, until zone.Date) (replaced int) {
	for d := from; d <= until; d++ {
		if _, own := s.Overrides[d]; own {
			replaced++
		}
		s.Overrides[d] = []slots.Window{}
	}
	return replaced
}

// closedNotice says how many days were just closed. The numbers come from the address.
func (v *visit) closedNotice() string {
	closed, replaced := page.ParseNumber(v.Value("closed")), page.ParseNumber(v.Value("replaced"))
	if closed < 1 || closed > maxAwayDays || v.R.Method == http.MethodPost {
		return ""
	}
	text := say.N(closed, "%d day is now blocked.", "%d days are now blocked.")
	if replaced > 0 && replaced <= closed {
		text += " " + say.N(replaced, "The date-specific hours of %d day were replaced.",
			"The date-specific hours of %d days were replaced.")
	}
	return text
}
