package bookings

import (
	"net/http"
	"strconv"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/booking/records"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

// maxReason leaves space for a few sentences: the guest's mail quotes the reason.
const maxReason = 1000

func checkReason(f *page.Form, reason string) {
	f.AddProblem("reason", page.Sentence(say.T("The reason"), workspace.CheckText(reason, maxReason)))
}

type cancelContent struct {
	page.Form
	bookingFacts
	Refund string // what is refunded; empty: nothing had to be paid
	Reason string
}

// hostActor returns the owner as the booking's history names them.
func (v *visit) hostActor() booking.Actor {
	by := v.Actor()
	return booking.Actor{WorkspaceID: v.Snapshot.WorkspaceID, Actor: by}
}

// bookingVersion changes with each move and with the cancellation.
func bookingVersion(b *slotd.Booking) string { return strconv.Itoa(b.Sequence) }

// movedByOthers says where somebody else has moved the booking since the form was opened. It returns nil if nobody has.
func (v *visit) movedByOthers(b *slotd.Booking) []string {
	if v.Value("seen") == bookingVersion(b) {
		return nil
	}
	return []string{say.T("The booking was rescheduled. It's now on %s.", v.Local().Span(b.StartsAt, b.EndsAt))}
}

// cancelPage asks for confirmation; only its button cancels.
func (v *visit) cancelPage() error {
	b, err := v.ownBooking()
	if err != nil {
		return err
	}
	if !v.canChange(b) {
		return v.Redirect(BookingPath(b))
	}
	return v.askToCancel(http.StatusOK, b, v.newCancel(b))
}

func (v *visit) newCancel(b *slotd.Booking) *cancelContent {
	return &cancelContent{Form: v.NewForm(bookingVersion(b)), bookingFacts: v.factsOf(b), Reason: v.Value("reason")}
}

func (v *visit) askToCancel(status int, b *slotd.Booking, c *cancelContent) error {
	p, err := v.Records.PaymentSummaryOf(v.R.Context(), v.Snapshot.WorkspaceID, b)
	if err != nil {
		return err
	}
	if p != nil {
		c.Refund = refundWords(p)
	}
	return v.Show(status, "cancel", say.T("Cancel this booking?"), c)
}

// refundWords says how much is refunded. A cancellation by the host refunds everything, whatever the event type's
// refund policy says.
func refundWords(p *records.PaymentSummary) string {
	balance := p.Ledger.Balance()
	if balance <= 0 {
		return say.T("There is no refund: nothing is left of what was paid.")
	}
	return say.T("The guest gets a full refund of %s, because the host cancels.",
		slotd.Price{AmountCents: balance, Currency: p.Price.Currency})
}

// cancelBooking cancels the booking. A second time changes nothing.
func (v *visit) cancelBooking() error {
	b, err := v.ownBooking()
	if err != nil {
		return err
	}
	if !b.State.TakesTime() {
		return v.Redirect(BookingPath(b))
	}
	c := v.newCancel(b)
	if checkReason(&c.Form, c.Reason); len(c.Problems) > 0 {
		return v.askToCancel(http.StatusUnprocessableEntity, b, c)
	}
	if c.Theirs = v.movedByOthers(b); c.Theirs != nil && !b.Ended(v.Now) {
		return v.askToCancel(http.StatusConflict, b, c)
	}
	if _, err := v.Booking.Cancel(v.R.Context(), v.hostActor(), b.ID, c.Reason); err != nil {
		return err
	}
	return v.Redirect(BookingPath(b) + "?saved=canceled")
}
