package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"slotd/test/await"
)

func TestWorkspaceList_ShowsOwnersAndWhatIsToCome(t *testing.T) {
	t.Parallel()
	pl := onSQLite(t)
	pl.mustApply(other)
	pl.mustApply(acme)
	s := pl.serve(nil)
	s.mustBook(pl.token("acme"), "intro", slotIn(3))
	pl.run("workspace", "list").exits(t, 0).prints(t,
		"acme   Acme Inc  0 owners  1 upcoming booking",
		"other  Other     0 owners  0 upcoming bookings")
	var lines []workspaceLine
	if err := json.Unmarshal([]byte(pl.run("workspace", "list", "--json").exits(t, 0).out), &lines); err != nil ||
		len(lines) != 2 || lines[0].ToCome != 1 {
		t.Errorf("%v %v", lines, err)
	}
	onSQLite(t).run("workspace", "list").exits(t, 1).says(t, "no database")
}

func TestWorkspaceDelete_AsksForTheSlugAgain(t *testing.T) {
	t.Parallel()
	pl := onSQLite(t)
	pl.mustApply(acme)
	for _, typed := range []string{"", "\n", "other\n", "acme2\n", "y\n"} {
		run(t, nil, typed, append([]string{"workspace", "delete", "acme"}, pl.flags...)...).exits(t, 1).says(t,
			"nothing was")
	}
	pl.run("workspace", "delete", "acme", "--confirm", "other").exits(t, 1).says(t, "nothing was deleted")
	pl.run("workspace", "delete").exits(t, 2)
	pl.run("workspace", "delete", "nobody", "--confirm", "nobody").exits(t, 1).says(t, "no workspace")
	pl.export("acme") // the workspace exists
	run(t, nil, "acme\n", append([]string{"workspace", "delete", "acme"}, pl.flags...)...).exits(t, 0).says(t,
		"permanently deletes").prints(t, "deleted acme")
	pl.run("export", "--workspace", "acme").exits(t, 1)
}

func TestWorkspaceDelete_ServersThatRunSay404(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		pl.mustApply(other)
		s := pl.serve(nil)
		token := pl.token("acme")
		booked := s.mustBook(token, "intro", slotIn(3))
		link := pl.run("user", "add", "--workspace", "acme", "--email", "ada@acme.example").exits(t, 0).out
		before := pl.export("other")
		pl.run("workspace", "delete", "--confirm", "acme", "acme").exits(t, 0).prints(t, "deleted acme")
		status := func(path string) int { status, _, _ := s.ask("GET", path, ""); return status }
		await.True(t, "the booking page is gone", func() bool { return status("/acme") == http.StatusNotFound })
		if got := status(strings.TrimPrefix(booked["cancel_url"].(string), s.url)); got != http.StatusNotFound {
			t.Errorf("the attendee's link: %d", got)
		}
		if got := status(strings.TrimSpace(strings.TrimPrefix(link, s.url))); got != http.StatusForbidden {
			t.Errorf("the owner's link: %d", got)
		}
		if _, failed := s.call(token, "create_booking", bookingOf("intro", slotIn(4))); failed != "unauthorized" {
			t.Errorf("its token: %q", failed)
		}
		pl.mustApply(edit(t, acme, "Intro call", "Another call"))
		await.True(t, "the next one of that name is seen", func() bool {
			text, failed := s.call("", "list_public_event_types", `{"workspace":"acme"}`)
			return failed == "" && strings.Contains(text, "Another call")
		})
		if pl.export("other") != before {
			t.Error("the other workspace has changed")
		}
	})
}
