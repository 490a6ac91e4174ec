package safehttp

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

// noise is text that terminals and databases cannot handle.
const noise = "\x1b[31m\r\n\x00\x7f\u009b2J\u202e\xff"

func isPlain(t *testing.T, text string) {
	t.Helper()
	if strings.ContainsAny(text, "\x1b\r\n\x00\x7f\u009b\u202e") || !utf8.ValidString(text) || len(text) > 400 {
		t.Errorf("%d bytes: %.500q", len(text), text)
	}
}

func TestPrintable_LeavesOutWhatIsNoWriting(t *testing.T) {
	for text, want := range map[string]string{
		"Büro 日本": "Büro 日本", "a" + noise + "b": "a[31m2J\uFFFDb", "": "",
		strings.Repeat("ä", 11): strings.Repeat("ä", 10) + "…", "0123456789\x1b": "0123456789",
	} {
		if got := Printable(text, 10); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestIsStorable_IsWhatADatabaseTakes(t *testing.T) {
	for text, want := range map[string]bool{"": true, "abcd": true, "abcde": false, "a\x00": false, "\xff": false,
		"ää": true, "äää": false} {
		if IsStorable(text, 4) != want {
			t.Errorf("%q", text)
		}
	}
}

func TestErrors_NameAHostOfAnyBytes(t *testing.T) {
	long := strings.Repeat("x", 1000)
	for _, to := range []string{"http://%FF.example/", "http://%C2%9B2J.example/", "http://" + long + ".example/",
		"http://" + long + "%FF/"} {
		r := request(t, serve(t, redirectTo(to)).URL)
		for _, password := range []string{"", hidden} {
			if password != "" {
				r.SetBasicAuth("ada", password)
			}
			if err := fails(t, named(t, loopback, always("10.0.0.1")), r); err != nil {
				isPlain(t, err.Error())
			}
		}
	}
	isPlain(t, Host(&url.URL{Host: noise + long}))
	isPlain(t, SanitizeError(noise+long, errors.New("x")).Error())
	isPlain(t, SanitizeError(noise+long, &Refused{}).Error())
}

func TestRefused_NamesTheHostAndNotItsAddress(t *testing.T) {
	c := named(t, nil, always("10.1.2.3"))
	for _, client := range []*Client{c, New(loopback)} {
		address := "http://club.example"
		if client != c {
			address = serve(t, redirectTo("http://10.1.2.3/")).URL
		}
		err := fails(t, client, request(t, address))
		var refused *Refused
		if !errors.As(err, &refused) || refused.Addr.String() != "10.1.2.3" {
			t.Fatalf("%v", err)
		}
		if client == c && (!strings.HasPrefix(err.Error(), "club.example is in a private network") ||
			strings.Contains(err.Error(), "10.1")) {
			t.Error(err)
		}
	}
}

func TestFailure_QuotesNoCertificate(t *testing.T) {
	bad := &x509.Certificate{DNSNames: []string{noise}}
	bad.Subject.CommonName, bad.Subject.Organization = noise, []string{noise}
	for says, cause := range map[string]error{
		"is for another name": x509.HostnameError{Certificate: bad, Host: "x.example"},
		"has expired":         x509.CertificateInvalidError{Cert: bad, Reason: x509.Expired, Detail: noise},
		"unknown authority":   x509.UnknownAuthorityError{Cert: bad},
		"of x.example isn't valid": x509.CertificateInvalidError{Cert: bad, Reason: x509.NameConstraintsWithoutSANs,
			Detail: noise},
		"isn't valid.": errors.New(noise),
	} {
		err := SanitizeError("x.example", &tls.CertificateVerificationError{Err: cause})
		isFailure(t, err, says)
		isPlain(t, err.Error())
	}
}
