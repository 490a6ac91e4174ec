package public

import (
	"errors"
	"fmt"
	"net/http"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/availability/when"
	"slotd/internal/booking"
	"slotd/internal/identity/links"
	"slotd/internal/lib/say"
)

// payContent is a booking that awaits its payment.
type payContent struct {
	*bookingView
	URL   string // the checkout; empty if the time is not held any more
	Until string // the end of the hold

	Closed bool // the checkout is closed
}

// checkout holds the time for the guest and sends them to the payment page.
func (v *visit) checkout(p *snapshot.Snapshot, e *slotd.EventType, who viewer, form *formView,
	request booking.Request) error {
	request.ShownPrice = parseShownPrice(v.r.PostForm.Get("price"))
	request.PermitHold = v.permitHold
	c, err := v.Booking.Checkout(v.r.Context(), booking.Page(p.WorkspaceID),
		booking.CheckoutRequest{Request: request, Config: p.Config, Local: who.local})
	var codeErr *slotd.Error
	var failed *booking.CheckoutError
	switch {
	case errors.Is(err, booking.ErrPriceChanged):
		form.Trouble = say.T("The price or the refund terms have changed since you opened this page. Please check " +
			"them, and press the button if you agree.")
		return v.showForm(http.StatusConflict, p, e, form)
	case errors.As(err, &failed):
		v.Log.Error("a checkout cannot be opened", "workspace", p.Slug, "error", failed.Err)
		if failed.ReleaseErr != nil {
			return failed.ReleaseErr
		}
		form.Trouble = say.T("The payment page can't be opened right now. You haven't paid, and nothing is booked. " +
			"Please press the button again in a minute.")
		return v.showForm(http.StatusBadGateway, p, e, form)
	case errors.As(err, &codeErr) && form.explain(codeErr, who):
		return v.showForm(v.status(codeErr), p, e, form)
	case err != nil:
		return err
	case !c.Booking.IsHeldFor(slotd.ForPayment): // the same form was sent before and is already paid
		return v.redirect(v.Links.Path(links.Booking, p.WorkspaceID, c.Booking.ID))
	case !v.Accounts.IsCheckoutSite(p.Config, c.URL): // the form's page must not redirect there
		return v.redirect(v.Links.Path(links.Pay, p.WorkspaceID, c.Booking.ID))
	}
	return v.redirect(c.URL)
}

// payPage forwards the guest to a checkout on a site that the form's page must not redirect to.
func (v *visit) payPage() error {
	p, m, err := v.paymentByLink(links.Pay)
	if err != nil {
		return err
	}
	if m.Booking.State.IsVisible() {
		return v.redirect(v.Links.Path(links.Booking, p.WorkspaceID, m.Booking.ID))
	}
	page := v.newBookingPage(p, m.Booking)
	content := v.newPayContent(page.Content.(*bookingView), m)
	page.Content, page.Forward = content, content.URL
	return v.show(http.StatusOK, "pay", page)
}

// paymentByLink returns the booking of the link in the URL with its payment state. Unlike bookingByLink it also finds
// held bookings.
func (v *visit) paymentByLink(purpose links.Purpose) (*snapshot.Snapshot, *booking.PaymentState, error) {
	workspaceID, id, ok := v.Links.Verify(purpose, v.r.PathValue("token"))
	if !ok {
		return nil, nil, slotd.NewError(slotd.BookingNotFound, slotd.Facts{})
	}
	m, err := v.Booking.PaymentState(v.r.Context(), workspaceID, id)
	if err != nil {
		return nil, nil, err
	}
	if m == nil || v.now.After(m.Booking.EndsAt.Add(visibleAfterEnd)) {
		return nil, nil, slotd.NewError(slotd.BookingNotFound, slotd.Facts{})
	}
	p, err := v.Cache.WorkspaceByID(v.r.Context(), workspaceID)
	if err != nil {
		return nil, nil, fmt.Errorf("load the workspace of booking %s: %w", id, err)
	}
	v.snapshot = p
	return p, m, nil
}

