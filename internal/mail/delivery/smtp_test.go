package delivery

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"slotd/internal/mail"
)

// inbox is a real SMTP server that stores the mails it receives.
type inbox struct {
	address string

	connections atomic.Int32

	mu      sync.Mutex
	logins  []string
	mails   []mail.Message
	options []smtp.MailOptions
}

// startInbox listens on loopback; wrap and change may adapt the listener and the server.
func startInbox(t *testing.T, wrap func(net.Listener) net.Listener, change func(*smtp.Server)) *inbox {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	in := &inbox{address: listener.Addr().String()}
	server := smtp.NewServer(smtp.BackendFunc(in.session))
	server.AllowInsecureAuth = true
	server.ErrorLog = discard{}
	if change != nil {
		change(server)
	}
	if wrap != nil {
		listener = wrap(listener)
	}
	go server.Serve(&countingListener{listener, in})
	t.Cleanup(func() { server.Close() })
	return in
}

type discard struct{}

func (discard) Printf(string, ...any) {}
func (discard) Println(...any)        {}

type countingListener struct {
	net.Listener
	in *inbox
}

func (c *countingListener) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err == nil {
		c.in.connections.Add(1)
	}
	return conn, err
}

func (in *inbox) session(*smtp.Conn) (smtp.Session, error) { return &inboxSession{in: in}, nil }

type inboxSession struct {
	in      *inbox
	current mail.Message
	options smtp.MailOptions
}

func (s *inboxSession) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *inboxSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, given string) error {
		s.in.mu.Lock()
		defer s.in.mu.Unlock()
		s.in.logins = append(s.in.logins, user)
		if user != "ada" || given != password {
			return smtp.ErrAuthFailed
		}
		return nil
	}), nil
}

func (s *inboxSession) Reset()        { s.current = mail.Message{} }
func (s *inboxSession) Logout() error { return nil }

func (s *inboxSession) Mail(from string, options *smtp.MailOptions) error {
	s.current.From, s.options = from, *options
	return nil
}

func (s *inboxSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.current.To = to
	return nil
}

func (s *inboxSession) Data(r io.Reader) (err error) {
	s.current.Data, err = io.ReadAll(r)
	s.in.mu.Lock()
	defer s.in.mu.Unlock()
	s.in.mails = append(s.in.mails, s.current)
	s.in.options = append(s.in.options, s.options)
	return err
}

func TestSend_TheServerGetsTheMailAsItIs(t *testing.T) {
	in := startInbox(t, nil, nil)
	receipt := mustSend(t, newSender(t, "smtp://"+in.address), hello)
	if !strings.HasPrefix(receipt, "250 ") || !strings.Contains(receipt, "queued") {
		t.Errorf("receipt %q", receipt)
	}
	got := in.mails[0]
	if got.From != hello.From || got.To != hello.To || string(got.Data) != string(hello.Data) {
		t.Errorf("got %q", got)
	}
	if size := in.options[0].Size; size != int64(len(hello.Data)) {
		t.Errorf("announced %d bytes", size)
	}
}

func TestSend_BareLineEndsBecomeWholeOnes(t *testing.T) {
	in := startInbox(t, nil, nil)
	m := hello
	m.Data = []byte("Subject: x\n\na\r.\rMAIL FROM:<b@c>\n.\nz")
	mustSend(t, newSender(t, "smtp://"+in.address), m)
	if got, want := string(in.mails[0].Data), "Subject: x\r\n\r\na\r\n.\r\nMAIL FROM:<b@c>\r\n.\r\nz\r\n"; got != want {
		t.Errorf("got %q", got)
	}
}

func TestSend_MailsShareAConnection(t *testing.T) {
	in := startInbox(t, nil, nil)
	s := newSender(t, "smtp://ada:s3cr3t%2Fpass@"+in.address)
	for range 3 {
		mustSend(t, s, hello)
	}
	if in.connections.Load() != 1 || len(in.logins) != 1 || len(in.mails) != 3 {
		t.Errorf("%d connections, %d logins, %d mails", in.connections.Load(), len(in.logins), len(in.mails))
	}
}

