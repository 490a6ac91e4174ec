package stripe

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzReadEvent checks that any signed body is either read or rejected, always in the same way.
func FuzzReadEvent(f *testing.F) {
	objects := []string{
		checkoutObject(`,"status":"complete","payment_status":"paid","payment_intent":"pi_1"`), refundObject("pending"),
		refundObject("failed"), disputeObject("won"),
		disputeObject("warning_closed"),
		`{"id":"ch_1","refunds":{"data":[` + refundObject("succeeded") + `,null,"re_2",{}]}}`,
		`null`, `{}`, `"cs_1"`, `[]`, `7`, `{"payment_intent":{}}`,
	}
	for _, kind := range []string{
		"checkout.session.completed", "checkout.session.async_payment_failed", "checkout.session.expired",
		"refund.updated", "charge.refunded", "charge.dispute.closed", "other",
	} {
		for _, object := range objects {
			f.Add(eventBody(kind, object))
		}
	}
	f.Add([]byte(`{"id":"evt_1","object":"event","data":null}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		e, err := readSigned(body)
		again, againErr := readSigned(slices.Clone(body))
		if (err == nil) != (againErr == nil) || !cmp.Equal(e, again) {
			t.Fatalf("%+v, %v, and then %+v, %v", e, err, again, againErr)
		}
		if err == nil && (e.ID == "" || !e.hasValidNames()) {
			t.Fatalf("read as %+v", e)
		}
	})
}
