package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// process is a running server that bench started.
type process struct {
	cmd  *exec.Cmd
	addr string
}

func (p *process) cpu() time.Duration { return cpuOf(p.cmd.Process.Pid) }

// start runs a command and waits until it listens on addr.
func (b *bench) start(addr string, name string, args ...string) *process {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		fatal(err)
	}
	b.cleanups = append(b.cleanups, func() { cmd.Process.Kill(); cmd.Wait() })
	for range 10_000 {
		if c, err := net.Dial("tcp", addr); err == nil {
			c.Close()
			return &process{cmd, addr}
		}
		time.Sleep(time.Millisecond)
	}
	fatalf("%s does not listen on %s", name, addr)
	return nil
}

func freeAddr() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func (b *bench) tempDir() string {
	dir, err := os.MkdirTemp("", "slotd-bench-")
	if err != nil {
		fatal(err)
	}
	b.cleanups = append(b.cleanups, func() { os.RemoveAll(dir) })
	return dir
}

// slotd runs the server on the data directory dir, with more flags.
func (b *bench) slotd(dir string, more ...string) *process {
	addr := freeAddr()
	args := append([]string{"serve", "--listen", addr, "--data", dir, "--rate-limit", "off", "--log-level", "warn"},
		more...)
	return b.start(addr, b.binary, args...)
}

// command runs one of slotd's other commands and returns what it printed.
func (b *bench) command(stdin string, args ...string) string {
	cmd := exec.Command(b.binary, args...)
	cmd.Stdin = strings.NewReader(stdin)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Run(); err != nil {
		fatalf("slotd %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(out.String())
}

// bare runs this program as the bare handler that always returns answer.
func (b *bench) bare(answer []byte) *process {
	file := filepath.Join(b.tempDir(), "answer")
	if err := os.WriteFile(file, answer, 0o600); err != nil {
		fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		fatal(err)
	}
	addr := freeAddr()
	return b.start(addr, self, "-bare", file+","+addr)
}

// serveBare reads each request and writes the same bytes every time: it shows what net/http alone costs.
func serveBare(fileAndAddr string) {
	file, addr, _ := strings.Cut(fileAndAddr, ",")
	answer, err := os.ReadFile(file)
	if err != nil {
		fatal(err)
	}
	length := []string{fmt.Sprint(len(answer))}
	fatal(http.ListenAndServe(addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		h := w.Header()
		h["Content-Type"] = []string{"application/json"}
		h["Content-Length"] = length
		w.Write(answer)
	})))
}
