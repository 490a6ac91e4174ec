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

// moveView asks whether the booking is to be moved to the time that was chosen.
type moveView struct {
	Action, Back, Slot, Zone string
	When                     when.Span
	LosesRefund              bool // as it is too soon for one
}

func (v *visit) reschedulePage() error { return v.chooseNew(http.StatusOK, askedBy(v.r)) }

// chooseNew shows the times a booking can be moved to, or asks about the one that was chosen.
func (v *visit) chooseNew(status int, ask asked) error {
	p, b, err := v.own(v.r.Context(), links.Reschedule)
	if err != nil {
		return err
	}
	who := viewerIn(v.r, b.Attendee.TimeZone, "") // whatever browser the link is opened in
	page := v.ownPage(p, b)
	c := &rescheduleContent{bookingView: page.Content.(*bookingView)}
	page.Content = c
	e := p.EventTypeByID(b.EventTypeID)
	if c.Canceled || c.Over || e == nil || p.Schedule(e) == nil {
		return v.show(status, "reschedule", page)
	}
	if err := v.offer(c, p, e, b, who, ask); err != nil {
		return err
	}
	return v.show(status, "reschedule", page)
}

func (v *visit) offer(c *rescheduleContent, p *snapshot.Snapshot, e *slotd.EventType, b *slotd.Booking, who viewer,
	ask asked) error {
	l, err := v.listing(p, e, who, b)
	if err != nil {
		return err
	}
	to := newAddress(v.r.URL.Path, who, guest{})
	ask.clip(l.bounds())
	if ask.slot.Equal(b.StartsAt) {
		ask.slot = time.Time{}
	}
	if !ask.slot.IsZero() && slots.Check(l.query, ask.slot) == slots.Free {
		c.To = &moveView{
			Action: v.r.URL.Path, Back: to.with("date", l.zone.Date(ask.slot).String()), Slot: slotd.Instant(ask.slot),
			Zone: who.local.ZoneName(),
			When: who.local.Span(ask.slot, ask.slot.Add(e.Rules().Duration)),
		}
		c.To.LosesRefund, err = v.losesRefund(p.WorkspaceID, b, ask.slot)
		return err
	}
	near := ask
	if ask.month == 0 { // people mostly move by a few hours
		near.date = l.zone.Date(b.StartsAt)
		near.month = monthOf(near.date)
		near.clip(l.bounds())
	}
	c.Choice = newChoice(l, who, near, to)
	c.Choice.AutoZone = ""
	if ask.date == 0 {
		c.Choice.Calendar.Missed = ""
	}
	return nil
}

// losesRefund reports whether who moves a booking there gets no money back any more, and would now.
func (v *visit) losesRefund(workspaceID int64, b *slotd.Booking, to time.Time) (bool, error) {
	if b.RefundPolicy == nil || isRefundable(b.RefundPolicy, to, v.now) {
		return false, nil
	}
	amount, _, err := v.Booking.Refundable(v.r.Context(), workspaceID, b)
	return amount > 0, err
}

func (v *visit) reschedule() error {
	if err := v.posted(); err != nil {
		return err
	}
	p, b, err := v.own(v.r.Context(), links.Reschedule)
	if err != nil {
		return err
	}
	ask := askedBy(v.r)
	if ask.slot.IsZero() {
		return slotd.Errorf(slotd.InvalidArgument, "No time was chosen.")
	}
	if e := p.EventTypeByID(b.EventTypeID); e == nil || p.Schedule(e) == nil {
		return v.chooseNew(http.StatusConflict, ask) // the page says that it can no longer be moved
	}
	_, err = v.Booking.Reschedule(v.r.Context(), booking.Attendee(p.WorkspaceID), b.ID, ask.slot)
	var no *slotd.Error
	switch {
	case err == nil:
		return v.leave(v.Links.Path(links.Booking, p.WorkspaceID, b.ID))
	case errors.As(err, &no) && (no.Code == slotd.SlotUnavailable || no.Code == slotd.BookingCanceled ||
		no.Code == slotd.BookingPast):
		return v.chooseNew(http.StatusConflict, ask)
	}
	return err
}
