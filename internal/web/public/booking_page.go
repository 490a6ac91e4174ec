package public

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"slotd"
	"slotd/internal/availability/snapshot"
	"slotd/internal/availability/when"
	"slotd/internal/identity/links"
	"slotd/internal/lib/say"
	"slotd/internal/mail"
	"slotd/internal/web/kit"
)

// visibleAfterEnd is how long after its end a booking can be opened through its links.
const visibleAfterEnd = 30 * 24 * time.Hour

// bookingView is a booking as its attendee sees it.
type bookingView struct {
	Title    string
	Host     string
	When     when.Span
	HostWhen when.Span // the same in the host's zone; empty if the zones are the same
	Location string
	JoinURL  string // empty if there is none or the guest has not paid
	Name     string
	Email    string
	Phone    string
	Notes    string
	Reason   string // why it was canceled
	Price    string // and what was paid or refunded; empty if free

	Canceled, Over, Moved bool
	TooLate               bool // the payment arrived after somebody else took the time

	Google, Outlook, Office, File string
	Cancel, Reschedule            string
	BookAgain                     string // the event type's page; may be empty
}

// bookingByLink returns the booking of the link in the URL and its workspace. The error is BookingNotFound if the link
// is invalid, or if the booking does not exist or ended too long ago.
func (v *visit) bookingByLink(ctx context.Context, purpose links.Purpose) (*snapshot.Snapshot, *slotd.Booking, error) {
	workspaceID, id, ok := v.Links.Verify(purpose, v.r.PathValue("token"))
	if !ok {
		return nil, nil, slotd.NewError(slotd.BookingNotFound, slotd.Facts{})
	}
	b, err := v.Booking.Booking(ctx, workspaceID, id)
	if err != nil {
		return nil, nil, err
	}
	if b == nil || v.now.After(b.EndsAt.Add(visibleAfterEnd)) {
		return nil, nil, slotd.NewError(slotd.BookingNotFound, slotd.Facts{})
	}
	p, err := v.Cache.WorkspaceByID(ctx, workspaceID)
	if err != nil {
		return nil, nil, fmt.Errorf("load the workspace of booking %s: %w", id, err)
	}
	v.snapshot = p
	return p, b, nil
}

// bookingPage is the page that a guest sees after booking and whenever they open the link again.
func (v *visit) bookingPage() error {
	p, b, err := v.bookingByLink(v.r.Context(), links.Booking)
	if slotd.Is(err, slotd.BookingNotFound) {
		return v.paymentPendingPage(err)
	} else if err != nil {
		return err
	}
	page := v.newBookingPage(p, b)
	page.Booked = b.State == slotd.Confirmed
	if page.Content.(*bookingView).TooLate, err = v.Booking.PaidTooLate(v.r.Context(), p.WorkspaceID, b); err != nil {
		return err
	}
	return v.show(http.StatusOK, "booking", page)
}

// priceText says what was paid and how much of it is refunded.
func priceText(b *slotd.Booking) string {
	switch {
	case b.State == slotd.Confirmed:
		return say.T("%s, paid", b.Price)
	case b.State != slotd.Canceled:
		return b.Price.String()
	case b.RefundedCents == 0:
		return say.T("%s, no refund for this cancellation", b.Price)
	}
	return say.T("%s will be refunded to your original payment method; this can take up to ten days",
		slotd.Price{AmountCents: b.RefundedCents, Currency: b.Price.Currency})
}

// paymentPendingPage is the booking's page from the payment until Stripe reports it. It returns notFound if the link's
// booking awaits no payment.
func (v *visit) paymentPendingPage(notFound error) error {
	p, m, err := v.paymentByLink(links.Booking)
	if slotd.Is(err, slotd.BookingNotFound) {
		return notFound
	} else if err != nil {
		return err
	}
	page := v.newBookingPage(p, m.Booking)
	page.Content = v.newPayContent(page.Content.(*bookingView), m)
	return v.show(http.StatusOK, "waiting", page)
}

func (v *visit) newBookingPage(p *snapshot.Snapshot, b *slotd.Booking) *kit.Page {
	page := v.page(p)
	page.Title, page.Content = b.EventTitle+" · "+p.Name, v.newBookingView(p, b)
	return page
}

func (v *visit) newBookingView(p *snapshot.Snapshot, b *slotd.Booking) *bookingView {
	n := v.Booking.Notice(p, b, mail.Booked, mail.ToAttendee)
	twelve := when.LocaleOf(v.r.Header.Get("Accept-Language")).TwelveHour
	guest, host := when.InNamed(b.Attendee.TimeZone, twelve), when.InNamed(p.TimeZone, twelve)
	view := &bookingView{
		Title: b.EventTitle, Host: p.Host.Name, When: guest.Span(b.StartsAt, b.EndsAt),
		Location: bookedLocation(b, p.Host), Name: b.Attendee.Name, Email: b.Attendee.Email, Phone: b.Attendee.Phone,
		Notes: b.Notes, Reason: b.CancelReason,
		Canceled: b.State == slotd.Canceled, Over: b.Ended(v.now), Moved: b.Sequence > 0,
	}
	if b.Price != nil {
		view.Price = priceText(b)
	}
	if b.State == slotd.Confirmed { // guests who have not paid must not get in
		view.JoinURL = b.JoinURL
	}
	if e := p.EventTypeByID(b.EventTypeID); e != nil && e.Public() {
		view.BookAgain = v.path(p.Slug, e.Slug)
	}
	if guest.ZoneName() != host.ZoneName() {
		view.HostWhen = host.Span(b.StartsAt, b.EndsAt)
	}
	if view.Canceled {
		return view
	}
	view.Google, view.Outlook, view.File = n.GoogleURL(), n.OutlookURL(), n.CalendarURL
	view.Office = strings.Replace(view.Outlook, "outlook.live.com", "outlook.office.com", 1)
	if !view.Over {
		view.Cancel, view.Reschedule = n.CancelURL, n.RescheduleURL
	}
	return view
}
