package delivery

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"regexp"
)

// Told says why a mail could not be handed over to people who use the server and do not run it: in the mail server's
// own words where it gave an answer. An error's own text may name machines that only the operator knows.
func ServerAnswer(err error) string {
	var refused *Refused
	var f *failure
	switch {
	case errors.As(err, &refused):
		return cmp.Or(refused.told, refused.Reason)
	case errors.As(err, &f):
		return f.told
	}
	return "the mail server " + Trouble(err)
}

var (
	explained = regexp.MustCompile(`mail server \S+, [^:]+: (.*)`) // see session.explain
	answered  = regexp.MustCompile(`^[2-5][0-9][0-9] `)
	ourServer = regexp.MustCompile(`(the )?mail server \S*[^\s,:]`)
)

// ToldLater is Told for an error of which only the text was kept.
func StoredAnswer(text string) string {
	if m := explained.FindStringSubmatch(text); m != nil && !answered.MatchString(m[1]) {
		return "the mail server cannot be reached, or gives no answer in time"
	}
	return ourServer.ReplaceAllString(text, "the mail server")
}

// Trouble goes on after the name of a machine that gave no answer, and names no other.
func Trouble(err error) string {
	var certificate *tls.CertificateVerificationError
	var name *net.DNSError
	var slow tooSlow
	switch {
	case errors.As(err, &certificate):
		return "has a certificate that is not accepted"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &slow):
		return "gives no answer in time"
	case errors.As(err, &name):
		return "has a name that is not known"
	}
	return "cannot be reached"
}

// isNetwork tells errors of the connection, which name addresses, from what the server said and from our own words.
func isNetwork(err error) bool {
	var certificate *tls.CertificateVerificationError
	var network net.Error
	return errors.As(err, &network) || errors.As(err, &certificate) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF)
}
