package public

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/availability/when"
	"slotd/internal/booking"
	"slotd/internal/identity/links"
)

// payContent is a booking on its way to its payment.
type payContent struct {
	*bookingView
	URL   string // where it is paid for; empty: it cannot be any more
	Until string // how long the time is held

	Closed bool // nobody can pay for it any more
}

// checkout takes the time for the guest and sends them to pay for it.
func (v *visit) checkout(p *snapshot.Snapshot, e *slotd.EventType, who viewer, form *formView,
	request booking.Request) error {
	request.ShownPrice = readShown(v.r.PostForm.Get("price"))
	request.PermitHold = v.permitHold
	c, err := v.Booking.Checkout(v.r.Context(), booking.Actor{WorkspaceID: p.WorkspaceID, Name: "page"},
		booking.CheckoutRequest{Request: request, Local: who.local})
	var no *slotd.Error
	var failed *booking.CheckoutError
	switch {
	case errors.Is(err, booking.ErrPriceChanged):
		form.Trouble = "The price, or what you get back if you cancel, has changed since you opened this page. " +
			"Please look at it again, and press the button if it is right for you."
		return v.showForm(http.StatusConflict, p, e, form)
	case errors.As(err, &failed):
		v.Log.Error("a checkout cannot be opened", "workspace", p.Slug, "error", failed.Err)
		form.Trouble = "The payment page cannot be opened at the moment. Nothing was paid and nothing is booked. " +
			"Please press the button again in a minute."
		return v.showForm(http.StatusBadGateway, p, e, form)
	case errors.As(err, &no) && form.explain(no, who):
		return v.showForm(v.status(no), p, e, form)
	case err != nil:
		return err
	case c.URL == "": // the same form was sent before, and has been paid for
		return v.leave(v.Links.Path(links.Booking, p.WorkspaceID, c.Booking.ID))
	case !v.Accounts.IsCheckoutSite(p.Config, c.URL): // the form's page may not lead there
		return v.leave(v.Links.Path(links.Pay, p.WorkspaceID, c.Booking.ID))
	}
	return v.leave(c.URL)
}

// payPage sends the guest on to where they pay, if that is a site that no form of ours may lead to.
func (v *visit) payPage() error {
	p, m, err := v.ownMoney(links.Pay)
	if err != nil {
		return err
	}
	if !m.Held() && m.Booking.State != slotd.Expired {
		return v.leave(v.Links.Path(links.Booking, p.WorkspaceID, m.Booking.ID))
	}
	page := v.ownPage(p, m.Booking)
	content := v.payView(page.Content.(*bookingView), m)
	page.Content, page.Forward = content, content.URL
	return v.show(http.StatusOK, "pay", page)
}

// ownMoney finds the booking that a link is about, held ones too.
func (v *visit) ownMoney(purpose links.Purpose) (*snapshot.Snapshot, *booking.PaymentState, error) {
	workspaceID, id, ok := v.Links.Verify(purpose, v.r.PathValue("token"))
	if !ok {
		return nil, nil, slotd.Errorf(slotd.BookingNotFound, "no such link")
	}
	m, err := v.Booking.PaymentState(v.r.Context(), workspaceID, id)
	if err != nil {
		return nil, nil, err
	}
	if m == nil || v.now.After(m.Booking.EndsAt.Add(shownFor)) {
		return nil, nil, slotd.Errorf(slotd.BookingNotFound, "no such booking")
	}
	p, err := v.Cache.WorkspaceByID(v.r.Context(), workspaceID)
	if err != nil {
		return nil, nil, fmt.Errorf("load the workspace of booking %s: %w", id, err)
	}
	v.snapshot = p
	return p, m, nil
}

func (v *visit) payView(view *bookingView, m *booking.PaymentState) *payContent {
	c := &payContent{bookingView: view, Closed: m.Closed}
	if m.Held() && v.now.Before(m.Booking.HeldUntil) {
		twelve := when.LocaleOf(v.r.Header.Get("Accept-Language")).Twelve
		c.URL, c.Until = m.Url, when.InNamed(m.Booking.Attendee.TimeZone, twelve).Time(m.Booking.HeldUntil)
	}
	return c
}

// unpaidPage is where a guest comes back to who has not paid. Its button, which the page's script presses, gives
// the time back: opening a link changes nothing.
func (v *visit) unpaidPage() error {
	p, m, err := v.ownMoney(links.Unpaid)
	if err != nil {
		return err
	}
	if !m.Held() && m.Booking.State != slotd.Expired {
		return v.leave(v.Links.Path(links.Booking, p.WorkspaceID, m.Booking.ID))
	}
	page := v.ownPage(p, m.Booking)
	page.Content = v.payView(page.Content.(*bookingView), m)
	return v.show(http.StatusOK, "unpaid", page)
}

// unpaid gives the time back and shows the form again, with all that was typed.
func (v *visit) unpaid() error {
	if err := v.posted(); err != nil {
		return err
	}
	p, m, err := v.ownMoney(links.Unpaid)
	if err != nil {
		return err
	}
	if err := v.Booking.Release(v.r.Context(), booking.Attendee(p.WorkspaceID), m.Booking.ID); err != nil {
		return err
	}
	p, now, err := v.ownMoney(links.Unpaid) // it may have been paid for in the meantime
	if err != nil {
		return err
	}
	b := m.Booking // what was typed may be forgotten from here on
	e := p.EventTypeByID(b.EventTypeID)
	if now.Booking.State != slotd.Expired || e == nil || !e.Public() || !v.payable(p, e) {
		return v.leave(v.Links.Path(links.Booking, p.WorkspaceID, b.ID))
	}
	return v.showAgain(p, e, b)
}

// showAgain is the form as the guest left it, with other times if this one is taken by now.
func (v *visit) showAgain(p *snapshot.Snapshot, e *slotd.EventType, b *slotd.Booking) error {
	v.payees = v.Accounts.CheckoutSites(p.Config)
	who := viewerIn(v.r, b.Attendee.TimeZone, "")
	who.chosen = true // or the browser's own would come in its place
	form := v.newForm(p, e, who, asked{slot: b.StartsAt, guest: guestOf(b, e.Location.Ask)})
	form.Trouble = "You have not paid, so nothing is booked and the time is not held for you any more."
	l, err := v.listing(p, e, who, nil)
	if err != nil {
		return err
	}
	if slots.Check(l.query, b.StartsAt) != slots.Free {
		form.explain(&slotd.Error{Code: slotd.SlotUnavailable, Alternatives: l.nearest(b.StartsAt)}, who)
	} else if form.Guest != (guest{}) {
		form.Trouble += " What you typed is still here."
	}
	return v.showForm(http.StatusOK, p, e, form)
}

// guestOf is what a guest typed, out of what became of it.
func guestOf(b *slotd.Booking, askPhone bool) guest {
	g := guest{Name: b.Attendee.Name, Email: b.Attendee.Email, Notes: b.Notes}
	if phone, ok := strings.CutPrefix(b.Notes, phoneLabel); ok && askPhone {
		g.Phone, g.Notes, _ = strings.Cut(phone, "\n")
	}
	return g
}

// writeShown and readShown carry through the form what the guest was shown. If it says nothing, that was no price at
// all.
func writeShown(s booking.ShownPrice) string {
	return fmt.Sprintf("%d %s %d", s.AmountCents, s.Currency, s.RefundUntil)
}

func readShown(text string) *booking.ShownPrice {
	s := &booking.ShownPrice{}
	fmt.Sscanf(text, "%d %s %d", &s.AmountCents, &s.Currency, &s.RefundUntil)
	return s
}