func TestRace_ManySendOverOneConnection(t *testing.T) {
	in := startInbox(t, nil, nil)
	s := newSender(t, "smtp://"+in.address)
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			m := hello
			m.To = fmt.Sprintf("guest%d@guest.example", i)
			m.Data = []byte("Subject: " + m.To + "\r\n\r\n")
			if _, err := s.Send(ctx, m); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got := map[string]bool{}
	for _, m := range in.mails {
		got[m.To] = strings.Contains(string(m.Data), m.To)
		if !got[m.To] {
			t.Errorf("%s got another's mail", m.To)
		}
	}
	if len(got) != 100 || len(in.mails) != 100 || in.connections.Load() != 1 {
		t.Errorf("%d recipients, %d mails, %d connections", len(got), len(in.mails), in.connections.Load())
	}
}

func TestSend_AConnectionThatTheServerClosedIsReplaced(t *testing.T) {
	for _, answer := range []string{hangsUp, "421 4.4.2 timeout", "502 5.5.1 not here"} {
		f := startFake(t, map[string]string{"RSET": answer})
		s := f.sender(t)
		mustSend(t, s, hello)
		mustSend(t, s, hello)
		if f.connections.Load() != 2 || f.count("MAIL") != 2 {
			t.Errorf("%s: %d connections, %d mails", answer, f.connections.Load(), f.count("MAIL"))
		}
	}
}

func TestSend_AConnectionClosedWithoutAWordIsReplaced(t *testing.T) {
	f := startFake(t, map[string]string{"after message": hangsUp})
	s := f.sender(t)
	mustSend(t, s, hello)
	<-f.reached
	mustSend(t, s, hello)
	if n := f.connections.Load(); n != 2 {
		t.Errorf("%d connections", n)
	}
}

func TestIdleConnection_IsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := pipedFake(nil)
		s := f.pipedSender(t)
		began := time.Now()
		mustSend(t, s, hello)
		if stage := <-f.reached; stage != "the end" || f.count("QUIT") != 1 {
			t.Errorf("ended by %s, %d QUIT", stage, f.count("QUIT"))
		}
		if took := time.Since(began); took != s.limits.idle {
			t.Errorf("closed after %v, want %v", took, s.limits.idle)
		}
		mustSend(t, s, hello)
		if f.connections.Load() != 2 {
			t.Errorf("%d connections", f.connections.Load())
		}
	})
}

func TestClose_SaysGoodbyeAndEndsSending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := pipedFake(nil)
		s := f.pipedSender(t)
		mustSend(t, s, hello)
		s.Close()
		s.Close()
		if f.count("QUIT") != 1 {
			t.Error("no QUIT")
		}
		_, err := s.Send(ctx, hello)
		wantRetry(t, err, "closed")
	})
}

func TestSend_WaitingHonorsTheContext(t *testing.T) {
	f := startFake(t, map[string]string{"RCPT": hangs})
	s := f.sender(t)
	first, cancelFirst := context.WithCancel(ctx)
	done := make(chan error)
	go func() { _, err := s.Send(first, hello); done <- err }()
	<-f.reached
	second, cancelSecond := context.WithCancel(ctx)
	cancelSecond()
	if _, err := s.Send(second, hello); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	cancelFirst()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if f.connections.Load() != 1 {
		t.Error("the second did not wait")
	}
}

func TestSend_AddressesBeyondASCII(t *testing.T) {
	m := hello
	m.To = "jürgen@guest.example"
	plain := startInbox(t, nil, nil)
	_, err := newSender(t, "smtp://"+plain.address).Send(ctx, m)
	wantRefused(t, err, "ASCII")
	able := startInbox(t, nil, func(s *smtp.Server) { s.EnableSMTPUTF8 = true })
	mustSend(t, newSender(t, "smtp://"+able.address), m)
	if got := able.mails[0].To; got != m.To || !able.options[0].UTF8 {
		t.Errorf("got %q", got)
	}
}

func TestSend_AnAddressCannotAddToItsCommand(t *testing.T) {
	f := startFake(t, nil)
	for _, to := range []string{"", "a@b> NOTIFY=NEVER", "a@b\r\nRCPT TO:<c@d", "a@b\nDATA", "<a@b", "a @b", "a@b\x00",
		"a\x7f@b"} {
		m := hello
		m.To = to
		_, err := f.sender(t).Send(ctx, m)
		wantRefused(t, err)
	}
	if f.connections.Load() != 0 {
		t.Error("the server was asked")
	}
}
