package worker

import (
	"fmt"
	"slices"
	"strings"

	"slotd"
	"slotd/internal/money/ledger"
	"slotd/internal/money/stripe/stripetest"
)

// check holds what the model holds, and says in a few words what it came to.
func (c *schedule) check() (end string) {
	m := c.moneyOf(c.booking)
	got := fmt.Sprintf("%s, sum %d, %d mails booked, %d canceled, %d too late, %d refunds", m.Booking.State,
		m.Ledger.Balance(),
		c.mailsTo("booked.attendee"), c.mailsTo("canceled.attendee"), c.mailsTo("paid_too_late.attendee"), c.live())
	if want := c.deserved(); got != want {
		c.t.Errorf("it came to  %s,\nand should to %s", got, want)
	}
	if m.Ledger.Balance() != c.balance() {
		c.t.Errorf("the ledger has %d, the service %d", m.Ledger.Balance(), c.balance())
	}
	if free := m.Booking.State != slotd.Confirmed && !c.took; c.isFree(c.start) != free {
		c.t.Errorf("%s, and the time is free: %v", m.Booking.State, !free)
	}
	if open := c.left(m); open != ledger.Done && open != ledger.WatchRefund && open != ledger.Forget {
		c.t.Errorf("left open: %d", open)
	}
	if open := c.stillOpen(c.booking); !slices.Contains(c.mayBeOpen(), strings.Join(open, " ")) {
		c.t.Errorf("jobs: %v, and may be %q", open, c.mayBeOpen())
	}
	if c.t.Failed() {
		c.t.FailNow()
	}
	return got
}

// mayBeOpen is what is waited for when all is done.
func (c *schedule) mayBeOpen() []string {
	switch {
	case slices.ContainsFunc(c.refunds(), func(r stripetest.Refund) bool { return r.Status == "pending" }):
		return []string{"settle: the refund is under way"}
	case len(c.refunds()) > 0:
		return []string{"", "settle: looks whether the refund stays where it is"}
	}
	return []string{"", "settle: keeps for a day what was typed"}
}

func (c *schedule) deserved() string {
	const form = "%s, sum %d, %d mails booked, %d canceled, %d too late, %d refunds"
	keeps := c.canceledBy == "attendee" && c.booking.RefundPolicy == nil
	switch paid := c.balance()+int64(c.live())*fee > 0; {
	case !paid:
		return fmt.Sprintf(form, slotd.Expired, 0, 0, 0, 0, 0)
	case c.took:
		return fmt.Sprintf(form, slotd.Canceled, 0, 0, 0, 1, 1)
	case c.canceledBy == "":
		return fmt.Sprintf(form, slotd.Confirmed, fee, 1, 0, 0, 0)
	case keeps:
		return fmt.Sprintf(form, slotd.Canceled, fee, 1, 1, 0, 0)
	}
	return fmt.Sprintf(form, slotd.Canceled, 0, 1, 1, 0, 1)
}

func (c *schedule) mailsTo(name string) (n int) {
	for id, times := range c.told {
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
	return sum - int64(c.live())*fee
}
