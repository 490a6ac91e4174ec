package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const connections = 32

// side is one of the servers that are loaded in turn, with its measurements.
type side struct {
	process *process
	// request returns the bytes of the next request. All connections call it concurrently.
	request func() []byte
	// check returns an error if a response's body is wrong.
	check func(body []byte) error

	conns    []*conn
	requests atomic.Int64
	cpu      time.Duration
	wall     time.Duration
}

func (s *side) perSecond() float64     { return float64(s.requests.Load()) / s.wall.Seconds() }
func (s *side) cpuPerRequest() float64 { return s.cpu.Seconds() / float64(s.requests.Load()) }

func (s *side) runFor(d time.Duration) {
	if s.conns == nil {
		for range connections {
			s.conns = append(s.conns, dial(s.process.addr))
		}
	}
	cpu, began := s.process.cpu(), time.Now()
	deadline := began.Add(d)
	var all sync.WaitGroup
	for _, c := range s.conns {
		all.Go(func() {
			for time.Now().Before(deadline) {
				body := c.roundTrip(s.request())
				if err := s.check(body); err != nil {
					fatalf("%v: %.300s", err, body)
				}
				s.requests.Add(1)
			}
		})
	}
	all.Wait()
	s.wall += time.Since(began)
	s.cpu += s.process.cpu() - cpu
}

// conn is a kept-alive HTTP/1.1 connection that costs the client as little as possible, because client and server
// share the machine.
type conn struct {
	tcp  net.Conn
	r    *bufio.Reader
	body []byte
}

func dial(addr string) *conn {
	tcp, err := net.Dial("tcp", addr)
	if err != nil {
		fatal(err)
	}
	return &conn{tcp: tcp, r: bufio.NewReaderSize(tcp, 64<<10)}
}

func (c *conn) roundTrip(request []byte) []byte {
	if _, err := c.tcp.Write(request); err != nil {
		fatal(err)
	}
	length := -1
	for first := true; ; first = false {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			fatal(err)
		}
		if first && !bytes.Contains(line, []byte(" 200 ")) {
			fatalf("unexpected answer %q", line)
		}
		if len(line) == 2 {
			break
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			length, _ = strconv.Atoi(string(bytes.TrimSpace(value)))
		}
	}
	if length < 0 {
		fatal("an answer without Content-Length")
	}
	if cap(c.body) < length {
		c.body = make([]byte, length)
	}
	c.body = c.body[:length]
	if _, err := io.ReadFull(c.r, c.body); err != nil {
		fatal(err)
	}
	return c.body
}

// post returns the bytes of a request to the MCP endpoint.
func post(addr, token, body string) []byte {
	header := ""
	if token != "" {
		header = "Authorization: Bearer " + token + "\r\n"
	}
	return fmt.Appendf(nil, "POST /api/mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: "+
		"application/json\r\n%sContent-Length: %d\r\n\r\n%s", addr, header, len(body), body)
}

func toolCall(name, arguments string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments +
		`}}`
}

func isResult(body []byte) error {
	if !bytes.Contains(body, []byte(`"result"`)) || bytes.Contains(body, []byte(`"isError":true`)) {
		return fmt.Errorf("not a success")
	}
	return nil
}

func acceptAny([]byte) error { return nil }

// cpuOf reads from /proc how much processor time a process has used.
func cpuOf(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		fatal(err)
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond // clock ticks of 1/100 s on Linux
}
