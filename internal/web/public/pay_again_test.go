package public

import (
	"net/http"
	"net/netip"
	"testing"
	"time"

	"slotd/internal/lib/limit"
	"slotd/internal/money/stripe/stripetest"
)

// A guest goes back from the checkout, corrects the form and sends it again.
func TestHold_AMendedFormReplacesItsOwn(t *testing.T) {
	eachDB(t, func(t *testing.T, w *world) {
		w.takesPayments()
		// One hold is allowed. A form that replaces its own does not hold more.
		w.Holds = limit.NewWithInterval[netip.Addr](time.Minute, time.Minute)
		action, fields := w.filled("/acme/paid", at("02-02 10:00"))
		_, others := w.filled("/acme/paid", at("02-02 12:00"))
		w.post(action, fields).Is(http.StatusSeeOther)
		fields.Set("name", "Grace B. Okafor")
		w.post(action, fields).Is(http.StatusSeeOther)
		fields.Set("slot", at("02-02 12:00"))
		w.post(action, fields).Is(http.StatusSeeOther)
		if !w.isOpen("/acme/paid", at("02-02 10:00")) || w.isOpen("/acme/paid", at("02-02 12:00")) {
			t.Error("one form holds another time than its last")
		}
		for i, s := range w.stripe.Sessions() {
			w.settle(object{"booking_id": s.Reference})
			if now := w.checkout(object{"booking_id": s.Reference}); (now.Status == "open") != (i == 2) {
				t.Errorf("the checkout of version %d is %s", i, now.Status)
			}
		}
		w.post(action, others).Is(http.StatusConflict) // another guest's form cannot replace it
	})
}

func TestHold_AnAddressThatTheServiceRefusesIsAskedForThere(t *testing.T) {
	w := newSQLiteWorld(t).takesPayments()
	w.stripe.AddFault(stripetest.Fault{Request: "POST /v1/checkout", Status: http.StatusBadRequest, Times: 1})
	if s := w.checkout(w.hold("/acme/paid", at("02-02 10:00"))); s.Email != "" {
		t.Errorf("%+v", s)
	}
}

func TestHold_WhoPressesTwiceWaitsForTheFirst(t *testing.T) {
	w := newSQLiteWorld(t).takesPayments()
	w.stripe.AddFault(stripetest.Fault{Request: "POST /v1/checkout", Status: http.StatusConflict, Times: 1})
	if s := w.checkout(w.hold("/acme/paid", at("02-02 10:00"))); s.Email == "" {
		t.Errorf("%+v", s)
	}
}
