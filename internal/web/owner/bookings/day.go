package bookings

import (
	"net/http"
	"strings"
	"time"

	"slotd"
	"slotd/internal/availability/zone"
	"slotd/internal/booking/records"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
)

type bookingsDayContent struct {
	Paused                *page.PausedNotice
	Tabs                  []bookingTab
	Day, Date, Zone       string
	IsToday               bool
	Previous, Next, Today string
	Rows                  []dayRow
}

// dayRow is a booking, or the gap between two.
type dayRow struct {
	Gap  string
	Line bookingLine
}

// bookingsOfDay shows the bookings of one day in order, with the gaps between them.
func (v *visit) bookingsOfDay() error {
	local := v.Local()
	z, today := local.Zone(), local.Zone().Date(v.Now)
	date, ok := page.ParseDay(v.Value("date"))
	if !ok {
		date = today
	}
	from, until := z.Start(date, 0), z.Start(date+1, 0)
	found, err := v.Records.Between(v.R.Context(), v.Snapshot.WorkspaceID, from, until)
	if err != nil {
		return err
	}
	at := func(d zone.Date) string { return page.BookingsPath + "?view=day&date=" + d.String() }
	c := &bookingsDayContent{Paused: v.Paused(), Day: local.Day(from), Date: date.String(),
		Zone: local.ZoneName(), IsToday: date == today, Previous: at(date - 1), Next: at(date + 1), Today: at(today)}
	c.Tabs = v.bookingTabs(records.Filter{})
	c.Tabs[len(c.Tabs)-1].Current = true
	if c.Rows, err = v.dayRows(found); err != nil {
		return err
	}
	return v.Show(http.StatusOK, "day", c.Day, c)
}

func (v *visit) dayRows(found []*slotd.Booking) (rows []dayRow, err error) {
	var end time.Time
	for i, b := range found {
		line, err := v.bookingLine(b)
		if err != nil {
			return nil, err
		}
		if gap := b.StartsAt.Sub(end); i > 0 && gap > 0 {
			rows = append(rows, dayRow{Gap: hoursAndMinutes(gap)})
		}
		rows = append(rows, dayRow{Line: line})
		if b.EndsAt.After(end) {
			end = b.EndsAt
		}
	}
	return rows, nil
}

// hoursAndMinutes formats a duration, such as 1 h 30 min.
func hoursAndMinutes(d time.Duration) string {
	var parts []string
	if hours := int(d.Hours()); hours > 0 {
		parts = append(parts, say.T("%d h", hours))
	}
	if minutes := int(d.Minutes()) % 60; minutes > 0 || len(parts) == 0 {
		parts = append(parts, say.T("%d min", minutes))
	}
	return strings.Join(parts, " ")
}
