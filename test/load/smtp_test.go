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

// mailServer is an SMTP server that records the mails that it accepts.
type mailServer struct {
	addr string
	life atomic.Int32 // counts the starts of the tested program, to know which one sent a mail

	mu           sync.Mutex
	server       *smtp.Server // nil while connections are refused
	listener     net.Listener
	trouble      trouble
	troubleCount int // how often the trouble occurred
	mails        []receivedMail
	notify       func(receivedMail) // called for each mail; may be nil
}

func startMailServer(t *testing.T) *mailServer {
	t.Helper()
	m := &mailServer{addr: testdb.FreeAddr(t)}
	m.accept(t)
	t.Cleanup(m.refuse)
	return m
}

// accept starts to listen, always on the same port.
func (m *mailServer) accept(t *testing.T) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	l := testdb.Listen(t, m.addr)
	m.listener, m.server = l, smtp.NewServer(smtp.BackendFunc(m.session))
	m.server.ErrorLog = log.New(io.Discard, "", 0) // killed clients
	go m.server.Serve(l)
}

// refuse closes all connections and stops listening.
func (m *mailServer) refuse() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.server != nil {
		m.server.Close()
		m.listener.Close() // Serve may not have started yet
		m.server = nil
	}
}

// setTrouble starts a trouble; nil ends it.
func (m *mailServer) setTrouble(trouble trouble) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.trouble, m.troubleCount = trouble, 0
}

func (m *mailServer) session(c *smtp.Conn) (smtp.Session, error) {
	return &session{server: m, conn: c.Conn(), life: int(m.life.Load())}, nil
}

// session is one connection of one run of the program.
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
	return s.applyTrouble(atMail)
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	return s.applyTrouble(atRcpt)
}

// Data records the mail after all of it was read, right before the 250 reply.
func (s *session) Data(r io.Reader) error {
	beginning := make([]byte, 200)
	if _, err := io.ReadFull(r, beginning); err != nil {
		return err
	}
	if err := s.applyTrouble(inData); err != nil {
		return err
	}
	text, err := io.ReadAll(io.MultiReader(bytes.NewReader(beginning), r))
	if err != nil {
		return err
	}
	if err := s.applyTrouble(afterData); err != nil {
		return err
	}
	mail, err := parseMail(text)
	if err != nil {
		return &smtp.SMTPError{Code: 554, Message: fmt.Sprintf("unreadable: %v", err)}
	}
	mail.from, mail.to, mail.life = s.from, s.to, s.life
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.mails = append(s.server.mails, mail)
	if s.server.notify != nil {
		s.server.notify(mail)
	}
	return nil
}

// applyTrouble returns the error of the current trouble at this stage, and counts it.
func (s *session) applyTrouble(at stage) error {
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
	m.countTrouble()
	return err
}

func (m *mailServer) countTrouble() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.troubleCount++
}

// onMail makes the server call do for each mail that arrives from now on. do must not block.
func (m *mailServer) onMail(do func(receivedMail)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.notify = do
}

func (m *mailServer) received() []receivedMail {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.mails)
}

func (m *mailServer) metTrouble() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.troubleCount > 0
}
