package mcp

import (
	"fmt"
	"strings"
	"testing"

	"slotd"
	"slotd/internal/identity"
	"slotd/internal/web/webtest"
)

// unknownToken returns a well-formed token that does not exist.
func unknownToken(t *testing.T, w *world) string {
	t.Helper()
	plaintext, token, err := w.services.Tokens.Create(background, w.WorkspaceID("acme"), "gone", slotd.Operator)
	w.Must(err)
	_, err = w.Raw.Exec(fmt.Sprintf("DELETE FROM tokens WHERE id = '%s'", token.ID))
	w.Must(err)
	if !identity.IsToken(plaintext) {
		t.Fatal("not well formed")
	}
	return plaintext
}

func TestUnauthorized_IsOneAndTheSameMessage(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		revoked, token, err := w.services.Tokens.Create(background, w.WorkspaceID("acme"), "old", slotd.Operator)
		w.Must(err)
		w.create("intro", at("02-05 10:00"), "Authorization", "Bearer "+revoked).OK()
		_, err = w.services.Tokens.Revoke(background, w.WorkspaceID("acme"), token.ID, slotd.Operator)
		w.Must(err)
		before := w.Counts()
		last := w.token[len(w.token)-1:]
		flipped := w.token[:len(w.token)-1] + map[bool]string{true: "1", false: "0"}[last == "0"]
		messages := map[string]bool{}
		for _, authorization := range []string{
			"-", "", "Bearer", "Bearer ", w.token, "Basic " + w.token, "Bearer x", "Bearer " + flipped,
			"Bearer " + w.token + "x", "Bearer " + w.token[:40],
			"Bearer " + strings.ToLower(w.token), "Bearer slotd_mcp_", "Bearer " + unknownToken(t, w),
			"Bearer " + revoked, "Bearer " + strings.Repeat("a", 8000),
			"Bearer " + w.token + " " + w.token, "Bearer " + strings.Replace(w.token, "slotd", "SLOTD", 1),
			"Token " + w.token,
		} {
			for tool, arguments := range map[string]string{
				"create_booking":     webtest.BookingArguments("intro", at("02-02 10:00"), "g@example.com"),
				"reschedule_booking": `{"booking_id":"` + nowhere + `","slot_start":"` + at("02-02 10:00") + `"}`,
				"cancel_booking":     `{"wrong":"too"}`, // the token is checked before the arguments
			} {
				e := w.call(tool, arguments, "Authorization", authorization).Fails(slotd.Unauthorized)
				messages[e["message"].(string)] = true
			}
		}
		if len(messages) != 1 {
			t.Errorf("messages %v", messages)
		}
		for message := range messages {
			if !strings.Contains(message, "Authorization") {
				t.Errorf("the header is not named: %s", message)
			}
		}
		if after := w.Counts(); after != before {
			t.Errorf("something was written: %v, %v", before, after)
		}
		w.create("intro", at("02-02 10:00"), "Authorization", "bearer "+w.token).OK()
	})
}

func TestReadTools_IgnoreTheAuthorizationHeader(t *testing.T) {
	w := lite(t)
	for _, authorization := range []string{"-", "Bearer x", "Bearer " + w.token, "Bearer " + w.services.Token("other"),
		"nonsense"} {
		w.call("list_public_event_types", `{"workspace":"acme"}`, "Authorization", authorization).OK()
		w.call("get_availability", `{"workspace":"acme","event_type":"intro"}`, "Authorization", authorization).OK()
		w.post(listTools, "Authorization", authorization).wantResult(t)
	}
}

// TestOrderOfChecks makes calls with several mistakes at once. Each must report the mistake that is checked first.
func TestOrderOfChecks(t *testing.T) {
	w := lite(t)
	past := "2001-01-01T00:00:00Z"
	w.create("secret", past, "Authorization", "Bearer x").Fails(slotd.Unauthorized)
	w.create("Secret!", past).Fails(slotd.InvalidArgument)
	w.create("secret", past).Fails(slotd.EventTypeNotFound)
	w.create("paid", past).Fails(slotd.PaymentRequired, "booking_url")
	w.create("intro", past).Fails(slotd.SlotUnavailable, "alternatives")
	w.move(nowhere, "nonsense").Fails(slotd.InvalidArgument)
	w.move(nowhere, past).Fails(slotd.BookingNotFound)
	w.call("get_availability", `{"workspace":"nobody","event_type":"secret","days":31}`).Fails(slotd.InvalidArgument)
	w.call("get_availability", `{"workspace":"nobody","event_type":"secret"}`).Fails(slotd.WorkspaceNotFound)
}

func TestRevocation_HoldsAtTheNextRequestOnAnotherServer(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.book("intro", at("02-02 10:00"))
		elsewhere := identity.Tokens{DB: w.Open(), Now: w.Clock.Now}
		list, err := elsewhere.List(background, w.WorkspaceID("acme"))
		w.Must(err)
		for _, token := range list {
			found, err := elsewhere.Revoke(background, token.WorkspaceID, token.ID, slotd.Operator)
			if !found || err != nil {
				t.Fatal(found, err)
			}
		}
		w.cancel(id).Fails(slotd.Unauthorized)
	})
}
