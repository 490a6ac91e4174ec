package hours

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"slotd/internal/availability/zone"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
)

// bookedNotice mentions the bookings on days that were just closed. Closing a day neither moves nor cancels bookings.
type bookedNotice struct{ Text, Link, Href string }

// dateRange is a range of dates, both ends included.
type dateRange struct{ from, until zone.Date }

// bookedQuery returns query parameters that tell the next page about the upcoming bookings on the dates that were
// closed.
func (v *visit) bookedQuery(schedule string, closed []dateRange) (query string, err error) {
	z, err := zone.Load(cmp.Or(v.Snapshot.Schedules[schedule].TimeZone, v.Snapshot.TimeZone))
	if err != nil { // the zone was validated with another tz database; the dates are closed all the same
		return "", nil
	}
	found := map[string]zone.Date{} // by booking id; dates in the workspace's zone, as on the bookings' pages
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

// bookedNotice reads the parameters of bookedQuery. A forged address can only show a wrong number.
func (v *visit) bookedNotice() *bookedNotice {
	n := page.ParseNumber(v.Value("booked"))
	first, ok := page.ParseDay(v.Value("first"))
	last, okLast := page.ParseDay(v.Value("last"))
	if n < 1 || n > 100_000 || !ok || !okLast || v.R.Method == http.MethodPost {
		return nil
	}
	s := &bookedNotice{
		Text: say.N(n, "You still have %d booking on these days. Move or cancel it if you need to.",
			"You still have %d bookings on these days. Move or cancel them if you need to."),
		Link: say.T("View bookings"), Href: page.BookingsPath + "?state=upcoming&from=" + first.String()}
	if v.Value("saved") == "dates" {
		s.Text = say.N(n, "You still have %d booking on this day. Move or cancel it if you need to.",
			"You still have %d bookings on this day. Move or cancel them if you need to.")
	}
	if first == last {
		s.Href = page.BookingsPath + "?view=day&date=" + first.String()
	}
	return s
}

// leaveDates redirects to a month of the schedule's page, with a notice about the bookings on the dates that were
// closed.
func (v *visit) leaveDates(f *scheduleForm, in zone.Date, saved string, closed ...dateRange) error {
	query, err := v.bookedQuery(f.Name, closed)
	if err != nil {
		return err
	}
	return v.Redirect(f.Path + "?month=" + in.UTC().Format("2006-01") + "&saved=" + saved + query + "#dates")
}
