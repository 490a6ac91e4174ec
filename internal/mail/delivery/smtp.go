package delivery

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"slotd/internal/mail"
)

// SMTP sends through one server, one mail at a time, over a connection that is kept for the next
// mail. It is safe for concurrent use.
type SMTP struct {
	server server
	roots  *x509.CertPool // nil: the system's
	limits limits

	turn    chan struct{} // who puts the one token in may touch what is below
	session *session      // nil: not connected
	idle    *time.Timer   // hangs up when no mail came for a while
	closed  bool
}

type limits struct {
	dial    time.Duration
	command time.Duration // for each command and its answer
	content time.Duration // for the mail itself: giving up on a slow virus scan sends it twice
	idle    time.Duration
}

// NewSMTP reads an address like smtp://user:password@mail.example.com:587. It does not connect.
func NewSMTP(address string) (*SMTP, error) {
	server, err := parseServer(address)
	if err != nil {
		return nil, err
	}
	return &SMTP{
		server: server,
		limits: limits{dial: 10 * time.Second, command: time.Minute, content: 5 * time.Minute, idle: 30 * time.Second},
		turn:   make(chan struct{}, 1),
	}, nil
}

// String is the server's host and port, and never the user or the password.
func (s *SMTP) String() string       { return s.server.hostPort() }
func (s *SMTP) GoString() string     { return s.String() }
func (s *SMTP) LogValue() slog.Value { return slog.StringValue(s.String()) }

// Send waits for its turn and hands the mail over. Ending ctx interrupts it at any point.
func (s *SMTP) Send(ctx context.Context, m mail.Message) (receipt string, err error) {
	if err := checkEnvelope(m); err != nil {
		return "", err
	}
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return "", fmt.Errorf("wait for the mail server %s: %w", s, ctx.Err())
	}
	defer func() { <-s.turn }()
	if err := s.connect(ctx); err != nil {
		return "", err
	}
	receipt, err = s.session.deliver(ctx, m)
	s.keep()
	return receipt, err
}

// checkEnvelope keeps an address from adding to the command it stands in.
func checkEnvelope(m mail.Message) error {
	foreign := func(r rune) bool { return r <= ' ' || r == 0x7f || r == '<' || r == '>' }
	if m.To == "" || strings.ContainsFunc(m.To+m.From, foreign) {
		return &Refused{Reason: "the envelope's addresses cannot be sent"}
	}
	return nil
}

// connect makes sure of a session that answers. One that the server closed since the last mail is
// replaced: no mail fails for it.
func (s *SMTP) connect(ctx context.Context) error {
	if s.closed {
		return errors.New("the mail sender is closed")
	}
	if s.session != nil {
		s.idle.Stop()
		if s.session.restart(ctx) == nil {
			return nil
		}
		s.session.drop()
		s.session = nil
	}
	fresh, err := open(ctx, s.server, s.roots, s.limits)
	if err != nil {
		return err
	}
	s.session = fresh
	return nil
}

// keep holds the session for the next mail, if it can carry one.
func (s *SMTP) keep() {
	if s.session.broken {
		s.session.drop()
		s.session = nil
		return
	}
	s.idle = time.AfterFunc(s.limits.idle, s.hangUp)
}

// hangUp ends a session that no mail has used for a while.
func (s *SMTP) hangUp() {
	select {
	case s.turn <- struct{}{}:
		s.leave()
	default: // a mail is on its way, and winds the clock up again
	}
}

// Close waits for the mail that is on its way and says goodbye to the server.
func (s *SMTP) Close() error {
	s.turn <- struct{}{}
	s.closed = true
	s.leave()
	return nil
}

// leave gives up the turn before it says goodbye: no mail waits for that answer.
func (s *SMTP) leave() {
	last := s.session
	s.session = nil
	if last != nil {
		s.idle.Stop()
		defer last.quit()
	}
	<-s.turn
}
