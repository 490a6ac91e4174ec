package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"slotd/internal/doctor"
	"slotd/internal/lib/say"
	"slotd/test/await"
)

func TestDoctor_LooksAtARunningServer(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		pl.mustApply(other)
		pl.serve(nil)
		wanted := []*regexp.Regexp{
			regexp.MustCompile(`^ok      base URL: http://127\.0\.0\.1:`),
			regexp.MustCompile(`\nwarn    HTTPS: `), regexp.MustCompile(`\nwarn    mail: Emails aren't sent`),
			regexp.MustCompile(`\nok      calendars of acme: `), regexp.MustCompile(`\nok      payments of other: `),
			regexp.MustCompile(`\n(ok      clock: The clock agrees with the database server's|` +
				`unknown clock: There is no other clock)`),
		}
		// The doctor gives the server three seconds, so on a busy machine it may have to look again.
		var o outcome
		defer func() {
			if t.Failed() {
				t.Logf("exit %d:\n%s%s", o.exit, o.out, o.err)
			}
		}()
		await.True(t, "the doctor finds everything as it is", func() bool {
			o = pl.run("doctor")
			return o.exit == 0 && !slices.ContainsFunc(wanted, func(line *regexp.Regexp) bool {
				return !line.MatchString(o.out)
			})
		})
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
	states := map[say.Sentence]doctor.State{}
	for _, c := range checks {
		states[c.Name] = c.State
	}
	for name, state := range map[say.Sentence]doctor.State{
		"base URL": "warn", "mail": "fail", "calendars of acme": "fail", "payments of acme": "warn", "stripe": "warn",
		"rate limits": "warn", "clock offset": "warn", "sign-up": "ok", "late jobs": "fail",
	} {
		if states[name] != state {
			t.Errorf("%s is %q, want %s", name, states[name], state)
		}
	}
	if strings.Contains(o.out+o.err, "s3cr3t") || strings.Contains(o.out, pl.Data) {
		t.Errorf("printed %s %s", o.out, o.err)
	}
	pl.run("doctor", "--rate-limit", "maybe").exits(t, 2)
}
