package delivery

import (
	"context"
	"encoding/base64"
	"errors"

	"github.com/emersion/go-sasl"
)

func (s *session) logIn(ctx context.Context) error {
	l := s.server.login
	if l == nil {
		return nil
	}
	if !s.server.mayLogIn(s.encrypted) {
		return s.unusable("%s doesn't offer TLS, and the password is never sent unencrypted: use smtps:// or a server with " +
			"STARTTLS")
	}
	switch {
	case s.client.SupportsAuth(sasl.Plain):
		return s.auth(ctx, sasl.NewPlainClient("", l.user, l.password))
	case s.client.SupportsAuth(sasl.Login):
		return s.auth(ctx, &loginClient{answers: []string{l.user, l.password}})
	}
	return s.unusable("%s doesn't offer a login with user and password (AUTH PLAIN or LOGIN): leave them out of " +
		"the address, or use another port")
}

func (s *session) auth(ctx context.Context, by sasl.Client) error {
	return s.step(ctx, "AUTH", s.limits.command, func() error { return s.client.Auth(by) })
}

// loginClient answers the first prompt with the user and the second with the password, whatever their wording. The
// client of go-sasl insists on "Password:"; aiosmtpd asks for "Password\x00".
type loginClient struct{ answers []string }

func (c *loginClient) Start() (mechanism string, first []byte, err error) {
	return sasl.Login, nil, nil
}

func (c *loginClient) Next([]byte) ([]byte, error) {
	if len(c.answers) == 0 {
		return nil, errors.New("the server asks for more than user and password")
	}
	answer := c.answers[0]
	c.answers = c.answers[1:]
	return []byte(answer), nil
}

// secretForms returns the forms in which a server could repeat the password.
func (l *login) secretForms() []string {
	if l == nil {
		return nil
	}
	encode := base64.StdEncoding.EncodeToString
	return []string{encode([]byte("\x00" + l.user + "\x00" + l.password)), encode([]byte(l.password)), l.password}
}
