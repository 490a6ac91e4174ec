package safehttp

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/url"
)

// Failure is the error for a request without a response: the server is down, slow or in trouble.
//
// Its text uses only words of our own. The libraries quote what the server sent, and a server may echo the request
// with its path.
type Failure struct {
	Host    string
	Problem string // follows the host's name in the message
	err     error
}

func (f *Failure) Error() string { return f.Host + " " + f.Problem }
func (f *Failure) Unwrap() error { return f.err }

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

// describe returns the Failure.Problem of an error.
func describe(err error) string {
	var (
		timeout     net.Error
		name        *net.DNSError
		certificate *tls.CertificateVerificationError
		connection  *net.OpError
	)
	switch {
	case errors.Is(err, context.Canceled):
		return "was not waited for"
	case errors.As(err, &name) && name.IsNotFound:
		return "is a name that does not exist"
	case errors.As(err, &name):
		return "is a name that cannot be looked up at the moment"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "does not answer in time"
	case errors.As(err, &certificate):
		return "has a certificate that is not valid" + certificateProblem(certificate.Err)
	case errors.As(err, &connection) && connection.Op == "dial":
		return "cannot be connected to"
	}
	return "ends the connection, or answers something that is not HTTP"
}

// certificateProblem describes why a certificate is not valid. It does not use the texts of package x509, because they
// contain names from the certificate, which can have any bytes.
func certificateProblem(err error) string {
	var (
		name      x509.HostnameError
		invalid   x509.CertificateInvalidError
		authority x509.UnknownAuthorityError
	)
	switch {
	case errors.As(err, &name):
		return ": it is for another name"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return ": it has expired, or its time has not come yet"
	case errors.As(err, &authority):
		return ": no authority that is known here has signed it"
	}
	return ""
}
