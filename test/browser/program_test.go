package browser

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"slotd/internal/store/testdb"
)

// program is a running slotd.
type program struct {
	url   string // without a trailing slash
	token string // of the workspace
	data  string // data directory; mails are written to its outbox directory

	stdout      string // standard output until it was ready
	binary      string
	clockOffset time.Duration // offset of its clock
}

// start applies the workspace file to an empty database and serves it until the test ends.
func start(t *testing.T, workspace string, flags ...string) *program {
	t.Helper()
	return startAt(t, time.Now(), workspace, flags...)
}

// startAt is like start, with a server clock that shows now. The browser's clock does not change.
func startAt(t *testing.T, now time.Time, workspace string, flags ...string) *program {
	t.Helper()
	binary, err := slotdBinary()
	if err != nil {
		t.Fatal(err)
	}
	p := &program{data: t.TempDir(), binary: binary, clockOffset: time.Until(now).Round(time.Second)}
	p.command(t, workspace, "apply", "-f", "-")
	p.token = p.command(t, "", "token", "create", "--workspace", slugOf(t, workspace), "--name", "browser")
	p.serve(t, flags)
	return p
}

func slugOf(t *testing.T, workspace string) string {
	t.Helper()
	var file struct {
		Workspace struct{ Slug string }
	}
	if err := yaml.Unmarshal([]byte(workspace), &file); err != nil {
		t.Fatal(err)
	}
	return file.Workspace.Slug
}

// command runs a slotd command on the server's data and returns what it prints.
func (p *program) command(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	cmd := p.exec(args)
	cmd.Stdin = strings.NewReader(stdin)
	var log bytes.Buffer
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("slotd %s: %v\n%s", strings.Join(args, " "), err, &log)
	}
	return strings.TrimSpace(string(out))
}

func (p *program) exec(args []string) *exec.Cmd {
	cmd := exec.Command(p.binary, append(args, "--data", p.data)...)
	cmd.Env = append(environmentWithoutSlotd(), "SLOTD_CLOCK_OFFSET="+p.clockOffset.String())
	return cmd
}

// environmentWithoutSlotd returns the environment without the slotd settings of the person who runs the tests.
func environmentWithoutSlotd() (env []string) {
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "SLOTD_") {
			env = append(env, e)
		}
	}
	return env
}

// serve starts the server on a free port, for which {port} in a flag stands.
func (p *program) serve(t *testing.T, flags []string) {
	t.Helper()
	addr := testdb.FreeAddr(t)
	p.url = "http://" + addr
	for i := range flags {
		flags[i] = strings.ReplaceAll(flags[i], "{port}", addr[strings.LastIndex(addr, ":")+1:])
	}
	cmd := p.exec(append([]string{"serve", "--listen", addr, "--rate-limit", "off"}, flags...))
	var log bytes.Buffer                                         // complete once the server has exited
	stdout, err := os.Create(filepath.Join(t.TempDir(), "said")) // a file, which can be read at once
	must(t, err)
	defer stdout.Close()
	cmd.Stderr, cmd.Stdout = &log, stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Logf("slotd said:\n%s", &log)
		}
	})
	p.awaitReady(t)
	text, err := os.ReadFile(stdout.Name())
	must(t, err)
	p.stdout = string(text)
}

func (p *program) awaitReady(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(timeout); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if r, err := http.Get(p.url + "/readyz"); err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return
			}
		}
	}
	t.Fatalf("slotd is not ready after %v", timeout)
}
