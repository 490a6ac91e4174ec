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
	url   string // without a slash at the end
	token string // of the workspace
	data  string // its directory; mails land in outbox below it

	said   string // what it prints before it is ready
	binary string
	ahead  time.Duration // how far its clock is moved
}

// start applies the workspace file to an empty database and serves it until the test ends.
func start(t *testing.T, workspace string, flags ...string) *program {
	t.Helper()
	return startAt(t, time.Now(), workspace, flags...)
}

// startAt is start with a clock that shows now. The browser's own clock is not moved.
func startAt(t *testing.T, now time.Time, workspace string, flags ...string) *program {
	t.Helper()
	binary, err := slotdBinary()
	if err != nil {
		t.Fatal(err)
	}
	p := &program{data: t.TempDir(), binary: binary, ahead: time.Until(now).Round(time.Second)}
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

// command runs slotd beside the server, on the same data, and gives what it prints.
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
	cmd.Env = append(environmentWithoutSlotd(), "SLOTD_CLOCK_OFFSET="+p.ahead.String())
	return cmd
}

// environmentWithoutSlotd keeps the settings of whoever runs the tests out of them.
func environmentWithoutSlotd() (env []string) {
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "SLOTD_") {
			env = append(env, e)
		}
	}
	return env
}

// serve takes a free port; {port} in a flag stands for it.
func (p *program) serve(t *testing.T, flags []string) {
	t.Helper()
	addr := testdb.FreeAddr(t)
	p.url = "http://" + addr
	for i := range flags {
		flags[i] = strings.ReplaceAll(flags[i], "{port}", addr[strings.LastIndex(addr, ":")+1:])
	}
	cmd := p.exec(append([]string{"serve", "--listen", addr, "--rate-limit", "off"}, flags...))
	var log bytes.Buffer                                       // complete when the server is dead
	said, err := os.Create(filepath.Join(t.TempDir(), "said")) // a file: what is printed stands there at once
	must(t, err)
	defer said.Close()
	cmd.Stderr, cmd.Stdout = &log, said
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
	text, err := os.ReadFile(said.Name())
	must(t, err)
	p.said = string(text)
}

func (p *program) awaitReady(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if r, err := http.Get(p.url + "/readyz"); err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return
			}
		}
	}
	t.Fatalf("slotd is not ready after %v", patience)
}
