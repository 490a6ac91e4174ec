package delivery

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"slotd/internal/lib/say"
)

// server is a parsed SMTP address.
type server struct {
	host, port string
	tls        bool   // from the first byte on: smtps
	login      *login // nil: none. A pointer, so that printing a server prints no password
}

type login struct{ user, password string }

func (s server) hostPort() string { return net.JoinHostPort(s.host, s.port) }

// isLoopback reports whether the server is on this machine. A relay there commonly has a self-signed certificate, and
// nobody can intercept the connection.
func (s server) isLoopback() bool {
	if strings.EqualFold(s.host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(s.host)
	return err == nil && ip.Unmap().IsLoopback()
}

// mayLogIn reports whether the password may be sent.
func (s server) mayLogIn(encrypted bool) bool { return encrypted || s.isLoopback() }

// badAddress never repeats the address: in a mistyped one the password can be anywhere.
func badAddress(problem say.Sentence) error {
	form := say.T("Use smtp://user:password@mail.example.com:587, or smtps:// for TLS from the start. User and password " +
		"are optional; in them, write characters such as @ : / ? # %% as %%40 %%3A %%2F %%3F %%23 %%25")
	return errors.New(problem.String() + ". " + form)
}

func parseServer(address string) (server, error) {
	scheme, rest, _ := strings.Cut(address, "://")
	scheme = strings.ToLower(scheme)
	if scheme != "smtp" && scheme != "smtps" {
		return server{}, badAddress("the SMTP address must begin with smtp:// or smtps://")
	}
	if strings.ContainsAny(rest, "/?#") {
		return server{}, badAddress("the SMTP address must end after the port")
	}
	u, err := url.Parse(address) // its error contains the password
	if err != nil {
		return server{}, badAddress("the SMTP address can't be read")
	}
	s := server{host: u.Hostname(), port: u.Port(), tls: scheme == "smtps"}
	if s.login, err = parseLogin(u.User); err != nil {
		return server{}, err
	}
	return s.complete(u.Host)
}

func parseLogin(info *url.Userinfo) (*login, error) {
	if info == nil {
		return nil, nil
	}
	password, _ := info.Password()
	l := &login{info.Username(), password}
	if l.user == "" || l.password == "" {
		return nil, badAddress("the SMTP address needs both a user and a password, or neither")
	}
	if strings.ContainsFunc(l.user+l.password, unicode.IsControl) { // NUL would move the boundary between the two
		return nil, badAddress("the SMTP address has a control character in the user or the password")
	}
	return l, nil
}

var hostName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$`)

// complete checks host and port and fills in the default port of the scheme.
func (s server) complete(hostPort string) (server, error) {
	ip, err := netip.ParseAddr(s.host)
	bracketed := err == nil && ip.Zone() == "" && strings.HasPrefix(hostPort, "[")
	if !bracketed && !hostName.MatchString(s.host) {
		return server{}, badAddress("the SMTP address has no valid host name")
	}
	switch {
	case s.port == "" && strings.HasSuffix(hostPort, ":"):
		return server{}, badAddress("the SMTP address has a colon but no port")
	case s.port == "" && s.tls:
		s.port = "465"
	case s.port == "":
		s.port = "587"
	}
	if n, err := strconv.ParseUint(s.port, 10, 16); err != nil || n == 0 {
		return server{}, badAddress("the SMTP address needs a port from 1 to 65535")
	}
	return s, nil
}
