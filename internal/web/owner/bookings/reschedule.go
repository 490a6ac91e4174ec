package bookings

import (
	"errors"
	"net/http"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/when"
	"slotd/internal/availability/zone"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
)

type moveContent struct {
	page.Form
	bookingFacts
	Zone, GuestZone string // GuestZone is empty if it is the same
	Month           string
	Previous, Next  string // links to other months; empty: none that could have open times
	Later           string // link to the rest of this month, if one page cannot hold it all
	Nearest         []moveDay
	Days            []moveDay
	Explain         string // link to the page that explains why a time is not open
	Cancel          string
	Reason          string
	local, guest    when.Local
	chosen          time.Time
}

// moveDay is a day with its open times.
type moveDay struct {
	Name  string
	Open  bool // the other days are collapsed: a month is long
	Times []moveTime
}

// moveTime is a time that can be chosen.
type moveTime struct {
	Value, Text, Guest string
	Chosen             bool
}

// movePage shows the times that a booking can be moved to, one month at a time.
func (v *visit) movePage() error {
	b, err := v.ownBooking()
	if err != nil {
		return err
	}
	if !v.canChange(b) {
		return v.Redirect(BookingPath(b))
	}
	date, ok := page.ParseDay(v.Value("from"))
	if !ok { // people mostly move bookings by a few hours
		date = v.Local().Zone().Date(b.StartsAt)
		date -= zone.Date(date.UTC().Day() - 1)
	}
	return v.offerTimes(http.StatusOK, b, v.newMove(b), date)
}

func (v *visit) newMove(b *slotd.Booking) *moveContent {
	c := &moveContent{Form: v.NewForm(bookingVersion(b)), bookingFacts: v.factsOf(b), Reason: v.Value("reason"),
		local: v.Local()}
	c.guest = when.InNamed(b.Attendee.TimeZone, c.local.TwelveHour())
	c.Zone, c.Cancel = c.local.ZoneName(), c.Path+"/cancel"
	if c.GuestWhen.Zone != "" {
		c.GuestZone = c.guest.ZoneName()
	}
	return c
}

// offerTimes lists the open times from a date to the end of its month.
func (v *visit) offerTimes(status int, b *slotd.Booking, c *moveContent, from zone.Date) error {
	e := v.Snapshot.EventTypeByID(b.EventTypeID)
	if e == nil || v.Snapshot.Schedule(e) == nil {
		return v.Message(http.StatusConflict, say.T("This booking can't be rescheduled"),
			say.T("Its event type or schedule no longer exists. Cancel the booking and ask the guest to book again."))
	}
	q, err := v.Booking.Query(v.Snapshot, e, b)
	if err != nil {
		return err
	}
	c.page(q, b, from)
	return v.Show(status, "reschedule", say.T("Choose a new time"), c)
}

// TimesPerPage limits a page: an event type may start every minute, day and night.
const TimesPerPage = 1000

// page fills in one month, or the part of it that fits.
func (c *moveContent) page(q slots.Query, b *slotd.Booking, from zone.Date) {
	z := c.local.Zone()
	first, last := z.Date(q.Now), z.Date(q.WindowEnd())
	from = max(first, min(from, last))
	year, month, _ := from.UTC().Date()
	start, end := zone.NewDate(year, month, 1), zone.NewDate(year, month+1, 1)
	c.Month = from.UTC().Format("January 2006")
	if start > first {
		c.Previous = c.from(zone.NewDate(year, month-1, 1))
	}
	if end <= last {
		c.Next = c.from(end)
	}
	open, _ := slots.Open(q, slots.Span{Start: z.Start(from, 0), End: z.Start(end, 0)})
	fits := wholeDays(z, open, TimesPerPage)
	if fits < len(open) {
		c.Later = c.from(z.Date(open[fits]))
	}
	c.Days = c.days(open[:fits], b)
}

// wholeDays returns how many of the times fit without cutting a day in half. The first day always fits.
func wholeDays(z *zone.Zone, open []time.Time, limit int) (fits int) {
	for i := range open {
		last := i+1 == len(open) || z.Date(open[i+1]) != z.Date(open[i])
		switch {
		case last && i >= limit && fits > 0:
			return fits
		case last:
			fits = i + 1
		}
	}
	return fits
}

func (c *moveContent) from(d zone.Date) string { return c.Path + "/reschedule?from=" + d.String() }

// days groups the open times by day. It leaves out the booking's present time.
func (c *moveContent) days(open []time.Time, b *slotd.Booking) (days []moveDay) {
	for _, t := range open {
		if t.Equal(b.StartsAt) {
			continue
		}
		if name := c.local.Day(t); len(days) == 0 || days[len(days)-1].Name != name {
			days = append(days, moveDay{Name: name, Open: len(days) == 0 || name == c.local.Day(b.StartsAt)})
		}
		option := moveTime{Value: slotd.Instant(t), Text: c.local.Time(t), Chosen: t.Equal(c.chosen)}
		if c.GuestZone != "" {
			option.Guest = c.guest.Time(t)
		}
		day := &days[len(days)-1]
		day.Open = day.Open || option.Chosen
		day.Times = append(day.Times, option)
	}
	return days
}

// moveBooking moves the booking to the chosen time. A second time changes nothing.
func (v *visit) moveBooking() error {
	b, err := v.ownBooking()
	if err != nil {
		return err
	}
	c := v.newMove(b)
	to, reason := slotd.ParseInstant(v.Value("slot"))
	c.chosen = to
	switch {
	case !b.State.TakesTime():
		return slotd.NewError(slotd.BookingCanceled, slotd.Facts{})
	case b.Ended(v.Now):
		return slotd.NewError(slotd.BookingPast, slotd.Facts{})
	case reason != "":
		to = b.StartsAt
		c.AddProblem("times", say.T("Please choose a time."))
	case to.Equal(b.StartsAt):
		return v.Redirect(BookingPath(b))
	}
	date := v.Local().Zone().Date(to)
	if checkReason(&c.Form, c.Reason); len(c.Problems) > 0 {
		return v.offerTimes(http.StatusUnprocessableEntity, b, c, date)
	}
	if c.Theirs = v.movedByOthers(b); c.Theirs != nil {
		return v.offerTimes(http.StatusConflict, b, c, date)
	}
	_, err = v.Booking.RescheduleWithReason(v.R.Context(), v.hostActor(), b.ID, to, c.Reason)
	var e *slotd.Error
	switch {
	case err == nil:
		return v.Redirect(BookingPath(b) + "?saved=moved")
	case errors.As(err, &e) && e.Code == slotd.SlotUnavailable:
		return v.offerOthers(b, c, to, e.Alternatives)
	}
	return err
}

// offerOthers offers alternatives to a time that is not open.
func (v *visit) offerOthers(b *slotd.Booking, c *moveContent, tried time.Time, others []time.Time) (err error) {
	// the availability has changed in the meantime
	if v.Snapshot, err = v.Cache.Latest(v.R.Context(), v.Snapshot.WorkspaceID); err != nil {
		return err
	}
	c.Trouble = say.T("%s isn't available: it's taken, too soon, too far ahead or outside your hours. Nothing was "+
		"changed.", c.local.ShortInstant(tried))
	c.Explain = "/settings/explain"
	c.Nearest = c.days(others, b)
	return v.offerTimes(http.StatusConflict, b, c, c.local.Zone().Date(tried))
}