func (v *visit) newPayContent(view *bookingView, m *booking.PaymentState) *payContent {
	c := &payContent{bookingView: view, Closed: m.Closed}
	if m.Held() && !m.HoldEnded(v.now) {
		twelve := when.LocaleOf(v.r.Header.Get("Accept-Language")).TwelveHour
		c.URL, c.Until = m.Url, when.InNamed(m.Booking.Attendee.TimeZone, twelve).Time(m.Booking.Hold.Until)
	}
	return c
}

// unpaidPage is the page for a guest who comes back from the checkout without having paid. Its button, which the page's
// script presses, releases the time: opening a link changes nothing.
func (v *visit) unpaidPage() error {
	p, m, err := v.paymentByLink(links.Unpaid)
	if err != nil {
		return err
	}
	if m.Booking.State.IsVisible() {
		return v.redirect(v.Links.Path(links.Booking, p.WorkspaceID, m.Booking.ID))
	}
	page := v.newBookingPage(p, m.Booking)
	page.Content = v.newPayContent(page.Content.(*bookingView), m)
	return v.show(http.StatusOK, "unpaid", page)
}

// releaseHold releases the time and shows the form again with everything that the guest typed.
func (v *visit) releaseHold() error {
	if err := v.readForm(); err != nil {
		return err
	}
	p, m, err := v.paymentByLink(links.Unpaid)
	if err != nil {
		return err
	}
	if err := v.Booking.Release(v.r.Context(), booking.Attendee(p.WorkspaceID), m.Booking.ID); err != nil {
		return err
	}
	p, current, err := v.paymentByLink(links.Unpaid) // a payment may have arrived in the meantime
	if err != nil {
		return err
	}
	b := m.Booking // loaded before the release: afterwards the guest's data may be erased
	e := p.EventTypeByID(b.EventTypeID)
	if current.Booking.State != slotd.Expired || e == nil || !e.Public() || !v.isPayable(p, e) {
		return v.redirect(v.Links.Path(links.Booking, p.WorkspaceID, b.ID))
	}
	return v.reopenForm(p, e, b)
}

// reopenForm shows the form as the guest left it, with other times if somebody has taken this one.
func (v *visit) reopenForm(p *snapshot.Snapshot, e *slotd.EventType, b *slotd.Booking) error {
	v.payees = v.Accounts.CheckoutSites(p.Config)
	who := newViewerWithCookie(v.r, b.Attendee.TimeZone, "")
	who.zoneInURL = true // otherwise the script would switch to the browser's zone
	form := v.newForm(p, e, who, selection{slot: b.StartsAt, guest: guestOf(b)})
	form.Trouble = say.T("You haven't paid, so nothing is booked, and we're no longer holding this time for you.")
	l, err := v.newListing(p, e, who, nil)
	if err != nil {
		return err
	}
	if slots.Check(l.query, b.StartsAt) != slots.Free {
		form.explain(slotd.NewError(slotd.SlotUnavailable, slotd.Facts{Alternatives: l.nearest(b.StartsAt)}), who)
	} else if form.Guest != (guest{}) {
		form.Trouble += " " + say.T("What you typed is still here.")
	}
	return v.showForm(http.StatusOK, p, e, form)
}

// guestOf restores from a booking what its guest typed.
func guestOf(b *slotd.Booking) guest {
	return guest{Name: b.Attendee.Name, Email: b.Attendee.Email, Phone: b.Attendee.Phone, Notes: b.Notes}
}

// formatShownPrice formats the price that the guest was shown for a hidden form field.
func formatShownPrice(s booking.ShownPrice) string {
	return fmt.Sprintf("%d %s %d", s.AmountCents, s.Currency, s.RefundUntil)
}

// parseShownPrice parses what formatShownPrice returns. An empty field is a price of zero.
func parseShownPrice(text string) *booking.ShownPrice {
	s := &booking.ShownPrice{}
	fmt.Sscanf(text, "%d %s %d", &s.AmountCents, &s.Currency, &s.RefundUntil)
	return s
}
