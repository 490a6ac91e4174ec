package delivery

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/emersion/go-smtp"
)

// authority signs certificates. Clients trust them only if they have its pool.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pool        *x509.CertPool
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := &authority{certificate: template(), key: key, pool: x509.NewCertPool()}
	a.certificate.IsCA, a.certificate.BasicConstraintsValid = true, true
	a.certificate.KeyUsage = x509.KeyUsageCertSign
	der, err := x509.CreateCertificate(rand.Reader, a.certificate, a.certificate, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	if a.certificate, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	a.pool.AddCert(a.certificate)
	return a
}

func template() *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotBefore:    time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:     time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC),
	}
}

// config returns the config of a server with a certificate for a name or an IP address.
func (a *authority) config(t *testing.T, host string) *tls.Config {
	t.Helper()
	leaf := template()
	if ip := net.ParseIP(host); ip != nil {
		leaf.IPAddresses = []net.IP{ip}
	} else {
		leaf.DNSNames = []string{host}
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, a.certificate, &a.key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: a.key}}}
}

func startTLSInbox(t *testing.T, config *tls.Config) *inbox {
	t.Helper()
	return startInbox(t, func(l net.Listener) net.Listener { return tls.NewListener(l, config) }, nil)
}

func startSTARTTLSInbox(t *testing.T, config *tls.Config) *inbox {
	t.Helper()
	return startInbox(t, nil, func(s *smtp.Server) { s.TLSConfig, s.AllowInsecureAuth = config, false })
}

// elsewhere names the same server by an address that does not look like loopback.
func elsewhere(address string) string { return strings.Replace(address, "127.0.0.1", "0.0.0.0", 1) }

const credentials = "ada:s3cr3t%2Fpass@"

func TestSTARTTLS_OnLoopbackTakesAnyCertificate(t *testing.T) {
	in := startSTARTTLSInbox(t, newAuthority(t).config(t, "other.example")) // offers a login only after TLS
	s := newSender(t, "smtp://"+credentials+in.address)
	mustSend(t, s, hello)
	mustSend(t, s, hello)
	if !s.session.encrypted || len(in.logins) != 1 || len(in.mails) != 2 || in.connections.Load() != 1 {
		t.Errorf("encrypted %v, %d logins, %d mails, %d connections", s.session.encrypted, len(in.logins),
			len(in.mails), in.connections.Load())
	}
}

func TestSTARTTLS_ElsewhereVerifiesTheCertificate(t *testing.T) {
	ca := newAuthority(t)
	for host, good := range map[string]bool{"0.0.0.0": true, "other.example": false} {
		in := startSTARTTLSInbox(t, ca.config(t, host))
		s := newSender(t, "smtp://"+credentials+elsewhere(in.address))
		_, err := s.Send(ctx, hello)
		wantRetry(t, err, "STARTTLS", "certificate")
		s.roots = ca.pool
		if _, err = s.Send(ctx, hello); (err == nil) != good {
			t.Errorf("certificate for %s: %v", host, err)
		}
		if !good && len(in.logins) > 0 {
			t.Error("a stranger got the password")
		}
	}
}

func TestSTARTTLS_ThatFailsIsNotGoneAround(t *testing.T) {
	for _, answer := range []string{"454 4.7.0 not now", "554 5.7.0 never", "hello", hangsUp,
		"220 go\r\n250 injected\r\n250 injected"} {
		synctest.Test(t, func(t *testing.T) { // after the last answer, both sides wait
			f := pipedFake(map[string]string{"EHLO": "250-fake\r\n250-STARTTLS\r\n250 AUTH PLAIN", "STARTTLS": answer})
			_, err := f.pipedSender(t).Send(ctx, hello)
			wantRetry(t, err, "STARTTLS")
			if f.count("AUTH") > 0 || f.count("MAIL") > 0 {
				t.Errorf("%s: went on in the clear", answer)
			}
		})
	}
}

