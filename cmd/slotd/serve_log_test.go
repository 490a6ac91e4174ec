package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"slotd/internal/web/webtest"
)

func TestLog_HoldsRoutesAndNobodysSecrets(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		t.Run(format, func(t *testing.T) {
			eachDB(t, func(t *testing.T, pl *deployment) {
				pl.mustApply(acme)
				token := pl.token("acme")
				s := pl.serve(nil, "--log-level", "debug", "--log-format", format)
				booked := s.mustBook(token, "intro", slotIn(2))
				id := booked["booking_id"].(string)
				cancel, move := booked["cancel_url"].(string), booked["reschedule_url"].(string)
				s.call(token, "create_booking", bookingOf("intro", slotIn(2)))
				s.call(token, "create_booking",
					strings.Replace(bookingOf("intro", slotIn(2)), "grace@guest.example", "grace@guest.example://", 1))
				s.call(token+"x", "cancel_booking", fmt.Sprintf(`{"booking_id":%q}`, id))
				s.call(token, "reschedule_booking", fmt.Sprintf(`{"booking_id":%q,"slot_start":%q}`, id, slotIn(3)))
				s.call(token, "cancel_booking", fmt.Sprintf(`{"booking_id":%q}`, id))
				s.ask("POST", "/api/mcp", webtest.ToolCall("create_booking", bookingOf("intro", slotIn(4))), "Content-Type",
					"application/json", "Authorization", "Bearer "+token, "Idempotency-Key", "a-key-of-mine")
				s.ask("POST", "/api/mcp", "{"+bookingOf("intro", slotIn(4)), "Content-Type", "application/json")
				for _, link := range []string{cancel, move} {
					for _, more := range []string{"", "/", "?a;b"} {
						s.ask("GET", strings.TrimPrefix(link, s.url)+more, "")
					}
				}
				s.ask("GET", "/healthz?token="+token, "")
				s.ask("GET", "/readyz", "")

				s.Terminate(t) // a request may be logged after its response
				s.Wait(t)
				log := s.Log.String()
				for _, route := range []string{"/api/mcp", "GET /healthz", "GET /readyz"} {
					if !strings.Contains(log, route) {
						t.Errorf("no line of %s:\n%s", route, log)
					}
				}
				for what, secret := range map[string]string{
					"the token": token[:30], "the token's end": token[30:], "the name": "Okafor",
					"the e-mail address": "grace", "the notes": "knows Bo", "the zone": "Lagos",
					"the key":             "a-key-of-mine",
					"the cancel link":     cancel[strings.LastIndexByte(cancel, '/')+1:],
					"the reschedule link": move[strings.LastIndexByte(move, '/')+1:],
					"a link's path":       strings.TrimPrefix(cancel, s.url)[:len("/b/cancel/")+4],
				} {
					if strings.Contains(strings.ToLower(log), strings.ToLower(secret)) {
						t.Errorf("%s is in the log:\n%s", what, log)
					}
				}
				if format == "json" {
					for _, line := range strings.Split(strings.TrimSpace(log), "\n") {
						if !json.Valid([]byte(line)) {
							t.Errorf("no JSON: %s", line)
						}
					}
				}
			})
		})
	}
}

func TestLog_NamesRequestsAtDebugOnly(t *testing.T) {
	t.Parallel()
	s := onSQLite(t).serve(nil)
	s.ask("GET", "/healthz", "")
	s.ask("GET", "/nowhere", "")
	s.Terminate(t)
	s.Wait(t)
	if log := s.Log.String(); strings.Contains(log, "healthz") || strings.Contains(log, "status=404") {
		t.Error(log)
	}
	quiet := start(t, nil, "serve", "--listen", "127.0.0.1:0", "--data", t.TempDir(), "--log-level", "error",
		"--metrics-listen", "127.0.0.1:99999")
	quiet.Wait(t)
	if log := quiet.Log.String(); strings.Contains(log, "level=INFO") {
		t.Error(log)
	}
}
