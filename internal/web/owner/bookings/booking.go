package bookings

import (
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"slotd"
	"slotd/internal/availability/when"
	"slotd/internal/booking/records"
	"slotd/internal/lib/say"
	"slotd/internal/mail/invite"
	"slotd/internal/money/ledger"
	"slotd/internal/web/owner/page"
)

// bookingFacts is what every page about one booking shows of it.
type bookingFacts struct {
	Path, ID, Title, Name, Email, Mailto string
	When                                 when.Span
	GuestWhen                            when.Span // in the guest's own zone; empty: it is the same
	ToFiles                              bool      // mails are not sent
}

func (v *visit) factsOf(b *slotd.Booking) bookingFacts {
	local := v.Local()
	f := bookingFacts{Path: BookingPath(b), ID: b.ID.String(), Title: b.EventTitle, Name: guestName(b),
		Email: b.Attendee.Email, When: local.Span(b.StartsAt, b.EndsAt), ToFiles: v.ToFiles}
	if f.Email != "" {
		f.Mailto = invite.Mailto(f.Email)
	}
	if guest := when.InNamed(b.Attendee.TimeZone, local.TwelveHour()); guest.ZoneName() != local.ZoneName() {
		f.GuestWhen = guest.Span(b.StartsAt, b.EndsAt)
	}
	return f
}

type bookingContent struct {
	bookingFacts
	Paused                           *page.PausedNotice
	Done                             string // what was just done
	State                            string
	Canceled                         bool
	Phone                            string
	Location, JoinURL, Notes, Reason string
	MoveReason                       string
	Made, Zone                       string
	Money                            string
	Ledger                           []ledgerLine
	Reschedule, Cancel               string // empty: it is too late for that
	Past, Ahead                      []historyLine
}

// ledgerLine describes an entry of the ledger.
type ledgerLine struct{ At, What, Amount string }

type historyLine struct{ At, What, Who, Trouble string }

// ownBooking finds the booking that the address names. It finds only bookings of this workspace.
func (v *visit) ownBooking() (*slotd.Booking, error) {
	text := v.R.PathValue("id")
	id, err := uuid.Parse(text)
	if err != nil || id.String() != text {
		return nil, slotd.NewError(slotd.BookingNotFound, slotd.Facts{})
	}
	b, err := v.Booking.Booking(v.R.Context(), v.Snapshot.WorkspaceID, id)
	if err == nil && b == nil {
		err = slotd.NewError(slotd.BookingNotFound, slotd.Facts{})
	}
	return b, err
}

// bookingPage shows everything about one booking.
func (v *visit) bookingPage() error {
	b, err := v.ownBooking()
	if err != nil {
		return err
	}
	c := &bookingContent{
		bookingFacts: v.factsOf(b), Paused: v.Paused(), Done: v.doneNotice(b), State: v.stateOf(b),
		Canceled: !b.State.TakesTime(), Phone: b.Attendee.Phone,
		Location: b.Location, JoinURL: b.JoinURL, Notes: b.Notes, Reason: b.CancelReason, MoveReason: b.MoveReason,
		Made: v.Local().ShortInstant(b.CreatedAt), Zone: v.Local().ZoneName(),
	}
	if v.canChange(b) {
		c.Reschedule, c.Cancel = c.Path+"/reschedule", c.Path+"/cancel"
	}
	if err := v.addMoney(c, b); err != nil {
		return err
	}
	if err := v.addHistory(c, b); err != nil {
		return err
	}
	return v.Show(http.StatusOK, "booking", b.EventTitle, c)
}

var doneWords = map[string]say.Sentence{
	"moved":    "The booking was rescheduled.",
	"canceled": "The booking was canceled.",
}

// doneNotice says what was just done to the booking, and whether we mail the guest about it.
func (v *visit) doneNotice(b *slotd.Booking) string {
	done := doneWords[v.Value("saved")].String()
	switch {
	case done == "" || b.Attendee.Email == "":
		return done
	case v.ToFiles:
		return done + " " + say.T("This server doesn't send email, so please tell the guest yourself. The email to them is "+
			"in a file in its outbox.")
	}
	return done + " " + say.T("The guest will get an email.")
}

func (v *visit) canChange(b *slotd.Booking) bool {
	return b.State == slotd.Confirmed && !b.Ended(v.Now)
}

func (v *visit) stateOf(b *slotd.Booking) string {
	switch {
	case !b.State.TakesTime():
		return say.T("Canceled")
	case b.Ended(v.Now):
		return say.T("Past")
	case !v.Now.Before(b.StartsAt):
		return say.T("Now")
	}
	return say.T("Upcoming")
}

func (v *visit) addMoney(c *bookingContent, b *slotd.Booking) error {
	p, err := v.Records.PaymentSummaryOf(v.R.Context(), v.Snapshot.WorkspaceID, b)
	if err != nil || p == nil {
		return err
	}
	c.Money = moneyWords(p)
	for _, e := range p.Ledger {
		amount := slotd.Price{AmountCents: e.Amount, Currency: e.Currency}
		c.Ledger = append(c.Ledger, ledgerLine{timeIn(v.Local(), e.At), ledgerWords(p.Ledger, e), amount.String()})
	}
	return nil
}

// timeIn formats a time for a table whose heading names the zone.
func timeIn(local when.Local, t time.Time) string { return local.Day(t) + ", " + local.Time(t) }

func ledgerWords(l ledger.Ledger, e ledger.Entry) string {
	switch e.Kind {
	case ledger.Authorized:
		return say.T("Payment pending")
	case ledger.Paid:
		return say.T("Paid")
	case ledger.RefundRequested:
		return say.T("Refund requested")
	case ledger.Refunded:
		return say.T("Refunded")
	case ledger.Disputed:
		return say.T("Disputed: taken back by the guest's bank")
	case ledger.DisputeWon:
		return say.T("Dispute won: returned by the guest's bank")
	case ledger.Failed:
		if e.Reference != l.Payment() && l.Payment() != "" {
			return say.T("Refund failed")
		}
		return say.T("Payment failed")
	}
	return strings.ReplaceAll(string(e.Kind), "_", " ")
}

func (v *visit) addHistory(c *bookingContent, b *slotd.Booking) error {
	local := v.Local()
	happenings, err := v.Records.History(v.R.Context(), v.Snapshot.WorkspaceID, b.ID, local)
	for _, h := range happenings {
		if h.Actor == v.Actor().String() {
			h.Who = say.T("you")
		}
		line := historyLine{timeIn(local, h.At), v.describe(h), h.Who, h.Trouble}
		if h.Ahead {
			c.Ahead = append(c.Ahead, line)
		} else {
			c.Past = append(c.Past, line)
		}
	}
	return err
}

// describe adds to a mail what happened to it. It goes by the server's present mail setting, even if that was different
// when the mail was sent.
func (v *visit) describe(h records.HistoryEntry) string {
	switch {
	case !h.Mailed:
		return h.What
	case v.ToFiles:
		return say.T("%s (saved to the outbox, not sent)", h.What)
	}
	return say.T("%s (sent)", h.What)
}
