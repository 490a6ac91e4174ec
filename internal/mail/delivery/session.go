package delivery

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/textproto"
	"os"
	"strings"
	"time"

	"github.com/emersion/go-smtp"

	"slotd/internal/lib/say"
	"slotd/internal/mail"
)

// session is one connection for sending mails.
type session struct {
	server    server
	limits    limits
	conn      *limitedConn
	client    *smtp.Client
	encrypted bool
	broken    bool     // the server would not understand the next command
	secrets   []string // must not appear in an error
}

// open connects, encrypts and logs in. If the server refuses something here, that concerns all mails, so no single
// mail is given up for it.
func (s *SMTP) open(ctx context.Context) (*session, error) {
	fresh := &session{server: s.server, limits: s.limits, secrets: s.server.login.secretForms()}
	dialCtx, cancel := context.WithTimeoutCause(ctx, s.limits.dial, tooSlow(s.limits.dial))
	defer cancel()
	conn, err := s.dial(dialCtx, "tcp", s.server.hostPort())
	if err != nil {
		return nil, fresh.explain(dialCtx, "connect", err)
	}
	fresh.conn = &limitedConn{Conn: conn}
	if err := fresh.prepare(ctx, s.roots); err != nil {
		fresh.close()
		return nil, err
	}
	return fresh, nil
}

func (s *session) prepare(ctx context.Context, roots *x509.CertPool) error {
	config := &tls.Config{ServerName: s.server.host, RootCAs: roots, MinVersion: tls.VersionTLS12}
	if s.server.tls {
		if err := s.step(ctx, "TLS", s.limits.command, func() error { return s.encrypt(ctx, config, "") }); err != nil {
			return err
		}
	} else {
		s.client = smtp.NewClient(s.conn)
	}
	if err := s.step(ctx, "EHLO", s.limits.command, s.hello); err != nil {
		return err
	}
	if offered, _ := s.client.Extension("STARTTLS"); offered && !s.encrypted {
		config.InsecureSkipVerify = s.server.isLoopback()
		if err := s.step(ctx, "STARTTLS", s.limits.command,
			func() error { return s.startTLS(ctx, config) }); err != nil {
			return err
		}
	}
	return s.logIn(ctx)
}

func (s *session) encrypt(ctx context.Context, config *tls.Config, greeting string) error {
	conn := tls.Client(s.conn, config)
	if err := conn.HandshakeContext(ctx); err != nil {
		return err
	}
	s.client = smtp.NewClient(&greetingConn{Conn: conn, greeting: strings.NewReader(greeting)})
	s.encrypted = true
	return nil
}

// startTLS sends the command itself: go-smtp does not export it, and offers only a constructor that fails if the
// server has no TLS. Unencrypted data that came with the answer is discarded.
func (s *session) startTLS(ctx context.Context, config *tls.Config) error {
	text := textproto.NewConn(s.conn)
	if err := text.PrintfLine("STARTTLS"); err != nil {
		return err
	}
	if _, _, err := text.ReadResponse(220); err != nil {
		return err
	}
	if err := s.encrypt(ctx, config, "220 encrypted\r\n"); err != nil {
		return err
	}
	return s.hello()
}

func (s *session) hello() error {
	name, err := os.Hostname()
	if err != nil || !hostName.MatchString(name) || strings.Contains(name, "_") {
		name = "localhost"
	}
	return s.client.Hello(name)
}

// reset prepares the session for another mail, whatever happened to the last one. It uses RSET rather than NOOP,
// because RSET also ends a refused mail, and go-smtp then forgets the recipients it has collected.
func (s *session) reset(ctx context.Context) error {
	return s.step(ctx, "RSET", s.limits.command, func() error {
		if err := s.client.Reset(); err != nil {
			return err
		}
		return s.hello() // otherwise go-smtp sends it before MAIL, where a 5xx is about the mail
	})
}

// lineEnds replaces bare CR and LF, which servers interpret differently: one may see the end of the mail where
// another sees text ("SMTP smuggling").
var lineEnds = strings.NewReplacer("\r\n", "\r\n", "\r", "\r\n", "\n", "\r\n")

// deliver sends one mail and returns the server's last answer.
func (s *session) deliver(ctx context.Context, m mail.Message) (receipt string, err error) {
	s.secrets = append(s.server.login.secretForms(), addressForms(m)...)
	options, err := s.options(m)
	if err != nil {
		return "", err
	}
	var content *smtp.DataCommand
	err = s.mailStep(ctx, "MAIL", func() error { return s.client.Mail(m.From, options) })
	if err == nil {
		err = s.mailStep(ctx, "RCPT", func() error { return s.client.Rcpt(m.To, nil) })
	}
	if err == nil {
		err = s.mailStep(ctx, "DATA", func() (err error) { content, err = s.client.Data(); return err })
	}
	if err != nil {
		return "", err
	}
	return s.send(ctx, content, m.Data)
}

func (s *session) options(m mail.Message) (*smtp.MailOptions, error) {
	options := &smtp.MailOptions{Size: int64(len(m.Data))}
	options.UTF8 = strings.ContainsFunc(m.From+m.To, func(r rune) bool { return r > 0x7f })
	if offered, _ := s.client.Extension("SMTPUTF8"); options.UTF8 && !offered {
		const problem say.Sentence = "%s only accepts ASCII addresses"
		return nil, &Refused{s.withName(problem).Error(), problem.With(say.T("the mail server"))}
	}
	return options, nil
}

func (s *session) send(ctx context.Context, content *smtp.DataCommand, data []byte) (receipt string, err error) {
	err = s.step(ctx, "message", s.limits.content, func() error {
		if _, err := lineEnds.WriteString(content, string(data)); err != nil {
			return err
		}
		answer, err := content.CloseWithResponse()
		if err == nil {
			receipt = "250 " + s.clean(answer.StatusText)
		}
		return err
	})
	return receipt, refusal(err)
}

// mailStep is a step that concerns one mail.
func (s *session) mailStep(ctx context.Context, name string, do func() error) error {
	return refusal(s.step(ctx, name, s.limits.command, do))
}

// step runs one exchange with the server. To interrupt it, step closes the connection: go-smtp sets and clears the
// deadlines itself, and has none while the mail is written.
func (s *session) step(ctx context.Context, name string, timeout time.Duration, do func() error) error {
	stepCtx, cancel := context.WithTimeoutCause(ctx, timeout, tooSlow(timeout))
	defer cancel()
	defer context.AfterFunc(stepCtx, s.close)()
	s.conn.remaining = maxAnswer
	if err := do(); err != nil {
		return s.explain(stepCtx, name, err)
	}
	return nil
}

func (s *session) close() { s.conn.Close() }

func (s *session) quit() {
	const quitTimeout = 2 * time.Second
	_ = s.step(context.Background(), "QUIT", min(quitTimeout, s.limits.command), s.client.Quit)
	s.close()
}
