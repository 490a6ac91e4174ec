package load

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"slotd/internal/testdb"
)

var binary string // the program under test, built once

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "slotd-load-")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "slotd")
	if out, err := exec.Command("go", "build", "-o", binary, "slotd/cmd/slotd").CombinedOutput(); err != nil {
		panic(string(out))
	}
	code := m.Run()
	testdb.Stop()
	os.RemoveAll(dir)
	os.Exit(code)
}

// deployment is one database, on which servers come and go.
type deployment struct {
	flags []string // where the data is
	token string
}

// eachDeployment runs the test on a SQLite file and on PostgreSQL, with the workspace applied.
func eachDeployment(t *testing.T, workspace string, test func(t *testing.T, d *deployment)) {
	run := func(t *testing.T, flags ...string) {
		d := &deployment{flags: flags}
		d.command(t, workspace, "apply", "-f", "-")
		d.token = d.command(t, "", "token", "create", "--workspace", "acme", "--name", "load")
		test(t, d)
	}
	t.Run("sqlite", func(t *testing.T) { run(t, "--data", t.TempDir()) })
	t.Run("postgres", func(t *testing.T) { run(t, "--data", t.TempDir(), "--database", testdb.Postgres(t)) })
}

func (d *deployment) command(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.Command(binary, append(args, d.flags...)...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("slotd %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out))
}

type server struct {
	cmd *exec.Cmd
	url string
	log *bytes.Buffer
}

// start runs a server and waits until it is ready.
func (d *deployment) start(t *testing.T) *server {
	t.Helper()
	addr := freeAddr(t)
	s := &server{url: "http://" + addr, log: &bytes.Buffer{}}
	s.cmd = exec.Command(binary, append([]string{"serve", "--listen", addr, "--rate-limit", "off"}, d.flags...)...)
	s.cmd.Stderr = s.log
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.kill)
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if r, err := http.Get(s.url + "/readyz"); err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return s
			}
		}
	}
	t.Fatalf("not ready after 20 s: %s", s.log)
	return nil
}

func (s *server) kill() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

func freeAddr(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// booked is what create_booking answered.
type booked struct {
	BookingID string `json:"booking_id"`
	StartsAt  string `json:"starts_at"`
	Error     struct {
		Code         string   `json:"code"`
		Alternatives []string `json:"alternatives"`
	} `json:"error"`
}

// create books over a connection of the client's own. An error means that no answer came.
func create(client *http.Client, url, token string, start time.Time, attendee int) (b booked, err error) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_booking","arguments":{"event_type":"call","slot_start":%q,"attendee_name":"Guest","attendee_email":"guest%d@example.com","attendee_time_zone":"UTC"}}}`,
		start.UTC().Format(time.RFC3339), attendee)
	r, err := http.NewRequest("POST", url+"/api/mcp", strings.NewReader(body))
	if err != nil {
		return b, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := client.Do(r)
	if err != nil {
		return b, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return b, err
	}
	if answer.StatusCode != http.StatusOK {
		return b, fmt.Errorf("HTTP %d: %s", answer.StatusCode, text)
	}
	var envelope struct {
		Result struct {
			Content []struct{ Text string }
		}
	}
	if err := json.Unmarshal(text, &envelope); err != nil || len(envelope.Result.Content) == 0 {
		return b, fmt.Errorf("no tool result: %s", text)
	}
	return b, json.Unmarshal([]byte(envelope.Result.Content[0].Text), &b)
}
