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
	"slotd/internal/mail"
	"slotd/internal/web/kit"
)

// shownFor is how long after its end a booking can be read through its links.
const shownFor = 30 * 24 * time.Hour

// bookingView is a booking as its attendee sees it.
type bookingView struct {
	Title    string
	Host     string
	When     when.Span
	HostWhen when.Span // the same in the host's zone; empty: it is the same zone
	Location string
	JoinURL  string // empty: there is none, or not for this guest
	Name     string
	Email    string
	Notes    string
	Reason   string // why it was canceled
	Price    string // and what became of it; empty: it is free

	Canceled, Over, Moved bool
	TooLate               bool // it was paid for when its time was another's

	Google, Outlook, Office, File string
	Cancel, Reschedule            string
	Again                         string // the page where it can be booked anew; may be empty
}

// own finds the booking that a link is about. It is nil if the link leads to nothing that may be
// shown.
func (v *visit) own(ctx context.Context, purpose links.Purpose) (*snapshot.Snapshot, *slotd.Booking, error) {
	workspaceID, id, ok := v.Links.Verify(purpose, v.r.PathValue("token"))
	if !ok {
		return nil, nil, slotd.Errorf(slotd.BookingNotFound, "no such link")
	}
	b, err := v.Booking.Booking(ctx, workspaceID, id)
	if err != nil {
		return nil, nil, err
	}
	if b == nil || v.now.After(b.EndsAt.Add(shownFor)) {
		return nil, nil, slotd.Errorf(slotd.BookingNotFound, "no such booking")
	}
	p, err := v.Cache.WorkspaceByID(ctx, workspaceID)
	if err != nil {
		return nil, nil, fmt.Errorf("load the workspace of booking %s: %w", id, err)
	}
	v.snapshot = p
	return p, b, nil
}

// bookingPage is what a guest sees after booking, and whenever the link is opened again.
func (v *visit) bookingPage() error {
	p, b, err := v.own(v.r.Context(), links.Booking)
	if slotd.Is(err, slotd.BookingNotFound) {
		return v.awaitPayment(err)
	} else if err != nil {
		return err
	}
	page := v.ownPage(p, b)
	page.Booked = b.State == slotd.Confirmed
	if page.Content.(*bookingView).TooLate, err = v.Booking.PaidTooLate(v.r.Context(), p.WorkspaceID, b); err != nil {
		return err
	}
	return v.show(http.StatusOK, "booking", page)
}

// priceOf says what was paid, and what of it goes back.
func priceOf(b *slotd.Booking) string {
	switch {
	case b.State == slotd.Confirmed:
		return b.Price.String() + ", paid"
	case b.State != slotd.Canceled:
		return b.Price.String()
	case b.RefundedCents == 0:
		return b.Price.String() + ", nothing is refunded for this cancellation"
	}
	return slotd.Price{AmountCents: b.RefundedCents, Currency: b.Price.Currency}.String() +
		" goes back to you the way you paid; your bank may take up to ten days"
}

// awaitPayment is the booking's page between the payment and the moment at which we hear of it.
func (v *visit) awaitPayment(none error) error {
	p, m, err := v.ownMoney(links.Booking)
	if slotd.Is(err, slotd.BookingNotFound) {
		return none
	} else if err != nil {
		return err
	}
	page := v.ownPage(p, m.Booking)
	page.Content = v.payView(page.Content.(*bookingView), m)
	return v.show(http.StatusOK, "waiting", page)
}

func (v *visit) ownPage(p *snapshot.Snapshot, b *slotd.Booking) *kit.Page {
	page := v.page(p)
	page.Title, page.Content = b.EventTitle+" · "+p.Name, v.view(p, b)
	return page
}

func (v *visit) view(p *snapshot.Snapshot, b *slotd.Booking) *bookingView {
	n := v.Booking.Notice(p, b, mail.Booked, mail.ToAttendee)
	twelve := when.LocaleOf(v.r.Header.Get("Accept-Language")).Twelve
	guest, host := when.InNamed(b.Attendee.TimeZone, twelve), when.InNamed(p.TimeZone, twelve)
	view := &bookingView{
		Title: b.EventTitle, Host: p.Host.Name, When: guest.Span(b.StartsAt, b.EndsAt),
		Location: b.Location, Name: b.Attendee.Name, Email: b.Attendee.Email, Notes: b.Notes, Reason: b.CancelReason,
		Canceled: b.State == slotd.Canceled, Over: b.Ended(v.now), Moved: b.Sequence > 0,
	}
	if b.Price != nil {
		view.Price = priceOf(b)
	}
	if b.State == slotd.Confirmed { // who has not paid is not let in
		view.JoinURL = b.JoinURL
	}
	if e := p.EventTypeByID(b.EventTypeID); e != nil && e.Public() {
		view.Again = v.path(p.Slug, e.Slug)
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
