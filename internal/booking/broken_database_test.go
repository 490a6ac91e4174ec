package booking

import (
	"errors"
	"testing"

	"slotd"
	"slotd/internal/store/testdb"
	"slotd/test/worlds"
)

// A database that fails must look neither like an empty one nor like a refusal.
func TestBrokenDatabase_IsAnErrorOfEveryVerb(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	w.addPaidEventTypes()
	free, paid, held := w.mustCreate("intro", at("09:00")), w.mustPay("lesson", at("10:00")), w.mustHold("lesson", at("11:00"))
	canceled := *paid
	canceled.State = slotd.Canceled
	id := w.actor.WorkspaceID
	w.db.Close()
	second := func(_ any, err error) error { return err }
	_, _, refundable := w.Refundable(background, id, paid)
	for name, err := range map[string]error{
		"create":         second(w.create("intro", at("12:00"))),
		"move":           second(w.Reschedule(background, w.actor, free.ID, at("12:00"))),
		"cancel":         second(w.Cancel(background, w.actor, free.ID, "")),
		"hold":           second(w.hold("lesson", at("12:00"))),
		"pay":            w.ApplyPayment(background, id, held.ID, worlds.PaidStatement(held)),
		"release":        w.Release(background, w.actor, held.ID),
		"ReleaseEarlier": second(w.ReleaseEarlier(background, w.actor, Idempotency{TokenID: "page", Form: "form", Key: "1"})),
		"SaveCheckout":   w.SaveCheckout(background, id, held.ID, "cs_1", "https://pay.example/cs_1"),
		"ForgetGuest":    w.ForgetGuest(background, id, held.ID),
		"ReceiveEvent":   second(w.ReceiveEvent(background, 0, paidEvent(paid))),
		"Booking":        second(w.Booking(background, id, free.ID)),
		"PaymentState":   second(w.PaymentState(background, id, paid.ID)),
		"PaidTooLate":    second(w.PaidTooLate(background, id, &canceled)),
		"Refundable":     refundable,
		"MailRefundDue":  w.MailRefundDue(background, id, paid.ID),
	} {
		var coded *slotd.Error
		if err == nil || errors.As(err, &coded) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