func TestSMTPS_AlwaysVerifiesTheCertificate(t *testing.T) {
	ca := newAuthority(t)
	for host, good := range map[string]bool{"127.0.0.1": true, "other.example": false} {
		in := startTLSInbox(t, ca.config(t, host))
		s := newSender(t, "smtps://"+credentials+in.address)
		_, err := s.Send(ctx, hello)
		wantRetry(t, err, "TLS", "certificate")
		s.roots = ca.pool
		if _, err = s.Send(ctx, hello); (err == nil) != good {
			t.Errorf("certificate for %s: %v", host, err)
		}
		if want := map[bool]int{true: 1}[good]; len(in.mails) != want || len(in.logins) != want {
			t.Errorf("certificate for %s: %d mails, %d logins", host, len(in.mails), len(in.logins))
		}
	}
}

func TestTLS_OldVersionsAreRefused(t *testing.T) {
	ca := newAuthority(t)
	old := ca.config(t, "127.0.0.1")
	old.MinVersion, old.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
	s := newSender(t, "smtps://"+startTLSInbox(t, old).address)
	s.roots = ca.pool
	_, err := s.Send(ctx, hello)
	wantRetry(t, err, "TLS", "version")
}

func TestPassword_IsNotSentInTheClearElsewhere(t *testing.T) {
	f := startFake(t, nil)
	_, err := newSender(t, "smtp://"+credentials+elsewhere(f.address)).Send(ctx, hello)
	wantRetry(t, err, "doesn't offer TLS")
	if f.count("AUTH") > 0 || f.count("MAIL") > 0 {
		t.Errorf("%q", f.commands)
	}
	mustSend(t, newSender(t, "smtp://"+elsewhere(f.address)), hello) // without a password, plain text is allowed
}

func TestLogin_WithAWrongPasswordMayBeMended(t *testing.T) {
	in := startInbox(t, nil, nil)
	_, err := newSender(t, "smtp://ada:wrong@"+in.address).Send(ctx, hello)
	wantRetry(t, err, "AUTH: 535 5.7.8")
	if strings.Contains(err.Error(), "wrong") || len(in.mails) > 0 {
		t.Error(err)
	}
}

func TestLogin_ThatTheServerDoesNotOfferIsSaid(t *testing.T) {
	for _, offer := range []string{"250 fake", "250-fake\r\n250 AUTH CRAM-MD5 GSSAPI"} {
		_, _, err := sendOnce(t, map[string]string{"EHLO": offer})
		wantRetry(t, err, "doesn't offer a login")
	}
}

func TestLogin_ByLOGINHoweverTheServerAsks(t *testing.T) {
	user, secret := "YWRh", "czNjcjN0L3Bhc3M=" // base64
	for _, ask := range [][2]string{{"VXNlcm5hbWU6", "UGFzc3dvcmQ6"}, {"VXNlciBOYW1lAA==", "UGFzc3dvcmQA"}} {
		f := startFake(t, map[string]string{
			"EHLO": "250-fake\r\n250 AUTH CRAM-MD5 LOGIN",
			"AUTH": "334 " + ask[0], user: "334 " + ask[1], secret: "235 welcome",
		})
		mustSend(t, f.sender(t), hello)
		if f.count("AUTH LOGIN") != 1 || f.count(user) != 1 || f.count(secret) != 1 {
			t.Errorf("%q", f.commands)
		}
	}
	_, _, err := sendOnce(t, map[string]string{"EHLO": "250-fake\r\n250 AUTH LOGIN", "AUTH": "334 VXNlcm5hbWU6",
		user: "334 UGFzc3dvcmQ6", secret: "334 TW9yZQ=="})
	wantRetry(t, err, "AUTH", "asks for more")
	_, _, err = sendOnce(t, map[string]string{"EHLO": "250-fake\r\n250 AUTH LOGIN", "AUTH": "334 VXNlcm5hbWU6",
		user: "334 UGFzc3dvcmQ6", secret: "535 5.7.8 " + secret + " is wrong"})
	wantRetry(t, err, "AUTH: 535 5.7.8 *** is wrong")
}
