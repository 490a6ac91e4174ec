package bookings

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"

	"slotd"
	"slotd/internal/booking/records"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
)

var bookingRoutes = []page.Route[visit]{
	page.At("/settings/bookings", page.Member, (*visit).bookingsPage, nil),
	page.At("/settings/bookings.csv", page.Member, (*visit).bookingsCSV, nil),
	page.At("/settings/bookings.ics", page.Member, (*visit).bookingsICS, nil),
	page.At("/settings/bookings/{id}", page.Member, (*visit).bookingPage, nil),
	page.At("/settings/bookings/{id}/reschedule", page.Member, (*visit).movePage, (*visit).moveBooking),
	page.At("/settings/bookings/{id}/cancel", page.Member, (*visit).cancelPage, (*visit).cancelBooking),
}

// BookingsPerPage fills one or two screens.
const BookingsPerPage = 50

type bookingsContent struct {
	Paused       *page.PausedNotice
	Tabs         []bookingTab
	Stage        records.Stage
	Search, From string
	Filtered     bool // by a search or a date
	Zone, Slug   string
	Days         []bookingDay
	First, More  string // links to other pages; empty: there are none
	CSV, ICS     string
}

type bookingTab struct {
	Text    say.Sentence
	Path    string
	Current bool
}

// bookingDay is a day's heading and its bookings.
type bookingDay struct {
	Name  string
	Lines []bookingLine
}

// bookingLine is a booking in a list.
type bookingLine struct {
	Path, Hours, Title, Name string
	Day                      string // for screen readers, which may read the line on its own
	Now                      bool   // the meeting is in progress
	Canceled                 bool
	Money                    string
}

// bookingsPage shows the list of bookings, or the bookings of one day.
func (v *visit) bookingsPage() error {
	if v.Value("view") == "day" {
		return v.bookingsOfDay()
	}
	f := v.bookingFilter()
	after := records.ParseCursor(v.Value("after"))
	found, next, err := v.Records.List(v.R.Context(), v.Snapshot.WorkspaceID, f, after, BookingsPerPage)
	if err != nil {
		return err
	}
	days, err := v.byDay(found)
	if err != nil {
		return err
	}
	c := &bookingsContent{Paused: v.Paused(), Tabs: v.bookingTabs(f), Stage: f.Stage, Search: f.Search,
		From: v.fromDate(), Zone: v.Local().ZoneName(), Slug: v.Snapshot.Slug, Days: days}
	c.Filtered = c.Search != "" || c.From != ""
	c.CSV, c.ICS = v.bookingsAddress(".csv", f, ""), v.bookingsAddress(".ics", f, "")
	if after != (records.Cursor{}) {
		c.First = v.bookingsAddress("", f, "")
	}
	if next != (records.Cursor{}) {
		c.More = v.bookingsAddress("", f, next.String())
	}
	return v.Show(http.StatusOK, "bookings", say.T("Bookings"), c)
}

// bookingFilter reads the filter from the address. It ignores invalid values.
func (v *visit) bookingFilter() records.Filter {
	f := records.Filter{Stage: records.Stage(v.Value("state")), Search: records.CleanSearch(v.Value("q"))}
	if !slices.Contains(records.Stages[:3], f.Stage) {
		f.Stage = records.Upcoming
	}
	if d, ok := page.ParseDay(v.Value("from")); ok {
		f.From = v.Local().Zone().Start(d, 0)
	}
	return f
}

// fromDate returns the first date of the list, in the format of its form field.
func (v *visit) fromDate() string {
	d, ok := page.ParseDay(v.Value("from"))
	if !ok {
		return ""
	}
	return d.String()
}

// bookingsAddress returns the address of a list with its filter.
func (v *visit) bookingsAddress(ending string, f records.Filter, after string) string {
	q := url.Values{"state": {string(f.Stage)}}
	for name, value := range map[string]string{"q": f.Search, "from": v.fromDate(), "after": after} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return page.BookingsPath + ending + "?" + q.Encode()
}

var stageNames = map[records.Stage]say.Sentence{records.Upcoming: "Upcoming", records.Past: "Past",
	records.Canceled: "Canceled"}

func (v *visit) bookingTabs(f records.Filter) (tabs []bookingTab) {
	of := f
	for _, of.Stage = range records.Stages[:3] {
		tabs = append(tabs, bookingTab{stageNames[of.Stage], v.bookingsAddress("", of, ""), of.Stage == f.Stage})
	}
	return append(tabs, bookingTab{Text: "Day", Path: page.BookingsPath + "?view=day"})
}

// byDay groups bookings by the day they start on, and keeps their order.
func (v *visit) byDay(found []*slotd.Booking) (days []bookingDay, err error) {
	local := v.Local()
	for _, b := range found {
		line, err := v.bookingLine(b)
		if err != nil {
			return nil, err
		}
		if name := local.Day(b.StartsAt); len(days) == 0 || days[len(days)-1].Name != name {
			days = append(days, bookingDay{Name: name})
		}
		day := &days[len(days)-1]
		day.Lines = append(day.Lines, line)
	}
	return days, nil
}

func (v *visit) bookingLine(b *slotd.Booking) (l bookingLine, err error) {
	local := v.Local()
	l = bookingLine{
		Path: BookingPath(b), Hours: local.Span(b.StartsAt, b.EndsAt).Hours, Title: b.EventTitle, Name: guestName(b),
		Day:      local.DayOfYear(b.StartsAt),
		Canceled: !b.State.TakesTime(), Now: b.State == slotd.Confirmed && !v.Now.Before(b.StartsAt) &&
			!b.Ended(v.Now),
	}
	l.Money, err = v.moneyOf(b)
	return l, err
}

// BookingPath returns the path of a booking's page.
func BookingPath(b *slotd.Booking) string { return page.BookingsPath + "/" + b.ID.String() }

// guestName returns the guest's name or address, either of which may have been erased.
func guestName(b *slotd.Booking) string {
	return cmp.Or(b.Attendee.Name, b.Attendee.Email, say.T("a guest (data erased)"))
}

// moneyOf says what a booking costs and what has been paid. It returns an empty string if the booking is free.
func (v *visit) moneyOf(b *slotd.Booking) (string, error) {
	p, err := v.Records.PaymentSummaryOf(v.R.Context(), v.Snapshot.WorkspaceID, b)
	if err != nil || p == nil {
		return "", err
	}
	return moneyWords(p), nil
}

func moneyWords(p *records.PaymentSummary) string {
	switch note := p.Note(); {
	case note != "":
		return p.Price.String() + ", " + note
	case p.Refunded.AmountCents > 0 && p.Refunded == p.Paid:
		return say.T("%s refunded", p.Refunded)
	case p.Refunded.AmountCents > 0:
		return say.T("%s paid, %s refunded", p.Paid, p.Refunded)
	case p.Paid.AmountCents > 0:
		return say.T("%s paid", p.Paid)
	}
	return say.T("%s, not paid yet", p.Price)
}
