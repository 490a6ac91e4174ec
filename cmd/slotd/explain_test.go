package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestExplain_PrintsEveryRuleAndExitsZero(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(edit(t, acme, "title: Walk,", "title: Walk, hidden: true,"))
		s := pl.serve(nil)
		id := s.mustBook(pl.token("acme"), "intro", slotIn(3))["booking_id"].(string)
		ask := func(event, at string) (e explanation) {
			t.Helper()
			o := pl.run("explain", "--workspace", "acme", "--event", event, "--at", at, "--json").exits(t, 0)
			if err := json.Unmarshal([]byte(o.out), &e); err != nil {
				t.Fatalf("%v: %s", err, o.out)
			}
			return e
		}
		if e := ask("intro", slotIn(4)); !e.Offered || e.Summary != "Available." || e.StartsAt != slotIn(4) ||
			len(e.Rules) != 10 {
			t.Errorf("%+v", e)
		}
		e := ask("intro", slotIn(3))
		if e.Offered || len(e.Nearest) != 3 || !strings.Contains(e.Summary, "the time is taken: booking "+id) {
			t.Errorf("%+v", e)
		}
		if e := ask("walk", slotIn(4)); e.Offered || e.Summary != "Not available because the event type is hidden." {
			t.Errorf("%+v", e)
		}
		o := pl.run("explain", "--workspace", "acme", "--event", "intro", "--at", slotIn(3)).exits(t, 0)
		if !strings.Contains(o.out, "\nno   busy ") || !strings.Contains(o.out, "\nyes  hours ") ||
			strings.Contains(o.out, "Grace") || strings.Contains(o.out, "guest.example") {
			t.Errorf("printed:\n%s", o.out)
		}
	})
}

func TestExplain_RefusesWhatIsNoQuestion(t *testing.T) {
	t.Parallel()
	pl := onSQLite(t)
	pl.mustApply(acme)
	pl.run("explain", "--workspace", "acme", "--event", "intro").exits(t, 2).says(t, "--at is required")
	pl.run("explain", "--workspace", "acme", "--event", "intro", "--at", "2027-01-04T09:00").exits(t, 2).says(t,
		"--at has no offset")
	pl.run("explain", "--workspace", "acme", "--event", "nothing", "--at", slotIn(3)).exits(t, 1).says(t,
		"no event type")
	pl.run("explain", "--workspace", "nobody", "--event", "intro", "--at", slotIn(3)).exits(t, 1).says(t,
		"no workspace")
}
