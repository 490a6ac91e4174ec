package delivery

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestAddress_Taken(t *testing.T) {
	for address, want := range map[string]struct {
		hostPort, user, password string
		tls                      bool
	}{
		"smtp://mail.example.com":                        {"mail.example.com:587", "", "", false},
		"smtps://mail.example.com":                       {"mail.example.com:465", "", "", true},
		"SMTP://mail.example.com:25":                     {"mail.example.com:25", "", "", false},
		"smtp://mail_1:2525":                             {"mail_1:2525", "", "", false},
		"smtp://localhost:1":                             {"localhost:1", "", "", false},
		"smtp://127.0.0.1:65535":                         {"127.0.0.1:65535", "", "", false},
		"smtp://[::1]":                                   {"[::1]:587", "", "", false},
		"smtps://u:p@[2001:db8::25]:465":                 {"[2001:db8::25]:465", "u", "p", true},
		"smtp://ada:lovelace@h:25":                       {"h:25", "ada", "lovelace", false},
		"smtp://ada%40x.example:a%3Ab%2Fc%40d%25%20+@h":  {"h:587", "ada@x.example", "a:b/c@d% +", false},
		"smtp://ada:one:two@h":                           {"h:587", "ada", "one:two", false},
		"smtps://apikey:SG.x-y_z~!$&'()*,;=@h.example:1": {"h.example:1", "apikey", "SG.x-y_z~!$&'()*,;=", true},
	} {
		s, err := NewSMTP(address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		var l login
		if s.server.login != nil {
			l = *s.server.login
		}
		if s.String() != want.hostPort || l != (login{want.user, want.password}) || s.server.tls != want.tls {
			t.Errorf("%s: %s, %q, %v", address, s, l, s.server.tls)
		}
	}
}

func TestAddress_RefusedWithTheRightFormAndNothingOfTheWrong(t *testing.T) {
	for _, address := range []string{
		"", "s3cr3t", "s3cr3t:25", "://s3cr3t", "http://u:s3cr3t@h", "smtp:u:s3cr3t@h", "smtp:/u:s3cr3t@h",
		"smtp+tls://u:s3cr3t@h", " smtp://u:s3cr3t@h",
		"smtp://", "smtp://u:s3cr3t@", "smtp://u:s3cr3t@:25", "smtp://u:s3cr3t@h:", "smtp://u:s3cr3t@h:0",
		"smtp://u:s3cr3t@h:65536", "smtp://u:s3cr3t@h:-1",
		"smtp://u:s3cr3t@h:25x", "smtp://u:s3cr3t@h:+25", "smtp://u:s3cr3t@h:2 5", "smtp://u:s3cr3t@h/",
		"smtp://u:s3cr3t@h/path", "smtp://u:s3cr3t@h?", "smtp://u:s3cr3t@h?x=1",
		"smtp://u:s3cr3t@h#", "smtp://u:s3cr3t@h#f", "smtp://u:25/s3cr3t@h", "smtp://u:25#s3cr3t@h",
		"smtp://u:25?s3cr3t@h", "smtp://u:s3cr3t%@h", "smtp://u:s3cr3t%zz@h",
		"smtp://u:s3cr3t%00@h", "smtp://u:s3cr3t%0d%0aRSET@h", "smtp://u:s3cr3t@h\n", "smtp://u:s3cr3t@h\r\n.x",
		"smtp://u:s3 cr3t@h", "smtp://s3cr3t@h", "smtp://s3cr3t:@h",
		"smtp://:s3cr3t@h", "smtp://@h", "smtp://u:s3cr3t@::1", "smtp://u:s3cr3t@::1:25", "smtp://u:s3cr3t@[::1",
		"smtp://u:s3cr3t@[::1]x", "smtp://u:s3cr3t@[h]:25",
		"smtp://u:s3cr3t@[fe80::1%25eth0]", "smtp://u:s3cr3t@-h", "smtp://u:s3cr3t@h.", "smtp://u:s3cr3t@h h",
		"smtp://u:s3cr3t@h%20h", "smtp://u:s3cr3t@hé", "smtp://u:s3cr3t@h,h2", "smtp://u:s3cr3t@\x1b[2Jh",
		`smtp://u:s3cr3t@h\x`, "smtp://u:s3cr3t\x00@h",
	} {
		s, err := NewSMTP(address)
		if err == nil {
			t.Errorf("%q is taken: %s", address, s)
			continue
		}
		if text := err.Error(); strings.Contains(text, "s3") || strings.Contains(text, "cr3t") ||
			!strings.Contains(text, "smtp://user:password@mail.example.com:587") {
			t.Errorf("%q: %s", address, text)
		}
	}
}

func TestSMTP_PrintsOnlyHostAndPort(t *testing.T) {
	s := newSender(t, "smtp://grace:s3cr3t@mail.example.com") // no hexadecimal number, as a pointer may be
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "to", s)
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "to", s)
	everything := log.String() + fmt.Sprintf("%v %+v %#v %s %q %v %+v %#v", s, s, s, s, s, s.server, s.server, s.server)
	if strings.Contains(everything, "s3cr3t") || strings.Contains(everything, "grace") ||
		strings.Count(everything, "mail.example.com:587") != 7 {
		t.Error(everything)
	}
}

func TestPassword_GoesOverTLSOrToThisMachineOnly(t *testing.T) {
	for host, loopback := range map[string]bool{
		"localhost": true, "LocalHost": true, "127.0.0.1": true, "127.8.9.1": true, "::1": true,
		"::ffff:127.0.0.1": true,
		"mail.example.com": false, "localhost.example.com": false, "127.0.0.1.example.com": false, "10.0.0.1": false,
		"0.0.0.0": false, "::": false, "1": false, "128.0.0.1": false,
	} {
		s := server{host: host}
		if s.mayLogIn(false) != loopback || !s.mayLogIn(true) {
			t.Errorf("%s: in the clear %v, over TLS %v", host, s.mayLogIn(false), s.mayLogIn(true))
		}
	}
}
