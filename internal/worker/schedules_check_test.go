package worker

import (
	"fmt"
	"slices"
	"strings"

	"slotd"
	"slotd/internal/money/ledger"
	"slotd/internal/money/stripe/stripetest"
)

// check checks the invariants of the model, and returns a short summary of the outcome.
func (c *schedule) check() (end string) {
	m := c.Money(c.booking)
	got := fmt.Sprintf("%s, sum %d, %d mails booked, %d canceled, %d too late, %d refunds", m.Booking.State,
		m.Ledger.Balance(),
		c.mailsTo("booked.attendee"), c.mailsTo("canceled.attendee"), c.mailsTo("paid_too_late.attendee"), c.live())
	if want := c.expectedOutcome(); got != want {
		c.T.Errorf("it came to  %s,\nand should to %s", got, want)
	}
	if m.Ledger.Balance() != c.balance() {
		c.T.Errorf("the ledger has %d, the service %d", m.Ledger.Balance(), c.balance())
	}
	if free := m.Booking.State != slotd.Confirmed && !c.slotTaken; c.isFree(c.start) != free {
		c.T.Errorf("%s, and the time is free: %v", m.Booking.State, !free)
	}
	if step := c.nextStep(m); step != ledger.Done && step != ledger.WatchRefund && step != ledger.Forget {
		c.T.Errorf("left open: %d", step)
	}
	if pending := c.leftOf(c.booking); !slices.Contains(c.allowedPending(), strings.Join(pending, " ")) {
		c.T.Errorf("jobs: %v, and may be %q", pending, c.allowedPending())
	}
	if c.T.Failed() {
		c.T.FailNow()
	}
	return got
}

// allowedPending returns the jobs that may still be waiting at the end, one string for each allowed set.
func (c *schedule) allowedPending() []string {
	switch {
	case slices.ContainsFunc(c.refunds(), func(r stripetest.Refund) bool { return r.Status == "pending" }):
		return []string{"settle: the refund is in progress"}
	case len(c.refunds()) > 0:
		return []string{"", "settle: checking that the refund isn't returned"}
	}
	return []string{"", "settle: keeping the guest's details for a day"}
}

// expectedOutcome returns the summary that check must find.
func (c *schedule) expectedOutcome() string {
	const form = "%s, sum %d, %d mails booked, %d canceled, %d too late, %d refunds"
	noRefund := c.canceledBy == "attendee" && c.booking.RefundPolicy == nil
	switch paid := c.balance()+int64(c.live())*price > 0; {
	case !paid:
		return fmt.Sprintf(form, slotd.Expired, 0, 0, 0, 0, 0)
	case c.slotTaken:
		return fmt.Sprintf(form, slotd.Canceled, 0, 0, 0, 1, 1)
	case c.canceledBy == "":
		return fmt.Sprintf(form, slotd.Confirmed, price, 1, 0, 0, 0)
	case noRefund:
		return fmt.Sprintf(form, slotd.Canceled, price, 1, 1, 0, 0)
	}
	return fmt.Sprintf(form, slotd.Canceled, 0, 1, 1, 0, 1)
}

func (c *schedule) mailsTo(name string) (n int) {
	for id, times := range c.mailCount {
		if strings.HasPrefix(id, c.booking.ID.String()) && strings.HasSuffix(id, name) {
			n += times
		}
	}
	return n
}

func (c *schedule) live() (n int) {
	for _, r := range c.refunds() {
		if r.Status != "failed" {
			n++
		}
	}
	return n
}

func (c *schedule) balance() (sum int64) {
	for _, session := range c.stripe.Sessions() {
		if session.ID == c.session && session.PaymentStatus == "paid" {
			sum = session.Amount
		}
	}
	return sum - int64(c.live())*price
}
