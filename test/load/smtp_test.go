package load

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/emersion/go-smtp"

	"slotd/internal/store/testdb"
)

// mailServer takes mails and keeps what it has said yes to.
type mailServer struct {
	addr string
	life atomic.Int32 // of the program that is being tested: tells who sent a mail

	mu       sync.Mutex
	server   *smtp.Server // nil: connections are refused
	listener net.Listener
	trouble  trouble
	met      int // how often the trouble was made
	mails    []received
	arrived  func(received) // may be nil
}

func startMailServer(t *testing.T) *mailServer {
	t.Helper()
	m := &mailServer{addr: testdb.FreeAddr(t)}
	m.accept(t)
	t.Cleanup(m.refuse)
	return m
}

// accept listens, on the same port as before.
func (m *mailServer) accept(t *testing.T) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	l, err := net.Listen("tcp", m.addr)
	if err != nil {
		t.Fatal(err)
	}
	m.listener, m.server = l, smtp.NewServer(smtp.BackendFunc(m.session))
	m.server.ErrorLog = log.New(io.Discard, "", 0) // killed clients
	go m.server.Serve(l)
}

// refuse hangs up and takes no more connections.
func (m *mailServer) refuse() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.server != nil {
		m.server.Close()
		m.listener.Close() // Serve may not have begun with it
		m.server = nil
	}
}

// make begins a trouble; nil ends it.
func (m *mailServer) make(trouble trouble) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.trouble, m.met = trouble, 0
}

func (m *mailServer) session(c *smtp.Conn) (smtp.Session, error) {
	return &session{server: m, conn: c.Conn(), life: int(m.life.Load())}, nil
}

// session is one connection, of one life of the program.
type session struct {
	server   *mailServer
	conn     net.Conn
	life     int
	from, to string
}

func (s *session) Reset()        { s.from, s.to = "", "" }
func (s *session) Logout() error { return nil }

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.from = from
	return s.meet(atMail)
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	return s.meet(atRcpt)
}

// Data keeps the mail when all of it was read, right before 250 is answered.
func (s *session) Data(r io.Reader) error {
	beginning := make([]byte, 200)
	if _, err := io.ReadFull(r, beginning); err != nil {
		return err
	}
	if err := s.meet(inData); err != nil {
		return err
	}
	text, err := io.ReadAll(io.MultiReader(bytes.NewReader(beginning), r))
	if err != nil {
		return err
	}
	if err := s.meet(afterData); err != nil {
		return err
	}
	mail, err := read(text)
	if err != nil {
		return &smtp.SMTPError{Code: 554, Message: fmt.Sprintf("unreadable: %v", err)}
	}
	mail.from, mail.to, mail.life = s.from, s.to, s.life
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.mails = append(s.server.mails, mail)
	if s.server.arrived != nil {
		s.server.arrived(mail)
	}
	return nil
}

func (s *session) meet(at stage) error {
	m := s.server
	m.mu.Lock()
	trouble := m.trouble
	m.mu.Unlock()
	if trouble == nil {
		return nil
	}
	err := trouble(at, s.to, s.conn)
	if err == healthy {
		return nil
	}
	m.hit()
	return err
}

func (m *mailServer) hit() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.met++
}

// each calls a function with each mail that arrives from now on. It must not wait.
func (m *mailServer) each(do func(received)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.arrived = do
}

func (m *mailServer) received() []received {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.mails)
}

func (m *mailServer) metTrouble() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.met > 0
}
