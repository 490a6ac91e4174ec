package safehttp

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/url"

	"slotd/internal/lib/say"
)

// Failure is the error for a request without a response: the server is down, slow or in trouble.
//
// Its text, a sentence, uses only words of our own. The libraries quote what the server sent, and a server may echo the
// request with its path.
type Failure struct {
	Host     string
	sentence say.Sentence // with the host
	err      error
}

func (f *Failure) Error() string { return f.sentence.With(f.Host) }
func (f *Failure) Unwrap() error { return f.err }

// UnknownHost reports whether there is no server with the name.
func (f *Failure) UnknownHost() bool {
	var name *net.DNSError
	return errors.As(f.err, &name) && name.IsNotFound
}

// SanitizeError converts an error of the client that HTTP returns into one like those of Do.
func SanitizeError(host string, err error) error {
	var refused *Refused
	if errors.As(err, &refused) {
		return &Refused{Host: displayHost(host), Addr: refused.Addr}
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return &Failure{displayHost(host), describe(err), err}
}

// describe returns a sentence about the host.
func describe(err error) say.Sentence {
	var (
		timeout     net.Error
		name        *net.DNSError
		certificate *tls.CertificateVerificationError
		connection  *net.OpError
	)
	switch {
	case errors.Is(err, context.Canceled):
		return "The request to %s was canceled."
	case errors.As(err, &name) && name.IsNotFound:
		return "The name %s doesn't exist."
	case errors.As(err, &name):
		return "The name %s can't be looked up right now."
	case errors.As(err, &timeout) && timeout.Timeout():
		return "%s didn't respond in time."
	case errors.As(err, &certificate):
		return describeCertificate(certificate.Err)
	case errors.As(err, &connection) && connection.Op == "dial":
		return "Can't connect to %s."
	}
	return "%s closed the connection or didn't answer with HTTP."
}

// describeCertificate says why a certificate is not valid. It does not use the texts of package x509, because they
// contain names from the certificate, which can have any bytes.
func describeCertificate(err error) say.Sentence {
	var (
		name      x509.HostnameError
		invalid   x509.CertificateInvalidError
		authority x509.UnknownAuthorityError
	)
	switch {
	case errors.As(err, &name):
		return "The certificate of %s is for another name."
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "The certificate of %s has expired or isn't valid yet."
	case errors.As(err, &authority):
		return "The certificate of %s is from an unknown authority."
	}
	return "The certificate of %s isn't valid."
}
