package delivery

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"time"

	"slotd/internal/lib/say"
	"slotd/internal/mail"
)

// SMTP sends through one server, one mail at a time, over a connection that it keeps for the next mail. It is safe
// for concurrent use.
type SMTP struct {
	server server
	dial   func(ctx context.Context, network, address string) (net.Conn, error)
	roots  *x509.CertPool // nil: the system's
	limits limits

	lock    chan struct{} // a mutex that ctx can interrupt; guards the fields below
	session *session      // nil: not connected
	idle    *time.Timer   // closes the connection when no mail was sent for a while
	closed  bool
}

type limits struct {
	dial    time.Duration
	command time.Duration // for each command and its answer
	content time.Duration // for the mail itself: giving up on a slow virus scan sends it twice
	idle    time.Duration
}

// NewSMTP parses an address like smtp://user:password@mail.example.com:587. It does not connect.
func NewSMTP(address string) (*SMTP, error) {
	server, err := parseServer(address)
	if err != nil {
		return nil, err
	}
	return &SMTP{
		server: server,
		dial:   (&net.Dialer{}).DialContext,
		limits: limits{dial: 10 * time.Second, command: time.Minute, content: 5 * time.Minute, idle: 30 * time.Second},
		lock:   make(chan struct{}, 1),
	}, nil
}

// String returns the server's host and port, never the user or the password.
func (s *SMTP) String() string       { return s.server.hostPort() }
func (s *SMTP) GoString() string     { return s.String() }
func (s *SMTP) LogValue() slog.Value { return slog.StringValue(s.String()) }

// Send waits until no other mail is being sent, then delivers the mail. Ending ctx interrupts it at any point.
func (s *SMTP) Send(ctx context.Context, m mail.Message) (receipt string, err error) {
	if err := checkEnvelope(m); err != nil {
		return "", err
	}
	select {
	case s.lock <- struct{}{}:
	case <-ctx.Done():
		return "", fmt.Errorf("wait for the mail server %s: %w", s, ctx.Err())
	}
	defer func() { <-s.lock }()
	if err := s.connect(ctx); err != nil {
		return "", err
	}
	receipt, err = s.session.deliver(ctx, m)
	s.keepSession()
	return receipt, err
}

// checkEnvelope makes sure that an address cannot extend the SMTP command that contains it.
func checkEnvelope(m mail.Message) error {
	foreign := func(r rune) bool { return r <= ' ' || r == 0x7f || r == '<' || r == '>' }
	if m.To == "" || strings.ContainsFunc(m.To+m.From, foreign) {
		return &Refused{Reason: say.T("the sender's or the recipient's address isn't valid")}
	}
	return nil
}

// connect makes sure that there is a working session. If the server closed it since the last mail, connect opens a
// new one, so that no mail fails for that.
func (s *SMTP) connect(ctx context.Context) error {
	if s.closed {
		return errors.New("the mail sender is closed")
	}
	if s.session != nil {
		s.idle.Stop()
		if s.session.reset(ctx) == nil {
			return nil
		}
		s.session.close()
		s.session = nil
	}
	fresh, err := s.open(ctx)
	if err != nil {
		return err
	}
	s.session = fresh
	return nil
}

// keepSession keeps the session for the next mail, unless it is broken.
func (s *SMTP) keepSession() {
	if s.session.broken {
		s.session.close()
		s.session = nil
		return
	}
	s.idle = time.AfterFunc(s.limits.idle, s.closeIdle)
}

// closeIdle closes a session that no mail has used for a while.
func (s *SMTP) closeIdle() {
	select {
	case s.lock <- struct{}{}:
		s.closeAndUnlock()
	default: // a mail is being sent, and starts the timer again
	}
}

// Close waits for the mail that is being sent, then ends the session.
func (s *SMTP) Close() error {
	s.lock <- struct{}{}
	s.closed = true
	s.closeAndUnlock()
	return nil
}

// closeAndUnlock releases the lock before it sends QUIT, so that no mail waits for the answer.
func (s *SMTP) closeAndUnlock() {
	last := s.session
	s.session = nil
	if last != nil {
		s.idle.Stop()
		defer last.quit()
	}
	<-s.lock
}
