package delivery

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/textproto"
	"os"
	"strings"
	"time"

	"github.com/emersion/go-smtp"

	"slotd/internal/mail"
)

// session is one connection on which mails can be sent.
type session struct {
	server    server
	limits    limits
	wire      *wire
	client    *smtp.Client
	encrypted bool
	broken    bool     // the next command would not be understood
	hidden    []string // must not stand in an error
}

// open connects, encrypts and logs in. What the server refuses here concerns all mails, so that no
// single one is given up for it.
func open(ctx context.Context, to server, roots *x509.CertPool, l limits) (*session, error) {
	s := &session{server: to, limits: l, hidden: to.login.forms()}
	dialer := net.Dialer{Timeout: l.dial}
	conn, err := dialer.DialContext(ctx, "tcp", to.hostPort())
	if err != nil {
		return nil, s.explain(ctx, "connect", err)
	}
	s.wire = &wire{Conn: conn}
	if err := s.prepare(ctx, roots); err != nil {
		s.drop()
		return nil, err
	}
	return s, nil
}

func (s *session) prepare(ctx context.Context, roots *x509.CertPool) error {
	config := &tls.Config{ServerName: s.server.host, RootCAs: roots, MinVersion: tls.VersionTLS12}
	if s.server.tls {
		if err := s.step(ctx, "TLS", s.limits.command, func() error { return s.encrypt(ctx, config, "") }); err != nil {
			return err
		}
	} else {
		s.client = smtp.NewClient(s.wire)
	}
	if err := s.step(ctx, "EHLO", s.limits.command, s.hello); err != nil {
		return err
	}
	if offered, _ := s.client.Extension("STARTTLS"); offered && !s.encrypted {
		config.InsecureSkipVerify = s.server.loopback()
		if err := s.step(ctx, "STARTTLS", s.limits.command,
			func() error { return s.startTLS(ctx, config) }); err != nil {
			return err
		}
	}
	return s.logIn(ctx)
}

func (s *session) encrypt(ctx context.Context, config *tls.Config, greeting string) error {
	conn := tls.Client(s.wire, config)
	if err := conn.HandshakeContext(ctx); err != nil {
		return err
	}
	s.client = smtp.NewClient(&greeted{Conn: conn, greeting: strings.NewReader(greeting)})
	s.encrypted = true
	return nil
}

// startTLS sends the command by hand: go-smtp keeps it to itself, and offers only a constructor
// that fails if the server has no TLS. What came with the answer, unencrypted, is thrown away.
func (s *session) startTLS(ctx context.Context, config *tls.Config) error {
	text := textproto.NewConn(s.wire)
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

// restart makes the session ready for another mail, whatever became of the last. RSET rather than
// NOOP: it also ends a refused mail, and go-smtp then forgets the recipients it collects.
func (s *session) restart(ctx context.Context) error {
	return s.step(ctx, "RSET", s.limits.command, func() error {
		if err := s.client.Reset(); err != nil {
			return err
		}
		return s.hello() // go-smtp would say it before MAIL, where a 5xx is about the mail
	})
}

// bareEnds are line ends that servers read differently: one may see the end of the mail where
// another sees text ("SMTP smuggling").
var bareEnds = strings.NewReplacer("\r\n", "\r\n", "\r", "\r\n", "\n", "\r\n")

// deliver sends one mail and returns the server's last answer.
func (s *session) deliver(ctx context.Context, m mail.Message) (receipt string, err error) {
	s.hidden = append(s.server.login.forms(), addressForms(m)...)
	options, err := s.options(m)
	if err != nil {
		return "", err
	}
	var content *smtp.DataCommand
	err = s.ask(ctx, "MAIL", func() error { return s.client.Mail(m.From, options) })
	if err == nil {
		err = s.ask(ctx, "RCPT", func() error { return s.client.Rcpt(m.To, nil) })
	}
	if err == nil {
		err = s.ask(ctx, "DATA", func() (err error) { content, err = s.client.Data(); return err })
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
		const why = " takes only ASCII addresses"
		return nil, &Refused{"mail server " + s.server.hostPort() + why, "the mail server" + why}
	}
	return options, nil
}

func (s *session) send(ctx context.Context, content *smtp.DataCommand, data []byte) (receipt string, err error) {
	err = s.step(ctx, "the mail", s.limits.content, func() error {
		if _, err := bareEnds.WriteString(content, string(data)); err != nil {
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

// ask is a step that is about one mail.
func (s *session) ask(ctx context.Context, name string, do func() error) error {
	return refusal(s.step(ctx, name, s.limits.command, do))
}

// step runs one exchange with the server. Closing the connection is what stops it: go-smtp sets
// and clears the deadlines itself, and has none while the mail is written.
func (s *session) step(ctx context.Context, name string, limit time.Duration, do func() error) error {
	limited, cancel := context.WithTimeoutCause(ctx, limit, tooSlow(limit))
	defer cancel()
	defer context.AfterFunc(limited, s.drop)()
	s.wire.allowance = maxAnswer
	if err := do(); err != nil {
		return s.explain(limited, name, err)
	}
	return nil
}

func (s *session) drop() { s.wire.Close() }

func (s *session) quit() {
	const courtesy = 2 * time.Second
	_ = s.step(context.Background(), "QUIT", min(courtesy, s.limits.command), s.client.Quit)
	s.drop()
}
