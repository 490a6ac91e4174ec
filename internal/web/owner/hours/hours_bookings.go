package hours

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"slotd/internal/availability/zone"
	"slotd/internal/web/owner/page"
)

// standing tells of bookings on days that were just closed: closing moves and cancels none.
type standing struct{ Text, Link, Href string }

// dates are a first and a last one, both included.
type dates struct{ from, until zone.Date }

// standingOn is what the address of the next page says of bookings that are still to come on these dates of a schedule.
func (v *visit) standingOn(schedule string, closed []dates) (query string, err error) {
	z, err := zone.Load(cmp.Or(v.Snapshot.Schedules[schedule].TimeZone, v.Snapshot.TimeZone))
	if err != nil { // validated long ago, with another tz database: what was closed is closed all the same
		return "", nil
	}
	found := map[string]zone.Date{} // by the date that the bookings' own pages give them
	for _, d := range closed {
		from, until := z.Start(d.from, 0), z.Start(d.until+1, 0)
		if from.Before(v.Now) {
			from = v.Now
		}
		list, err := v.Records.Between(v.R.Context(), v.Snapshot.WorkspaceID, from, until)
		if err != nil {
			return "", err
		}
		for _, b := range list {
			found[b.ID.String()] = v.Local().Zone().Date(b.StartsAt)
		}
	}
	if len(found) == 0 {
		return "", nil
	}
	days := make([]zone.Date, 0, len(found))
	for _, d := range found {
		days = append(days, d)
	}
	return "&" + url.Values{"booked": {strconv.Itoa(len(found))}, "first": {slices.Min(days).String()},
		"last": {slices.Max(days).String()}}.Encode(), nil
}

// standing reads what standingOn wrote. Whoever makes an address up can only make it count wrong.
func (v *visit) standing() *standing {
	n := page.ParseNumber(v.Value("booked"))
	first, ok := page.ParseDay(v.Value("first"))
	last, okLast := page.ParseDay(v.Value("last"))
	if n < 1 || n > 100_000 || !ok || !okLast || v.R.Method == http.MethodPost {
		return nil
	}
	days := "these days"
	if v.Value("saved") == "dates" {
		days = "this day"
	}
	s := &standing{fmt.Sprintf("%d bookings stand on %s: they stay unless you move or cancel them.", n, days),
		"Show them", page.BookingsPath + "?state=upcoming&from=" + first.String()}
	if n == 1 {
		s.Text, s.Link = "1 booking stands on "+days+": it stays unless you move or cancel it.", "Show it"
	}
	if first == last {
		s.Href = page.BookingsPath + "?view=day&date=" + first.String()
	}
	return s
}

// leaveDates leads back to the schedule at a date's month, and tells of bookings where dates were closed.
func (v *visit) leaveDates(f *scheduleForm, in zone.Date, saved string, closed ...dates) error {
	query, err := v.standingOn(f.Name, closed)
	if err != nil {
		return err
	}
	return v.Leave(f.Path + "?month=" + in.UTC().Format("2006-01") + "&saved=" + saved + query + "#dates")
}
