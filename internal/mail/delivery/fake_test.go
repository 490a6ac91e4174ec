package delivery

import (
	"bufio"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"slotd/internal/mail"
)

const password = "s3cr3t/pass"

var (
	ctx   = context.Background()
	hello = mail.Message{
		ID:   "0198c2f4.booked-attendee",
		From: "calendar@slots.example",
		To:   "Alice.Liddell@guest.example",
		Data: []byte("Subject: hello\r\n\r\nFirst line\r\n.dot\r\n..\r\nLast\r\n"),
	}
)

// fake is a scripted SMTP server: for each stage of the conversation it can answer something else, hang or hang up.
type fake struct {
	address     string
	reached     chan string // the stages at which it hung or hung up
	connections atomic.Int32

	mu       sync.Mutex
	script   map[string]string // answer by stage; goodAnswers if missing
	commands []string
}

const (
	hangs   = "hangs"
	hangsUp = "hangs up"
)

var goodAnswers = map[string]string{
	"greeting": "220 fake",
	"EHLO":     "250-fake\r\n250 AUTH PLAIN",
	"AUTH":     "235 2.7.0 welcome",
	"MAIL":     "250 2.1.0 ok",
	"RCPT":     "250 2.1.5 ok",
	"DATA":     "354 go on",
	"message":  "250 2.0.0 Ok: queued as ABC",
	"RSET":     "250 2.0.0 ok",
	"QUIT":     "221 2.0.0 bye",
}

func startFake(t *testing.T, script map[string]string) *fake {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{address: listener.Addr().String(), script: script, reached: make(chan string, 100)}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { conn.Close() })
			f.connections.Add(1)
			go f.serve(conn)
		}
	}()
	return f
}

// pipedFake is a fake whose connections are pipes, so that it works in a synctest bubble: there, time passes only when
// client and server both wait.
func pipedFake(script map[string]string) *fake {
	return &fake{address: "127.0.0.1:25", script: script, reached: make(chan string, 100)}
}

// pipedSender is like sender, for a fake with pipes.
func (f *fake) pipedSender(t *testing.T) *SMTP {
	t.Helper()
	s := f.sender(t)
	s.dial = func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		f.connections.Add(1)
		go f.serve(server)
		return client, nil
	}
	return s
}

// withLock runs do with the mutex held.
func (f *fake) withLock(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do()
}

// scripted returns the scripted answer for a stage, if there is one.
func (f *fake) scripted(stage string) (answer string, ok bool) {
	f.withLock(func() { answer, ok = f.script[stage] })
	return answer, ok
}

func (f *fake) count(command string) (n int) {
	f.withLock(func() {
		for _, c := range f.commands {
			if strings.HasPrefix(c, command) {
				n++
			}
		}
	})
	return n
}

func (f *fake) serve(conn net.Conn) {
	lines := bufio.NewScanner(conn)
	for stage := "greeting"; f.answer(conn, stage); {
		stage = f.next(lines, stage)
	}
}

func (f *fake) next(lines *bufio.Scanner, stage string) string {
	_, scripted := f.scripted(stage)
	switch {
	case stage == "DATA" && !scripted:
		f.readMail(lines)
		return "message"
	case stage == "message":
		return "after message"
	case !lines.Scan():
		return "the end"
	}
	f.withLock(func() { f.commands = append(f.commands, lines.Text()) })
	command, _, _ := strings.Cut(lines.Text(), " ")
	return command
}

// readMail reads nothing if the server should hang, and one line if it should hang up.
func (f *fake) readMail(lines *bufio.Scanner) {
	answer, _ := f.scripted("message")
	for answer != hangs && lines.Scan() && lines.Text() != "." && answer != hangsUp {
	}
}

func (f *fake) answer(conn net.Conn, stage string) (goOn bool) {
	answer, scripted := f.scripted(stage)
	if !scripted {
		answer = cmp.Or(goodAnswers[stage], "500 what?")
	}
	switch {
	case answer == hangs:
		f.reached <- stage
		return false
	case answer == hangsUp || stage == "the end":
		conn.Close()
		f.reached <- stage
		return false
	case scripted || stage != "after message":
		fmt.Fprintf(conn, "%s\r\n", answer)
	}
	return true
}

// sender returns a sender that logs in, so that there is a password that could leak.
func (f *fake) sender(t *testing.T) *SMTP {
	t.Helper()
	return newSender(t, "smtp://ada:s3cr3t%2Fpass@"+f.address)
}

func newSender(t *testing.T, address string) *SMTP {
	t.Helper()
	s, err := NewSMTP(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func mustSend(t *testing.T, s Sender, m mail.Message) (receipt string) {
	t.Helper()
	receipt, err := s.Send(ctx, m)
	if err != nil {
		t.Fatal(err)
	}
	return receipt
}

// wantRetry checks that err allows a retry and is safe to show.
func wantRetry(t *testing.T, err error, parts ...string) {
	t.Helper()
	var refused *Refused
	if err == nil || errors.As(err, &refused) {
		t.Fatalf("got %v, want an error that may pass", err)
	}
	wantClean(t, err.Error(), parts...)
}

func wantRefused(t *testing.T, err error, parts ...string) {
	t.Helper()
	var refused *Refused
	if !errors.As(err, &refused) {
		t.Fatalf("got %v, want a refusal", err)
	}
	wantClean(t, err.Error(), parts...)
}

func wantClean(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q lacks %q", text, part)
		}
	}
	lower := strings.ToLower(text)
	for _, secret := range []string{password, "s3cr3t", base64.StdEncoding.EncodeToString([]byte(password)),
		base64.StdEncoding.EncodeToString([]byte("\x00ada\x00" + password)), "liddell", "guest.example"} {
		if strings.Contains(lower, strings.ToLower(secret)) {
			t.Errorf("%q tells %q", text, secret)
		}
	}
	for _, r := range text {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e' {
			t.Errorf("%q has the character %U", text, r)
		}
	}
	if len([]rune(text)) > maxText+100 {
		t.Errorf("%d characters", len(text))
	}
}
