package stripe

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"slotd/internal/money/ledger"
	"slotd/internal/money/stripe/stripetest"
)

const webhookSecret = "whsec_secret0123456789"

// eventBody returns an event about an object, as Stripe sends it.
func eventBody(kind, object string) []byte {
	return fmt.Appendf(nil, `{"id":"evt_1","object":"event","api_version":"2026-06-24.dahlia","type":%q,"data":{"object":%s}}`, kind, object)
}

func sign(body []byte) string { return stripetest.Signature(body, webhookSecret, time.Now()) }

func readSigned(body []byte) (*Event, error) { return ReadEvent(body, sign(body), webhookSecret) }

const ourMetadata = `"metadata":{"slotd_workspace":"7","slotd_booking":"11111111-2222-4333-8444-555555555555"}`

func checkoutObject(more string) string {
	return `{"id":"cs_1","object":"checkout.session","amount_total":5000,"currency":"usd",` + ourMetadata + more + `}`
}

func refundObject(status string) string {
	return `{"id":"re_1","object":"refund","amount":5000,"currency":"usd","payment_intent":"pi_1","status":"` + status +
		`",` + ourMetadata + `}`
}

func disputeObject(status string) string {
	return `{"id":"dp_1","object":"dispute","amount":5000,"currency":"usd","payment_intent":"pi_1","status":"` +
		status + `","metadata":{}}`
}

func entry(kind ledger.Kind, reference string) ledger.Entry {
	return ledger.Entry{Kind: kind, Amount: 5000, Currency: "usd", Reference: reference}
}

func TestReadEvent_OfEveryKind(t *testing.T) {
	paid, promised := checkoutObject(`,"status":"complete","payment_status":"paid","payment_intent":"pi_1"`),
		checkoutObject(`,"status":"complete","payment_status":"unpaid","payment_intent":"pi_1"`)
	about := func(booking Booking, session, payment string, entries ...ledger.Entry) Event {
		return Event{Booking: booking, Session: session, Payment: payment, Entries: entries}
	}
	lapsed := func(e Event) Event { e.Expired = true; return e }
	for _, c := range []struct {
		kind, object string
		want         Event
	}{
		{"checkout.session.completed", paid, about(booking, "cs_1", "pi_1", entry(ledger.Paid, "pi_1"))},
		{"checkout.session.completed", checkoutObject(`,"payment_status":"paid","payment_intent":{"id":"pi_1"}`),
			about(booking, "cs_1", "pi_1", entry(ledger.Paid, "pi_1"))},
		{"checkout.session.completed", checkoutObject(`,"payment_status":"no_payment_required"`),
			about(booking, "cs_1", "", entry(ledger.Paid, "cs_1"))},
		{"checkout.session.completed", promised, about(booking, "cs_1", "pi_1", entry(ledger.Authorized, "pi_1"))},
		{"checkout.session.async_payment_succeeded", promised,
			about(booking, "cs_1", "pi_1", entry(ledger.Paid, "pi_1"))},
		{"checkout.session.async_payment_failed", promised,
			lapsed(about(booking, "cs_1", "pi_1", entry(ledger.Failed, "pi_1")))},
		{"checkout.session.expired",
			checkoutObject(`,"status":"expired","payment_status":"unpaid","payment_intent":null`),
			lapsed(about(booking, "cs_1", ""))},
		{"refund.created", refundObject("pending"), about(booking, "", "pi_1", entry(ledger.Refunded, "re_1"))},
		{"refund.created", refundObject("succeeded"), about(booking, "", "pi_1", entry(ledger.Refunded, "re_1"))},
		{"refund.updated", refundObject("requires_action"), about(booking, "", "pi_1", entry(ledger.Refunded, "re_1"))},
		{"refund.updated", refundObject("canceled"), about(booking, "", "pi_1", entry(ledger.Failed, "re_1"))},
		{"refund.failed", refundObject("failed"), about(booking, "", "pi_1", entry(ledger.Failed, "re_1"))},
		{"charge.refund.updated", refundObject("failed"), about(booking, "", "pi_1", entry(ledger.Failed, "re_1"))},
		{"charge.refunded", `{"id":"ch_1","payment_intent":"pi_1",` + ourMetadata + `}`, about(booking, "", "pi_1")},
		{"charge.refunded", `{"id":"ch_1","payment_intent":"pi_1","refunds":{"data":[` + refundObject("succeeded") +
			`,null]}}`, about(Booking{}, "", "pi_1", entry(ledger.Refunded, "re_1"))},
		{"charge.dispute.created", disputeObject("needs_response"),
			about(Booking{}, "", "pi_1", entry(ledger.Disputed, "dp_1"))},
		{"charge.dispute.created", disputeObject("warning_needs_response"), about(Booking{}, "", "pi_1")},
		{"charge.dispute.updated", disputeObject("under_review"),
			about(Booking{}, "", "pi_1", entry(ledger.Disputed, "dp_1"))},
		{"charge.dispute.closed", disputeObject("won"),
			about(Booking{}, "", "pi_1", entry(ledger.Disputed, "dp_1"), entry(ledger.DisputeWon, "dp_1"))},
		{"charge.dispute.closed", disputeObject("lost"), about(Booking{}, "", "pi_1", entry(ledger.Disputed, "dp_1"))},
		{"charge.dispute.closed", disputeObject("warning_closed"), about(Booking{}, "", "pi_1")},
		{"charge.dispute.closed", disputeObject("prevented"), about(Booking{}, "", "pi_1")},
		{"charge.dispute.funds_withdrawn", disputeObject("needs_response"),
			about(Booking{}, "", "pi_1", entry(ledger.Disputed, "dp_1"))},
		{"charge.dispute.funds_reinstated", disputeObject("won"),
			about(Booking{}, "", "pi_1", entry(ledger.Disputed, "dp_1"), entry(ledger.DisputeWon, "dp_1"))},
		{"customer.created", `{"id":"cus_1","email":"grace@guest.example"}`, Event{}},
		{"no.such.kind", `{}`, Event{}},
	} {
		c.want.ID, c.want.Kind = "evt_1", c.kind
		got, err := readSigned(eventBody(c.kind, c.object))
		if err != nil {
			t.Errorf("%s: %v", c.kind, err)
		} else if diff := cmp.Diff(&c.want, got); diff != "" {
			t.Errorf("%s of %s:\n%s", c.kind, c.object, diff)
		}
	}
}

