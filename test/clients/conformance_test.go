package clients

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"slotd/test/await"
)

const conformance = "node_modules/@modelcontextprotocol/conformance/dist/index.js"

// The suite supports a list of expected failures itself, but that list ignores checks that a revision does not score
// and checks that no longer run. This test collects the failures and warnings of every check. It fails if a check fails
// that is not listed, and if a listed one does not fail.
func TestConformance(t *testing.T) {
	t.Parallel()
	needNPM(t)
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			p, expected := startProgram(t), expectedFailures(t, revision)
			var failed map[string]string
			await.True(t, "the suite runs without a timeout of its own", func() bool {
				results := t.TempDir()
				r := runNode(t, conformance, "server", "--url", p.endpoint, "--requirements", revision, "--output-dir",
					results)
				failed = failedChecks(t, r, results)
				return !timedOut(failed, expected)
			})
			for _, check := range slices.Sorted(maps.Keys(failed)) {
				if _, ok := expected[check]; !ok {
					t.Errorf("%s fails: %s", check, failed[check])
				}
			}
			for _, check := range slices.Sorted(maps.Keys(expected)) {
				if _, ok := failed[check]; !ok {
					t.Errorf("%s stands in expected-failures.txt but does not fail (any more)", check)
				}
			}
		})
	}
}

// timedOut reports whether a check failed because the suite gave up: it waits for five seconds, and busy machines may
// need more.
func timedOut(failed, expected map[string]string) bool {
	for check, message := range failed {
		if _, ok := expected[check]; !ok && timeoutMessage.MatchString(message) {
			return true
		}
	}
	return false
}

var timeoutMessage = regexp.MustCompile(`(?i)timeout|timed out|aborted`)

var scenarioLine = regexp.MustCompile(`(?m)^=== Running scenario: (\S+) ===$`)

// failedChecks returns the messages of failed checks by "scenario check". A scenario that ran but left no checks fails
// the test.
func failedChecks(t *testing.T, r nodeResult, results string) map[string]string {
	t.Helper()
	failed := map[string]string{}
	scenarios := scenarioLine.FindAllStringSubmatch(r.stdout, -1)
	if len(scenarios) == 0 {
		t.Fatalf("no scenario ran: %v\n%s%s", r.err, r.stdout, r.stderr)
	}
	passed := 0
	for _, s := range scenarios {
		for _, check := range checksOf(t, s[1], results) {
			switch check.Status {
			case "FAILURE", "WARNING":
				failed[s[1]+" "+check.ID] = check.ErrorMessage
			case "SUCCESS":
				passed++
			}
		}
	}
	t.Logf("%d scenarios: %d checks passed, %d failed", len(scenarios), passed, len(failed))
	return failed
}

type conformanceCheck struct{ ID, Status, ErrorMessage string }

func checksOf(t *testing.T, scenario, results string) (checks []conformanceCheck) {
	t.Helper()
	// The directory is called server-<scenario>-<time>.
	files, err := filepath.Glob(filepath.Join(results, "server-"+scenario+"-2*", "checks.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("scenario %s left %d results", scenario, len(files))
	}
	text, err := os.ReadFile(files[0])
	if err == nil {
		err = json.Unmarshal(text, &checks)
	}
	if err != nil {
		t.Fatalf("the result of %s: %v", scenario, err)
	}
	return checks
}

// expectedFailures returns the reasons of expected failures, also by "scenario check".
func expectedFailures(t *testing.T, revision string) map[string]string {
	t.Helper()
	text, err := os.ReadFile("npm/expected-failures.txt")
	if err != nil {
		t.Fatal(err)
	}
	expected := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) < 4 {
			t.Fatalf("a line of expected-failures.txt lacks its reason: %s", line)
		}
		if fields[0] == revision {
			expected[fields[1]+" "+fields[2]] = strings.Join(fields[3:], " ")
		}
	}
	return expected
}
