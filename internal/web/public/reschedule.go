package public

import (
	"errors"
	"net/http"
	"time"

	"slotd"
	"slotd/internal/availability/slots"
	"slotd/internal/availability/snapshot"
	"slotd/internal/availability/when"
	"slotd/internal/booking"
	"slotd/internal/identity/links"
)

type rescheduleContent struct {
	*bookingView
	Choice *choice
	To     *moveView
}

// moveView asks for confirmation to move the booking to the chosen time.
type moveView struct {
	Action, Back, Slot, Zone string
	When                     when.Span
	LosesRefund              bool // the new time is too soon for a refund
}

func (v *visit) reschedulePage() error { return v.showReschedule(http.StatusOK, readSelection(v.r)) }

// showReschedule shows the times to which a booking can be moved, or asks for confirmation of the chosen one.
func (v *visit) showReschedule(status int, sel selection) error {
	p, b, err := v.bookingByLink(v.r.Context(), links.Reschedule)
	if err != nil {
		return err
	}
	who := newViewerWithCookie(v.r, b.Attendee.TimeZone, "") // in whatever browser the link is opened
	page := v.newBookingPage(p, b)
	c := &rescheduleContent{bookingView: page.Content.(*bookingView)}
	page.Content = c
	e := p.EventTypeByID(b.EventTypeID)
	if c.Canceled || c.Over || e == nil || p.Schedule(e) == nil {
		return v.show(status, "reschedule", page)
	}
	if err := v.offerTimes(c, p, e, b, who, sel); err != nil {
		return err
	}
	return v.show(status, "reschedule", page)
}

func (v *visit) offerTimes(c *rescheduleContent, p *snapshot.Snapshot, e *slotd.EventType, b *slotd.Booking, who viewer,
	sel selection) error {
	l, err := v.newListing(p, e, who, b)
	if err != nil {
		return err
	}
	to := newPageURL(v.r.URL.Path, who, guest{})
	sel.clip(l.bounds())
	if sel.slot.Equal(b.StartsAt) {
		sel.slot = time.Time{}
	}
	if !sel.slot.IsZero() && slots.Check(l.query, sel.slot) == slots.Free {
		c.To = &moveView{
			Action: v.r.URL.Path, Back: to.with("date", l.zone.Date(sel.slot).String()), Slot: slotd.Instant(sel.slot),
			Zone: who.local.ZoneName(),
			When: who.local.Span(sel.slot, sel.slot.Add(e.Rules().Duration)),
		}
		c.To.LosesRefund, err = v.losesRefund(p.WorkspaceID, b, sel.slot)
		return err
	}
	near := sel
	if sel.month == 0 { // people mostly move by a few hours
		near.date = l.zone.Date(b.StartsAt)
		near.month = monthOf(near.date)
		near.clip(l.bounds())
	}
	c.Choice = newChoice(l, who, near, to)
	c.Choice.AutoZone = ""
	if sel.date == 0 {
		c.Choice.Calendar.EmptyDay = ""
	}
	return nil
}

// losesRefund reports whether canceling gives a refund now, but would not after moving the booking to the given time.
func (v *visit) losesRefund(workspaceID int64, b *slotd.Booking, to time.Time) (bool, error) {
	if b.RefundPolicy == nil || isRefundable(b.RefundPolicy, to, v.now) {
		return false, nil
	}
	amount, _, err := v.Booking.Refundable(v.r.Context(), workspaceID, b)
	return amount > 0, err
}

func (v *visit) reschedule() error {
	if err := v.readForm(); err != nil {
		return err
	}
	p, b, err := v.bookingByLink(v.r.Context(), links.Reschedule)
	if err != nil {
		return err
	}
	sel := readSelection(v.r)
	if sel.slot.IsZero() {
		return slotd.NewError(slotd.InvalidArgument, slotd.Facts{})
	}
	if e := p.EventTypeByID(b.EventTypeID); e == nil || p.Schedule(e) == nil {
		return v.showReschedule(http.StatusConflict, sel) // the page says that the booking can no longer be moved
	}
	_, err = v.Booking.Reschedule(v.r.Context(), booking.Attendee(p.WorkspaceID), b.ID, sel.slot)
	var codeErr *slotd.Error
	switch {
	case err == nil:
		return v.redirect(v.Links.Path(links.Booking, p.WorkspaceID, b.ID))
	case errors.As(err, &codeErr) && (codeErr.Code == slotd.SlotUnavailable ||
		codeErr.Code == slotd.BookingCanceled || codeErr.Code == slotd.BookingPast):
		return v.showReschedule(http.StatusConflict, sel)
	}
	return err
}
