package mcp

import (
	"fmt"
	"strings"
	"testing"

	"slotd"
	"slotd/internal/identity"
)

// unknownToken returns a well-formed token that does not exist.
func unknownToken(t *testing.T, w *world) string {
	t.Helper()
	plaintext, token, err := w.tokens.Create(background, w.workspaceID("acme"), "gone", identity.Operator)
	w.must(err)
	_, err = w.raw.Exec(fmt.Sprintf("DELETE FROM tokens WHERE id = '%s'", token.ID))
	w.must(err)
	if !identity.IsToken(plaintext) {
		t.Fatal("not well formed")
	}
	return plaintext
}

func TestUnauthorized_IsOneAndTheSameMessage(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		revoked, token, err := w.tokens.Create(background, w.workspaceID("acme"), "old", identity.Operator)
		w.must(err)
		w.create("intro", at("02-05 10:00"), "Authorization", "Bearer "+revoked).ok()
		_, err = w.tokens.Revoke(background, w.workspaceID("acme"), token.ID, identity.Operator)
		w.must(err)
		before := w.counts()
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
				"create_booking":     createArguments("intro", at("02-02 10:00"), "g@example.com"),
				"reschedule_booking": `{"booking_id":"` + nowhere + `","slot_start":"` + at("02-02 10:00") + `"}`,
				"cancel_booking":     `{"wrong":"too"}`, // the token is checked before the arguments
			} {
				e := w.call(tool, arguments, "Authorization", authorization).fails(slotd.Unauthorized)
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
		if after := w.counts(); after != before {
			t.Errorf("something was written: %v, %v", before, after)
		}
		w.create("intro", at("02-02 10:00"), "Authorization", "bearer "+w.token).ok()
	})
}

func TestReadTools_IgnoreTheAuthorizationHeader(t *testing.T) {
	w := lite(t)
	for _, authorization := range []string{"-", "Bearer x", "Bearer " + w.token, "Bearer " + w.mint("other"),
		"nonsense"} {
		w.call("list_public_event_types", `{"workspace":"acme"}`, "Authorization", authorization).ok()
		w.call("get_availability", `{"workspace":"acme","event_type":"intro"}`, "Authorization", authorization).ok()
		w.post(listTools, "Authorization", authorization).wantResult(t)
	}
}

// TestOrderOfChecks makes calls with several mistakes at once. Each must report the mistake that is checked first.
func TestOrderOfChecks(t *testing.T) {
	w := lite(t)
	past := "2001-01-01T00:00:00Z"
	w.create("secret", past, "Authorization", "Bearer x").fails(slotd.Unauthorized)
	w.create("Secret!", past).fails(slotd.InvalidArgument)
	w.create("secret", past).fails(slotd.EventTypeNotFound)
	w.create("paid", past).fails(slotd.PaymentRequired, "booking_url")
	w.create("intro", past).fails(slotd.SlotUnavailable, "alternatives")
	w.move(nowhere, "nonsense").fails(slotd.InvalidArgument)
	w.move(nowhere, past).fails(slotd.BookingNotFound)
	w.call("get_availability", `{"workspace":"nobody","event_type":"secret","days":31}`).fails(slotd.InvalidArgument)
	w.call("get_availability", `{"workspace":"nobody","event_type":"secret"}`).fails(slotd.WorkspaceNotFound)
}

func TestRevocation_HoldsAtTheNextRequestOnAnotherServer(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.book("intro", at("02-02 10:00"))
		elsewhere := identity.Tokens{DB: w.openAgain(), Now: w.clock.Now}
		list, err := elsewhere.List(background, w.workspaceID("acme"))
		w.must(err)
		for _, token := range list {
			found, err := elsewhere.Revoke(background, token.WorkspaceID, token.ID, identity.Operator)
			if !found || err != nil {
				t.Fatal(found, err)
			}
		}
		w.cancel(id).fails(slotd.Unauthorized)
	})
}
