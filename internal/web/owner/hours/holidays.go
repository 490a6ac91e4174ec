package hours

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"slotd"
	"slotd/internal/availability/holidays"
	"slotd/internal/availability/zone"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
)

type holidaysContent struct {
	scheduleForm
	Country     string // the country's code; empty: none was chosen yet
	CountryName string
	Countries   []holidays.Country
	Year        int
	Years       []int
	Holidays    []holidayLine
}

type holidayLine struct {
	Date, Name, Day string
	Own             string // the hours that the date already has; empty: the week's
	Ticked          bool
}

// yearsAhead is how many years after the current one can be chosen.
const yearsAhead = 2

// holidaysPage suggests days. Nothing is closed until the owner confirms it.
func (v *visit) holidaysPage() error {
	c, err := v.openHolidays()
	if err != nil {
		return err
	}
	return v.showHolidays(http.StatusOK, c, nil)
}

func (v *visit) openHolidays() (*holidaysContent, error) {
	opened, err := v.openSchedule("")
	if err != nil {
		return nil, err
	}
	c := &holidaysContent{scheduleForm: opened.scheduleForm, Country: v.Value("country"),
		Countries: holidays.Countries()}
	c.CountryName = holidays.Name(c.Country)
	if c.CountryName == "" {
		c.Country = ""
	}
	thisYear := v.todayIn(v.Snapshot.Schedules[c.Name]).UTC().Year()
	for year := thisYear; year <= thisYear+yearsAhead; year++ {
		c.Years = append(c.Years, year)
	}
	if c.Year = page.ParseNumber(v.Value("year")); !slices.Contains(c.Years, c.Year) {
		c.Year = thisYear
	}
	return c, nil
}

// upcomingHolidays returns the holidays of the chosen year that are not over.
func (v *visit) upcomingHolidays(c *holidaysContent) []holidays.Holiday {
	from, until := zone.NewDate(c.Year, time.January, 1), zone.NewDate(c.Year+1, time.January, 1)
	return holidays.In(c.Country, max(from, v.todayIn(v.Snapshot.Schedules[c.Name])), until)
}

// showHolidays ticks the days that were ticked before. At first it ticks all days that have no hours of their own.
func (v *visit) showHolidays(status int, c *holidaysContent, ticked []string) error {
	s := v.Snapshot.Schedules[c.Name]
	for _, h := range v.upcomingHolidays(c) {
		line := holidayLine{Date: h.Date.String(), Name: h.Name, Day: longDate(h.Date)}
		windows, own := s.Overrides[h.Date]
		if own {
			line.Own = hoursInWords(windows)
		}
		line.Ticked = slices.Contains(ticked, line.Date) || ticked == nil && !own
		c.Holidays = append(c.Holidays, line)
	}
	return v.Show(status, "holidays", say.T("Holidays: %s", c.Name), c)
}

// addHolidays closes the ticked days.
func (v *visit) addHolidays() error {
	c, err := v.openHolidays()
	if err != nil {
		return err
	}
	ticked := append([]string{}, v.R.PostForm["day"]...)
	chosen := slices.DeleteFunc(v.upcomingHolidays(c),
		func(h holidays.Holiday) bool { return !slices.Contains(ticked, h.Date.String()) })
	if len(chosen) == 0 {
		c.AddProblem("days", say.T("Select at least one day. Nothing was changed."))
		return v.showHolidays(http.StatusUnprocessableEntity, c, ticked)
	}
	replaced := 0
	err = v.editSchedule(&c.scheduleForm, func(s *slotd.Schedule) {
		for _, h := range chosen {
			replaced += closeDates(s, h.Date, h.Date)
		}
	})
	status, err := v.finishEdit(&c.scheduleForm, err,
		func(s slotd.Schedule) []string { return theirHolidays(s, chosen) })
	if err != nil {
		return err
	}
	if status == http.StatusOK {
		closed := make([]dateRange, len(chosen))
		for i, h := range chosen {
			closed[i] = dateRange{h.Date, h.Date}
		}
		return v.leaveDates(&c.scheduleForm, chosen[0].Date,
			fmt.Sprintf("away&closed=%d&replaced=%d", len(chosen), replaced), closed...)
	}
	return v.showHolidays(status, c, ticked)
}

// theirHolidays says which hours apply now on the ticked days.
func theirHolidays(s slotd.Schedule, chosen []holidays.Holiday) (lines []string) {
	for _, h := range chosen {
		if windows, own := s.Overrides[h.Date]; own {
			lines = append(lines, longDate(h.Date)+": "+hoursInWords(windows))
		}
	}
	if lines == nil {
		lines = []string{say.T("None of the selected days. Other hours of the schedule have changed.")}
	}
	return lines
}
