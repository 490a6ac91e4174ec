package main

import (
	"encoding/json"
	"strings"
	"testing"

	"slotd/internal/doctor"
)

func TestDoctor_LooksAtARunningServer(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		pl.mustApply(other)
		pl.serve(nil)
		o := pl.run("doctor").exits(t, 0)
		for _, line := range []string{"\nwarn    HTTPS: ", "\nwarn    mail: Mails are not sent",
			"\nok      calendars of acme: ", "\nok      payments of other: "} {
			if !strings.Contains("\n"+o.out, line) {
				t.Errorf("no %q in\n%s", line, o.out)
			}
		}
		if !strings.Contains(o.out, "\nok      clock: The clock agrees with the database server's") &&
			!strings.Contains(o.out, "\nunknown clock: There is no other clock") {
			t.Errorf("no clock in\n%s", o.out)
		}
		if !strings.HasPrefix(o.out, "ok      base URL: http://127.0.0.1:") {
			t.Errorf("printed:\n%s", o.out)
		}
	})
}

func TestDoctor_ExitsOneIfSomethingFails(t *testing.T) {
	t.Parallel()
	pl := onSQLite(t)
	pl.run("doctor").exits(t, 1).says(t, "there is no database")
	pl.mustApply(edit(t, acme, "event_types:",
		"calendars:\n  - {name: office, type: ics, url: \"https://club.example/x.ics\"}\nevent_types:", "title: Walk,",
		"title: Walk, price: {amount_cents: 5000, currency: usd},"))
	o := run(t, env{"SLOTD_CLOCK_OFFSET": "1h"}, "",
		append([]string{"doctor", "--json", "--smtp", "smtp://u:s3cr3t@127.0.0.1:1", "--stripe-key", "sk_test_s3cr3t",
			"--base-url", "http://127.0.0.1:1", "--signup", "open", "--rate-limit", "off"}, pl.flags...)...).exits(t, 1)
	var checks []doctor.Check
	if err := json.Unmarshal([]byte(o.out), &checks); err != nil {
		t.Fatalf("%v: %s", err, o.out)
	}
	states := map[string]doctor.State{}
	for _, c := range checks {
		states[c.Name] = c.State
	}
	for name, state := range map[string]doctor.State{
		"base URL": "warn", "mail": "fail", "calendars of acme": "fail", "payments of acme": "warn", "stripe": "warn",
		"rate limits": "warn", "clock offset": "warn", "sign-up": "ok", "late jobs": "fail",
	} {
		if states[name] != state {
			t.Errorf("%s is %q, want %s", name, states[name], state)
		}
	}
	if strings.Contains(o.out+o.err, "s3cr3t") || strings.Contains(o.out, pl.data) {
		t.Errorf("printed %s %s", o.out, o.err)
	}
	pl.run("doctor", "--rate-limit", "maybe").exits(t, 2)
}
