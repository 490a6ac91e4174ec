package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// waitTimeout is longer than anything that works takes.
const waitTimeout = 20 * time.Second

// process is a running process of the built program.
type process struct {
	t        testing.TB
	cmd      *exec.Cmd
	out, err *syncBuffer
	ended    chan struct{} // closed when the process ends
	exit     int
	url      string // of the server
}

// syncBuffer is a buffer that can be read while it is written.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func start(t testing.TB, e env, args ...string) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.Command(mustBinary(t), args...), out: &syncBuffer{}, err: &syncBuffer{},
		ended: make(chan struct{})}
	p.cmd.Dir = t.TempDir()
	p.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.cmd.Dir}
	for name, value := range e {
		p.cmd.Env = append(p.cmd.Env, name+"="+value)
	}
	p.cmd.Stdout, p.cmd.Stderr = p.out, p.err
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.cmd.Wait()
		p.exit = p.cmd.ProcessState.ExitCode()
		close(p.ended)
	}()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		<-p.ended
	})
	return p
}

// serve starts a server on a free port and waits until it listens.
func (pl *deployment) serve(e env, args ...string) *process {
	pl.t.Helper()
	p := start(pl.t, e, append(append([]string{"serve", "--listen", "127.0.0.1:0"}, args...), pl.flags...)...)
	p.url = "http://" + p.listens()
	return p
}

var listenAddress = regexp.MustCompile(`slotd serves.*\blisten"?[=:]"?([^\s"]+:\d+)`)

func (p *process) listens() (address string) {
	p.t.Helper()
	waitFor(p.t, "the server serves", func() bool {
		if found := listenAddress.FindStringSubmatch(p.err.String()); found != nil {
			address = found[1]
			return true
		}
		select {
		case <-p.ended:
			p.t.Fatalf("exit %d before serving: %s", p.exit, p.err)
		default:
		}
		return false
	})
	return address
}

func waitFor(t testing.TB, what string, true func() bool) {
	t.Helper()
	for deadline := time.Now().Add(waitTimeout); !true(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

// printed returns the output of a demo. The server prints it before it listens, but another goroutine reads it.
func (p *process) printed() string {
	waitFor(p.t, "the demo's words", func() bool { return strings.HasSuffix(p.out.String(), "\n\n") })
	return p.out.String()
}

func (p *process) terminate() {
	p.t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
}

func (p *process) wait() (exit int) {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(40 * time.Second):
		p.t.Fatalf("does not end: %s", p.err)
	}
	return p.exit
}

// waitFailedStart waits until a server that must not start has ended, and returns its exit code.
func (p *process) waitFailedStart() (exit int) {
	p.t.Helper()
	waitFor(p.t, "the server gives up", func() bool {
		if listenAddress.MatchString(p.err.String()) {
			p.t.Fatalf("serves: %s", p.err)
		}
		select {
		case <-p.ended:
			return true
		default:
			return false
		}
	})
	return p.exit
}

// ask sends a request. header alternates names and values.
func (p *process) ask(method, path, body string, header ...string) (status int, text string, got http.Header) {
	p.t.Helper()
	r, err := http.NewRequest(method, p.url+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	r.Close = true
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatalf("%s %s: %v\n%s", method, path, err, p.err)
	}
	defer response.Body.Close()
	all, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return response.StatusCode, string(all), response.Header
}

type object = map[string]any

// call calls a tool and returns its text. failed is the error's code, or "".
func (p *process) call(token, tool, arguments string) (text, failed string) {
	p.t.Helper()
	header := []string{"Content-Type", "application/json"}
	if token != "" {
		header = append(header, "Authorization", "Bearer "+token)
	}
	status, body, _ := p.ask("POST", "/api/mcp", toolCall(tool, arguments), header...)
	if status != http.StatusOK {
		p.t.Fatalf("%s: status %d: %s", tool, status, body)
	}
	return readTool(p.t, body)
}

func toolCall(tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool,
		arguments)
}

func readTool(t testing.TB, body string) (text, failed string) {
	t.Helper()
	var answer struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal([]byte(body), &answer); err != nil || len(answer.Result.Content) != 1 {
		t.Fatalf("no tool result (%v): %s", err, body)
	}
	text = answer.Result.Content[0].Text
	var failure struct{ Error struct{ Code string } }
	if err := json.Unmarshal([]byte(text), &failure); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return text, failure.Error.Code
}

func parse(t testing.TB, text string) (o object) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	return o
}

func (p *process) list(workspace string) string {
	p.t.Helper()
	text, failed := p.call("", "list_public_event_types", fmt.Sprintf(`{"workspace":%q}`, workspace))
	if failed != "" {
		p.t.Fatal(text)
	}
	return text
}

// slotIn returns 12:00 UTC the given number of days from today.
func slotIn(days int) string {
	return time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0,
		days).Add(12 * time.Hour).Format("2006-01-02T15:04:05.000Z")
}

func bookingOf(eventType, slot string) string {
	return fmt.Sprintf(`{"event_type":%q,"slot_start":%q,"attendee_name":"Grace Okafor","attendee_email":"grace@guest.example","attendee_time_zone":"Africa/Lagos","notes":"knows Bo"}`, eventType, slot)
}

func (p *process) mustBook(token, eventType, slot string) (booked object) {
	p.t.Helper()
	text, failed := p.call(token, "create_booking", bookingOf(eventType, slot))
	if failed != "" {
		p.t.Fatal(text)
	}
	return parse(p.t, text)
}
