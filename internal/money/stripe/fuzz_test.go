package stripe

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzReadEvent holds that whatever is signed is read or refused, and always in the same way.
func FuzzReadEvent(f *testing.F) {
	objects := []string{
		checkoutOf(`,"status":"complete","payment_status":"paid","payment_intent":"pi_1"`), refundOf("pending"),
		refundOf("failed"), disputeOf("won"),
		disputeOf("warning_closed"), `{"id":"ch_1","refunds":{"data":[` + refundOf("succeeded") + `,null,"re_2",{}]}}`,
		`null`, `{}`, `"cs_1"`, `[]`, `7`, `{"payment_intent":{}}`,
	}
	for _, kind := range []string{
		"checkout.session.completed", "checkout.session.async_payment_failed", "checkout.session.expired",
		"refund.updated", "charge.refunded", "charge.dispute.closed", "other",
	} {
		for _, object := range objects {
			f.Add(tells(kind, object))
		}
	}
	f.Add([]byte(`{"id":"evt_1","object":"event","data":null}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		e, err := read(body)
		again, wrong := read(slices.Clone(body))
		if (err == nil) != (wrong == nil) || !cmp.Equal(e, again) {
			t.Fatalf("%+v, %v, and then %+v, %v", e, err, again, wrong)
		}
		if err == nil && (e.ID == "" || !e.isNamed()) {
			t.Fatalf("read as %+v", e)
		}
	})
}
