package public

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/availability/when"
	"slotd/internal/booking"
	"slotd/internal/identity/links"
	"slotd/internal/money/stripe"
)

// payContent is a booking on its way to its payment.
type payContent struct {
	*bookingView
	URL   string // where it is paid for; empty: it cannot be any more
	Until string // how long the time is held

	Closed bool // nobody can pay for it any more
}

// hold takes the time for the guest and sends them to pay for it.
func (v *visit) hold(p *snapshot.Snapshot, e *slotd.EventType, who viewer, form *formView,
	request booking.Request) error {
	account := v.Accounts.Account(p.Config)
	if account == "" {
		return slotd.Errorf(slotd.PaymentRequired, "payments are not set up")
	}
	request.ShownPrice = readShown(v.r.PostForm.Get("price"))
	replaces, err := v.Booking.ReleaseEarlier(v.r.Context(), booking.Attendee(p.WorkspaceID), *request.Idempotency)
	if err != nil {
		return err
	}
	request.Permit = func() error { return v.permitHold(replaces) }
	b, err := v.Booking.Hold(v.r.Context(), booking.Actor{WorkspaceID: p.WorkspaceID, Name: "page"}, request, account)
	var no *slotd.Error
	switch {
	case errors.Is(err, booking.ErrPriceChanged):
		form.Trouble = "The price, or what you get back if you cancel, has changed since you opened this page. " +
			"Please look at it again, and press the button if it is right for you."
		return v.showForm(http.StatusConflict, p, e, form)
	case errors.As(err, &no) && form.explain(no, who):
		return v.showForm(v.status(no), p, e, form)
	case err != nil:
		return err
	case b.State != slotd.Held: // the same form was sent before, and has been paid for
		return v.leave(v.Booking.Links.Path(links.Booking, p.WorkspaceID, b.ID))
	}
	to, err := v.openCheckout(p, b, who.local)
	if err != nil {
		v.Log.Error("a checkout cannot be opened", "workspace", p.Slug, "error", err)
		// Not if the guest went away: who presses twice has the same hold under way a second time.
		if err := v.Booking.Release(v.r.Context(), booking.Attendee(p.WorkspaceID), b.ID); err != nil {
			return err
		}
		form.Trouble = "The payment page cannot be opened at the moment. Nothing was paid and nothing is booked. " +
			"Please press the button again in a minute."
		return v.showForm(http.StatusBadGateway, p, e, form)
	}
	if !v.Accounts.IsCheckoutSite(p.Config, to) { // the form's page may not lead there
		to = v.Booking.Links.Path(links.Pay, p.WorkspaceID, b.ID)
	}
	return v.leave(to)
}

// openCheckout makes the page where a held booking is paid for, once.
func (v *visit) openCheckout(p *snapshot.Snapshot, b *slotd.Booking, local when.Local) (address string, err error) {
	ctx := v.r.Context()
	m, err := v.Booking.PaymentState(ctx, p.WorkspaceID, b.ID)
	if err != nil {
		return "", err
	} else if m.SessionID != "" {
		return m.Url, nil
	}
	client, err := v.Accounts.Client(ctx, p.WorkspaceID, m.Account)
	if err != nil {
		return "", err
	}
	path := func(purpose links.Purpose) string {
		return v.Booking.BaseURL + v.Booking.Links.Path(purpose, p.WorkspaceID, b.ID)
	}
	order := stripe.Order{
		Booking: stripe.Booking{WorkspaceID: p.WorkspaceID, ID: b.ID},
		Title:   b.EventTitle, When: local.Span(b.StartsAt, b.EndsAt).String(), Amount: b.Price.AmountCents,
		Currency: b.Price.Currency, Email: b.Attendee.Email,
		SuccessURL: path(links.Booking), CancelURL: path(links.Unpaid), ExpiresAt: checkoutEnds(b),
	}
	s, err := client.Checkout(ctx, order)
	if stripe.IsRefused(err) { // by what Stripe takes for an e-mail address: it asks for one itself
		order.Email = ""
		s, err = client.Checkout(ctx, order)
	}
	if stripe.IsInProgress(err) { // the guest has pressed twice
		v.Wait(time.Second)
		s, err = client.Checkout(ctx, order)
	}
	if err != nil {
		return "", err
	}
	return s.URL, v.Booking.OpenCheckout(context.WithoutCancel(ctx), p.WorkspaceID, b.ID, s.ID, s.URL)
}

// checkoutEnds is a little after the hold does, and when that is short, as early as Stripe allows: half an hour
// after it has got the request. A job closes the checkout when the hold ends.
func checkoutEnds(b *slotd.Booking) time.Time {
	const atLeast, onItsWay = 30 * time.Minute, 5 * time.Minute
	ends := b.HeldUntil
	if earliest := b.CreatedAt.Add(atLeast); ends.Before(earliest) {
		ends = earliest
	}
	return ends.Add(onItsWay)
}

// payPage sends the guest on to where they pay, if that is a site that no form of ours may lead to.
func (v *visit) payPage() error {
	p, m, err := v.ownMoney(links.Pay)
	if err != nil {
		return err
	}
	if !m.Held() && m.Booking.State != slotd.Expired {
		return v.leave(v.Booking.Links.Path(links.Booking, p.WorkspaceID, m.Booking.ID))
	}
	page := v.ownPage(p, m.Booking)
	content := v.payView(page.Content.(*bookingView), m)
	page.Content, page.Forward = content, content.URL
	return v.show(http.StatusOK, "pay", page)
}

// ownMoney finds the booking that a link is about, held ones too.
func (v *visit) ownMoney(purpose links.Purpose) (*snapshot.Snapshot, *booking.PaymentState, error) {
	workspaceID, id, ok := v.Booking.Links.Verify(purpose, v.r.PathValue("token"))
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
	p, err := v.Booking.Cache.WorkspaceByID(v.r.Context(), workspaceID)
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
		return v.leave(v.Booking.Links.Path(links.Booking, p.WorkspaceID, m.Booking.ID))
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
		return v.leave(v.Booking.Links.Path(links.Booking, p.WorkspaceID, b.ID))
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
