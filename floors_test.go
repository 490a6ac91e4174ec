package slotd_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
)

// floors say which rooms may stand on which: imports go down only, never sideways. A room that is
// not listed fails the test, so that every new one gets a floor.
var floors = [][]string{
	{"internal/availability/zone", "internal/lib/strictjson", "internal/mcp/bridge", "internal/lib/limit",
		"internal/mail/invite", "internal/lib/color", "internal/lib/coalesce", "internal/lib/safehttp",
		"internal/lib/seal", "internal/money/ledger"},
	{"internal/availability/slots", "internal/availability/when", "internal/money/stripe",
		"internal/availability/holidays"},
	{"", "internal/calendar", "internal/calendar/ical", "internal/store/sqlcgen"},
	{"internal/money", "internal/store", "internal/calendar/caldav", "internal/calendar/feed", "internal/calendar/oauth"},
	{"internal/mail", "internal/identity/links", "internal/availability/snapshot", "internal/jobs",
		"internal/store/testdb", "internal/calendar/google", "internal/calendar/microsoft"},
	{"internal/identity"},
	{"internal/workspace", "internal/mail/delivery", "internal/calendar/davtest", "internal/calendar/cloudtest",
		"internal/money/stripe/stripetest"},
	{"internal/calendar/calsync", "internal/money/accounts"},
	{"internal/booking", "internal/doctor", "internal/web/kit"},
	{"internal/booking/records"},
	{"internal/workspace/file", "internal/mcp", "internal/worker", "internal/web/public", "internal/web/hooks"},
	{"internal/web/owner"},
	{"internal/server"},
	{"cmd/slotd", "test/bench", "test/browser", "test/calendars", "test/clients", "test/load", "test/payments"},
}

func TestImportsGoDownOnly(t *testing.T) {
	floor := map[string]int{}
	for i, rooms := range floors {
		for _, room := range rooms {
			floor[strings.TrimSuffix("slotd/"+room, "/")] = i
		}
	}
	for _, p := range packages(t) {
		at, ok := floor[p.ImportPath]
		if !ok {
			t.Errorf("%s has no floor: give it one in this test", p.ImportPath)
		}
		for _, i := range p.Imports {
			below, ours := floor[i]
			if ours && below >= at {
				t.Errorf("%s imports %s, which is not below it", p.ImportPath, i)
			}
		}
	}
}

type goPackage struct {
	ImportPath string
	Imports    []string
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []goPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p goPackage
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) < 15 {
		t.Fatalf("go list found only %d packages", len(all))
	}
	return all
}