func TestReadEvent_KnowsOurBookingsOnly(t *testing.T) {
	id := booking.ID.String()
	for metadata, want := range map[string]Booking{
		`{"slotd_workspace":"7","slotd_booking":"` + id + `"}`:            booking,
		`{"slotd_workspace":"7","slotd_booking":"` + id + `","more":"x"}`: booking,
		`null`:                           {},
		`{}`:                             {},
		`{"slotd_workspace":"7"}`:        {},
		`{"slotd_booking":"` + id + `"}`: {},
		`{"slotd_workspace":"7","slotd_booking":"no"}`:                            {},
		`{"slotd_workspace":"","slotd_booking":"` + id + `"}`:                     {},
		`{"slotd_workspace":"7.0","slotd_booking":"` + id + `"}`:                  {},
		`{"slotd_workspace":"99999999999999999999","slotd_booking":"` + id + `"}`: {},
		`{"Slotd_Workspace":"7","slotd_booking":"` + id + `"}`:                    {},
	} {
		e, err := readSigned(eventBody("refund.created",
			`{"id":"re_1","amount":1,"currency":"usd","metadata":`+metadata+`}`))
		if err != nil || e.Booking != want {
			t.Errorf("%s: %+v, %v", metadata, e, err)
		}
	}
}

// The caller, who knows the price, decides which amounts are valid. Reading an event must only not change the amount.
func TestReadEvent_KeepsOddAmounts(t *testing.T) {
	for written, want := range map[string]int64{"0": 0, "-1": -1, "null": 0, "9223372036854775807": 1<<63 - 1,
		"-9223372036854775808": -1 << 63} {
		e, err := readSigned(eventBody("refund.created", `{"id":"re_1","currency":"xyz","amount":`+written+`}`))
		if err != nil || e.Entries[0].Amount != want || e.Entries[0].Currency != "xyz" {
			t.Errorf("%s: %+v, %v", written, e, err)
		}
	}
	for _, written := range []string{"9223372036854775808", "1e3", "1.5", `"5000"`, "[]", "{}",
		strings.Repeat("9", 100_000)} {
		if e, err := readSigned(eventBody("refund.created",
			`{"id":"re_1","currency":"usd","amount":`+written+`}`)); err == nil {
			t.Errorf("%.30s: %+v", written, e)
		}
	}
}
