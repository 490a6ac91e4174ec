package public

import (
	"net/http"

	"slotd"
	"slotd/internal/availability/when"
	"slotd/internal/booking"
	"slotd/internal/identity/links"
	"slotd/internal/lib/say"
	"slotd/internal/workspace"
)

// maxReason leaves space for a few sentences: the reason is part of the host's mail.
const maxReason = 1000

type cancelContent struct {
	*bookingView
	Typed   string
	Trouble string
	Refund  string // what canceling refunds; empty if nothing was paid
}

// cancelPage asks for confirmation. Only its button cancels.
func (v *visit) cancelPage() error { return v.askToCancel(http.StatusOK, "", "") }

func (v *visit) askToCancel(status int, typed, trouble string) error {
	p, b, err := v.bookingByLink(v.r.Context(), links.Cancel)
	if err != nil {
		return err
	}
	page := v.newBookingPage(p, b)
	refund, err := v.refundNotice(p.WorkspaceID, b)
	if err != nil {
		return err
	}
	page.Content = &cancelContent{page.Content.(*bookingView), typed, trouble, refund}
	return v.show(status, "cancel", page)
}

// refundNotice says how much a guest who cancels now gets back.
func (v *visit) refundNotice(workspaceID int64, b *slotd.Booking) (string, error) {
	if b.Price == nil || b.State != slotd.Confirmed {
		return "", nil
	}
	amount, until, err := v.Booking.Refundable(v.r.Context(), workspaceID, b)
	if err != nil {
		return "", err
	}
	local := when.InNamed(b.Attendee.TimeZone, when.LocaleOf(v.r.Header.Get("Accept-Language")).TwelveHour)
	switch {
	case amount > 0:
		return say.T("You'll get %s back if you cancel before %s.",
			slotd.Price{AmountCents: amount, Currency: b.Price.Currency}, local.Instant(until)), nil
	case v.now.Before(until):
		return say.T("You won't get a refund: nothing is left of your payment."), nil
	case until.IsZero():
		return say.T("You won't get a refund: this booking isn't refundable."), nil
	}
	return say.T("You won't get a refund: it was refundable until %s.", local.Instant(until)), nil
}

func (v *visit) cancel() error {
	if err := v.readForm(); err != nil {
		return err
	}
	p, b, err := v.bookingByLink(v.r.Context(), links.Cancel)
	if err != nil {
		return err
	}
	reason := formField(v.r, "reason", maxReason)
	if err := workspace.CheckText(reason, maxReason); err != nil {
		return v.askToCancel(http.StatusUnprocessableEntity, reason, faultSentence("reason", reason, err))
	}
	_, err = v.Booking.Cancel(v.r.Context(), booking.Attendee(p.WorkspaceID), b.ID, reason)
	if slotd.Is(err, slotd.BookingPast) {
		return v.askToCancel(http.StatusConflict, "", "") // the page says that it is over
	} else if err != nil {
		return err
	}
	return v.redirect(v.r.URL.Path)
}
