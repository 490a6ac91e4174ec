package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"slotd/test/await"
)

func TestJobs_ShowWhatWaitsAndWhatWasGivenUp(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		s := pl.serve(nil, "--smtp", "smtp://127.0.0.1:1")
		id := s.mustBook(pl.token("acme"), "intro", slotIn(3))["booking_id"].(string)
		list := func(args ...string) (lines []jobLine) {
			t.Helper()
			o := pl.run(append([]string{"jobs", "list", "--json"}, args...)...).exits(t, 0)
			if err := json.Unmarshal([]byte(o.out), &lines); err != nil {
				t.Fatalf("%v: %s", err, o.out)
			}
			return lines
		}
		await.True(t, "both mails have failed", func() bool {
			lines := list()
			return len(lines) > 1 && lines[0].Failures > 0 && lines[1].Failures > 0
		})
		lines := list()
		if len(lines) != 4 || lines[0].ID != id+".0.booked.attendee" || lines[0].State != "waiting" ||
			lines[0].Next == "" ||
			!strings.Contains(lines[0].LastError, "127.0.0.1:1") || lines[2].ID != id+".0.reminder.1440" ||
			lines[2].Failures != 0 {
			t.Fatalf("got %+v", lines)
		}
		if failed := list("--failed"); len(failed) != 0 {
			t.Errorf("given up already: %+v", failed)
		}
		pl.run("jobs", "retry", lines[0].ID).exits(t, 1).says(t, "slotd jobs list --failed")
		pl.run("jobs", "retry", "nothing").exits(t, 1).says(t, "slotd jobs list --failed")
		pl.run("jobs", "drop", lines[0].ID).exits(t, 1).says(t, "slotd jobs list --failed")
		pl.run("jobs", "retry").exits(t, 2)
		s.Terminate(t)
		s.Wait(t)

		// Four days later the mails have failed for good, and it is too late for the reminders.
		late := pl.serve(env{"SLOTD_CLOCK_OFFSET": "96h"}, "--smtp", "smtp://127.0.0.1:1")
		await.True(t, "two given up, two dropped",
			func() bool { return len(list("--failed")) == 2 && len(list()) == 2 })
		o := pl.run("jobs", "list", "--failed").exits(t, 0)
		if first, _, _ := strings.Cut(o.out, "\n"); !strings.HasPrefix(first, id+".0.booked.attendee") ||
			!strings.Contains(first, "no more retries") || strings.Contains(o.out, "grace@guest.example") {
			t.Errorf("printed %s", o.out)
		}
		late.Terminate(t)
		late.Wait(t)
		if n := strings.Count(late.Log.String(), "given up"); n != 2 {
			t.Errorf("%d lines in the log: %s", n, late.Log)
		}

		later := env{"SLOTD_CLOCK_OFFSET": "96h"}
		run(t, later, "", append([]string{"jobs", "retry", id + ".0.booked.host"}, pl.flags...)...).exits(t, 0)
		run(t, later, "", append([]string{"jobs", "retry", "all"}, pl.flags...)...).exits(t, 0).prints(t,
			"will be retried: 1")
		pl.serve(later)
		pl.outbox(id + ".0.booked.attendee")
		pl.outbox(id + ".0.booked.host")
		await.True(t, "an empty queue", func() bool { return len(list()) == 0 })
	})
}

func TestJobsDrop_ForgetsWhatWasGivenUp(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		s := pl.serve(nil, "--smtp", "smtp://127.0.0.1:1")
		id := s.mustBook(pl.token("acme"), "walk", slotIn(50))["booking_id"].(string)
		failed := regexp.MustCompile(` [1-9]\d* failures`)
		await.True(t, "both mails have failed", func() bool {
			return len(failed.FindAllString(pl.run("jobs", "list").exits(t, 0).out, -1)) == 2
		})
		s.Terminate(t)
		s.Wait(t)
		pl.serve(env{"SLOTD_CLOCK_OFFSET": "96h"}, "--smtp", "smtp://127.0.0.1:1")
		await.True(t, "two given up", func() bool {
			return strings.Count(pl.run("jobs", "list", "--failed").exits(t, 0).out, "\n") == 2
		})
		pl.run("jobs", "drop", id+".0.booked.attendee").exits(t, 0).prints(t, "dropped: "+id+".0.booked.attendee")
		pl.run("jobs", "drop", id+".0.booked.attendee").exits(t, 1)
		pl.run("jobs", "drop", "all").exits(t, 0).prints(t, "dropped: 1")
		pl.run("jobs", "list", "--failed").exits(t, 0).prints(t)
		if out := pl.run("jobs", "list").exits(t, 0).out; strings.Count(out, ".reminder.") != 2 {
			t.Errorf("the reminders to come are gone: %s", out)
		}
	})
}
