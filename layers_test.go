package slotd_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// layers lists the packages from the bottom layer to the top. A package may import only packages of lower
// layers, never one of its own layer. A package that is not listed fails the test, so every new one gets a layer.
var layers = [][]string{
	{"internal/availability/zone", "internal/lib/strictjson", "internal/mcp/bridge", "internal/lib/limit",
		"internal/mail/invite", "internal/lib/color", "internal/lib/coalesce",
		"internal/lib/seal", "internal/lib/say", "internal/lib/cputest", "internal/identity/passkeytest",
		"test/await", "test/npmfile", "test/race"},
	{"internal/availability/slots", "internal/availability/when", "internal/availability/holidays",
		"internal/lib/safehttp", "test/process"},
	{"", "internal/calendar", "internal/store/sqlcgen"},
	{"internal/money/ledger", "internal/calendar/ical"},
	{"internal/money/stripe"},
	{"internal/money", "internal/store", "internal/calendar/caldav", "internal/calendar/feed",
		"internal/calendar/oauth"},
	{"internal/mail", "internal/identity/links", "internal/availability/snapshot", "internal/jobs",
		"internal/store/testdb", "internal/calendar/google", "internal/calendar/microsoft"},
	{"internal/identity"},
	{"internal/workspace", "internal/mail/delivery", "internal/calendar/davtest", "internal/calendar/cloudtest",
		"internal/money/stripe/stripetest", "internal/money/accounts"},
	{"internal/calendar/calsync", "internal/workspace/file", "internal/workspace/fieldtest"},
	{"internal/booking", "internal/doctor", "internal/web/kit"},
	{"internal/booking/records"},
	{"internal/mcp", "internal/worker", "internal/web/public", "internal/web/hooks"},
	{"internal/web/owner/page", "test/worlds"},
	{"internal/web/owner/inputs"},
	{"internal/web/owner/access", "internal/web/owner/agents", "internal/web/owner/bookings",
		"internal/web/owner/branding", "internal/web/owner/calendars", "internal/web/owner/eventtypes",
		"internal/web/owner/health", "internal/web/owner/hours", "internal/web/owner/mail", "internal/web/owner/money",
		"internal/booking/bookingtest"},
	{"internal/web/owner/setup", "internal/web/webtest"},
	{"internal/web/owner"},
	{"internal/cli", "internal/server", "internal/web"},
	{"test/harness"},
	{"cmd/slotd", "test/bench", "test/browser", "test/calendars", "test/clients", "test/load", "test/mutate",
		"test/payments", "test/sentences"},
}

func TestImportsGoDownOnly(t *testing.T) {
	layerOf := map[string]int{}
	for i, paths := range layers {
		for _, path := range paths {
			layerOf[strings.TrimSuffix("slotd/"+path, "/")] = i
		}
	}
	for _, p := range packages(t) {
		layer, ok := layerOf[p.ImportPath]
		if !ok {
			t.Errorf("%s has no layer: give it one in this test", p.ImportPath)
		}
		for _, imported := range p.Imports {
			importedLayer, ours := layerOf[imported]
			if ours && importedLayer >= layer {
				t.Errorf("%s imports %s, which is not below it", p.ImportPath, imported)
			}
		}
	}
}

type goPackage struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports", "./...").Output()
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

// Pages decide nothing about the database: they ask the packages that do. They do no jobs either.
func TestPagesWriteNoSQL(t *testing.T) {
	for _, p := range packages(t) {
		if !strings.HasPrefix(p.ImportPath, "slotd/internal/web/") {
			continue
		}
		for _, i := range p.Imports {
			if i == "slotd/internal/store/sqlcgen" || i == "slotd/internal/worker" {
				t.Errorf("%s imports %s", p.ImportPath, i)
			}
		}
	}
}

// A package that grows beyond this holds two things. Generated code is not read, so it may be as long as it likes.
func TestPackagesStaySmall(t *testing.T) {
	const maxFiles, maxLines, maxFileLines = 25, 3000, 400
	for _, p := range packages(t) {
		if strings.HasSuffix(p.ImportPath, "/sqlcgen") {
			continue
		}
		total := 0
		for _, name := range p.GoFiles {
			text, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Count(string(text), "\n")
			total += lines
			if lines > maxFileLines {
				t.Errorf("%s/%s has %d lines", p.ImportPath, name, lines)
			}
		}
		if len(p.GoFiles) > maxFiles || total > maxLines {
			t.Errorf("%s has %d files and %d lines", p.ImportPath, len(p.GoFiles), total)
		}
	}
}
