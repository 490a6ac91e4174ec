package mcp

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"slotd"
	"slotd/internal/booking"
	"slotd/internal/money/accounts"
	"slotd/internal/money/ledger"
	"slotd/internal/web/webtest"
)

// hold does what the booking page does when a guest goes to pay.
func (w *world) hold(start string) *slotd.Booking {
	w.T.Helper()
	at, err := time.Parse(time.RFC3339, start)
	w.Must(err)
	page := booking.Page(w.WorkspaceID("acme"))
	guest := slotd.Attendee{Name: "Grace Okafor", Email: "grace@example.com", TimeZone: "Europe/Berlin"}
	b, err := w.Booking.Hold(background, page, booking.Request{EventType: "paid", StartsAt: at, Attendee: guest},
		accounts.Operator)
	w.Must(err)
	return b
}

// pay applies the payment service's statement that the booking was paid.
func (w *world) pay(b *slotd.Booking) {
	w.T.Helper()
	paid := ledger.Entry{Kind: ledger.Paid, Amount: b.Price.AmountCents, Currency: b.Price.Currency,
		Reference: "pi_" + b.ID.String()}
	w.Must(w.Booking.ApplyPayment(background, w.WorkspaceID("acme"), b.ID,
		ledger.Statement{Entries: []ledger.Entry{paid}}))
}

// offers reports whether a server lists the slot. It uses no network, because the second server here has none.
func (w *world) offers(slug, start string) bool {
	w.T.Helper()
	body := webtest.ToolCall("get_availability",
		fmt.Sprintf(`{"workspace":"acme","event_type":%q,"start_date":%q,"days":1}`, slug, start[:10]))
	return slices.Contains(w.direct(w.T, body).Tool(body).OK()["slots"].([]any), any(start))
}

func TestHold_IsNoBookingForTheTools(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		b := w.hold(at("02-02 10:00"))
		for range 2 { // once while it is held, and once after it has expired
			w.cancel(b.ID.String()).Fails(slotd.BookingNotFound)
			w.move(b.ID.String(), at("02-02 12:00")).Fails(slotd.BookingNotFound)
			w.Must(w.Booking.Release(background, booking.Attendee(w.WorkspaceID("acme")), b.ID))
		}
	})
}

// Responses are cached. One from before the end of a hold must not be used after it, although nothing was written.
func TestHold_IsBusyUntilItEndsByTheClock(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		slot := at("02-02 10:00")
		b := w.hold(slot)
		second := *w
		second.Handler = w.newHandler(w.Open()) // loads the snapshot with the hold in it
		wantOffers := func(about string, want bool) {
			t.Helper()
			for _, slug := range []string{"intro", "paid"} {
				for i, server := range []*world{w, &second} {
					if got := server.offers(slug, slot); got != want {
						t.Errorf("%s: server %d offers %s: %v, want %v", about, i, slug, got, want)
					}
				}
			}
		}
		wantOffers("held", false)
		w.create("intro", slot).Fails(slotd.SlotUnavailable, "alternatives")
		w.Clock.Set(b.Hold.Until.Add(-time.Millisecond))
		wantOffers("a moment before its end", false)
		w.Clock.Set(b.Hold.Until)
		wantOffers("at its end", true)
		w.book("intro", slot)
	})
}

func TestPaidBooking_IsMovedAndCanceledLikeAnyOther(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		if !w.offers("paid", at("02-02 10:00")) {
			t.Fatal("a paid event type has no slots")
		}
		b := w.hold(at("02-02 10:00"))
		w.pay(b)
		moved := w.move(b.ID.String(), at("02-02 12:00")).OK()
		if moved["rescheduled"] != true || moved["starts_at"] != at("02-02 12:00") {
			t.Errorf("moved: %v", moved)
		}
		want := object{"canceled": true, "booking_id": b.ID.String(), "event_title": "Consulting",
			"refunded_cents": 5000.0}
		for range 2 { // the second time with the same result
			if got := w.cancel(b.ID.String()).OK(); !reflect.DeepEqual(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		}
		m, err := w.Booking.PaymentState(background, w.WorkspaceID("acme"), b.ID)
		if w.Must(err); m.Ledger.Due() != 5000 || m.Ledger.Total(ledger.RefundRequested) != 5000 {
			t.Errorf("the ledger says %+v", m.Ledger)
		}
		w.move(b.ID.String(), at("02-02 14:00")).Fails(slotd.BookingCanceled)
	})
}
