package main

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestApply_ServersOnSQLiteSeeItAtTheirNextRequest(t *testing.T) {
	t.Parallel()
	pl := onSQLite(t)
	pl.mustApply(acme)
	token := pl.token("acme")
	s, second := pl.serve(nil), pl.serve(nil)
	for i := range 20 {
		title := fmt.Sprintf("Title %d", i)
		s.list("acme")
		second.list("acme")
		pl.mustApply(edit(t, acme, "Intro call", title))
		for _, server := range []*process{s, second} {
			if text := server.list("acme"); !strings.Contains(text, title) {
				t.Fatalf("after apply %d: %s", i, text)
			}
		}
		if i%5 == 0 { // the server's own writes must not hide those of other processes
			s.mustBook(token, "intro", slotIn(i+1))
		}
	}
}

func TestApply_ServersOnPostgreSQLSeeItWithinASecond(t *testing.T) {
	t.Parallel()
	pl := onPostgres(t)
	pl.mustApply(acme)
	servers := []*process{pl.serve(nil, "--rate-limit", "off"), pl.serve(nil, "--rate-limit", "off")}
	for i := range 5 {
		title := fmt.Sprintf("Title %d", i)
		for _, s := range servers {
			s.list("acme")
		}
		pl.mustApply(edit(t, acme, "Intro call", title))
		applied := time.Now()
		for _, s := range servers {
			// This is no measure of speed: what was written a second before a request begins, the request sees,
			// however slow the machine is.
			for late := false; !strings.Contains(s.list("acme"), title); late = time.Since(applied) > time.Second {
				if late {
					t.Fatalf("a request a second after apply %d shows the old title", i)
				}
			}
		}
	}
}

func TestApply_ANewWorkspaceIsServedAtOnce(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		s := pl.serve(nil)
		if _, failed := s.call("", "list_public_event_types", `{"workspace":"acme"}`); failed != "workspace_not_found" {
			t.Error(failed)
		}
		pl.mustApply(acme)
		if text := s.list("acme"); !strings.Contains(text, "Intro call") {
			t.Error(text)
		}
	})
}

// The check at write time always sees the current configuration, on both databases.
func TestApply_HoldsForTheNextBookingAtOnce(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		token := pl.token("acme")
		s := pl.serve(nil)
		s.mustBook(token, "intro", slotIn(2))
		closed := edit(t, acme, "    time_zone: UTC\n    weekly:",
			fmt.Sprintf("    time_zone: UTC\n    overrides: {%q: []}\n    weekly:", slotIn(3)[:10]))
		pl.mustApply(closed)
		if text, failed := s.call(token, "create_booking",
			bookingOf("intro", slotIn(3))); failed != "slot_unavailable" {
			t.Errorf("booked on a day that is closed: %s", text)
		}
	})
}
