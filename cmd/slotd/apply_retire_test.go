package main

import (
	"fmt"
	"strings"
	"testing"

	"slotd/test/await"
)

const everything = "SELECT id || '|' || state || '|' || starts_at || '|' || event_title || '|' || location || '|' || " +
	"attendee_email || '|' || event_type_id || '|' || sequence FROM bookings ORDER BY id"

func TestApply_ARetiredEventTypeKeepsItsBookingsAndIsRevivedByItsSlug(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		token := pl.token("acme")
		s := pl.serve(nil)
		id := s.mustBook(token, "walk", slotIn(3))["booking_id"]
		bookings, tokens := pl.rows(everything),
			pl.rows("SELECT id || name || last_four || created_at || revoked_at FROM tokens")

		pl.mustApply(edit(t, acme, walk, "", "name: Ada Park", "name: Ada P.")).prints(t,
			`host name: "Ada Park" → "Ada P."`, "event type walk: retired")
		pl.wantSame("bookings", pl.rows(everything), bookings)
		pl.wantSame("tokens", pl.rows("SELECT id || name || last_four || created_at || revoked_at FROM tokens"), tokens)
		await.True(t, "walk is not offered", func() bool { return !strings.Contains(s.list("acme"), "walk") })
		if text, failed := s.call("", "get_availability",
			`{"workspace":"acme","event_type":"walk"}`); failed != "event_type_not_found" {
			t.Error(text)
		}
		if text, failed := s.call(token, "create_booking",
			bookingOf("walk", slotIn(4))); failed != "event_type_not_found" {
			t.Error(text)
		}
		if text, failed := s.call(token, "reschedule_booking",
			fmt.Sprintf(`{"booking_id":%q,"slot_start":%q}`, id, slotIn(5))); failed != "" {
			t.Errorf("a retired event type's booking cannot be moved: %s", text)
		}
		if strings.Contains(pl.export("acme"), "slug: walk") {
			t.Error("export shows what is retired")
		}

		pl.mustApply(edit(t, acme, "name: Ada Park", "name: Ada P.")).prints(t, "event type walk: revived")
		await.True(t, "walk is offered again", func() bool { return strings.Contains(s.list("acme"), "walk") })
		if text, failed := s.call(token, "reschedule_booking",
			fmt.Sprintf(`{"booking_id":%q,"slot_start":%q}`, id, slotIn(6))); failed != "" {
			t.Error(text)
		}
		if text, failed := s.call(token, "cancel_booking", fmt.Sprintf(`{"booking_id":%q}`, id)); failed != "" {
			t.Error(text)
		}
	})
}

func TestApply_AScheduleThatARetiredBookingNeedsMustStay(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		token := pl.token("acme")
		s := pl.serve(nil)
		id := s.mustBook(token, "walk", slotIn(3))["booking_id"]
		lines := strings.SplitAfter(acme, "\n")
		without := strings.Join(append(append([]string{}, lines[:6]...), lines[9], lines[10]), "")

		exported := pl.export("acme")
		before := pl.versions()
		pl.apply(without).exits(t, 1).says(t, "“second”", "“walk”")
		pl.apply(without, "--dry-run").exits(t, 1).says(t, "“second”")
		pl.wantSame("versions", pl.versions(), before)
		pl.wantSame("workspace", pl.export("acme"), exported)

		// No booking can be moved any more, so the schedule may be removed. The rest still works.
		if text, failed := s.call(token, "cancel_booking", fmt.Sprintf(`{"booking_id":%q}`, id)); failed != "" {
			t.Fatal(text)
		}
		pl.apply(without).exits(t, 0).prints(t, "schedule second: removed", "event type walk: retired")
		pl.apply(without).exits(t, 0).prints(t, "nothing changed")
		await.True(t, "walk is not offered", func() bool { return !strings.Contains(s.list("acme"), "walk") })
		s.mustBook(token, "intro", slotIn(3))
		if text, failed := s.call(token, "reschedule_booking",
			fmt.Sprintf(`{"booking_id":%q,"slot_start":%q}`, id, slotIn(5))); failed != "booking_canceled" {
			t.Error(text)
		}
		pl.mustApply(pl.export("acme")).prints(t, "nothing changed")
		pl.mustApply(acme)
	})
}

func TestApply_NewOrderIsTheListsOrder(t *testing.T) {
	pl := onSQLite(t)
	pl.mustApply(acme)
	s := pl.serve(nil)
	if text := s.list("acme"); strings.Index(text, `"intro"`) > strings.Index(text, `"walk"`) {
		t.Error(text)
	}
	turned := edit(t, edit(t, acme, walk, ""), "event_types:\n", "event_types:\n"+walk)
	pl.mustApply(turned).prints(t, "event types: new order: walk, intro")
	if text := s.list("acme"); strings.Index(text, `"intro"`) < strings.Index(text, `"walk"`) {
		t.Error(text)
	}
}
