package delivery

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"regexp"

	"slotd/internal/lib/say"
)

// ServerAnswer says why a mail could not be delivered, for people who use slotd but do not run it. It quotes the mail
// server if there was an answer. The text of err itself may name machines that only the operator knows.
func ServerAnswer(err error) string {
	var refused *Refused
	var f *failure
	switch {
	case errors.As(err, &refused):
		return cmp.Or(refused.publicText, refused.Reason)
	case errors.As(err, &f):
		return f.publicText
	}
	return NetworkProblem(err).With(say.T("the mail server"))
}

var (
	explainedError = regexp.MustCompile(`mail server \S+, [^:]+: (.*)`) // see session.explain
	smtpCode       = regexp.MustCompile(`^[2-5][0-9][0-9] `)
	serverName     = regexp.MustCompile(`(the )?mail server \S*[^\s,:]`)
)

// StoredAnswer is ServerAnswer for an error of which only the text was stored.
func StoredAnswer(text string) string {
	if m := explainedError.FindStringSubmatch(text); m != nil && !smtpCode.MatchString(m[1]) {
		return say.T("the mail server can't be reached or doesn't answer in time")
	}
	return serverName.ReplaceAllString(text, say.T("the mail server"))
}

// NetworkProblem returns a sentence with a placeholder for the machine that gave no answer. It names no other machine.
func NetworkProblem(err error) say.Sentence {
	var certificate *tls.CertificateVerificationError
	var name *net.DNSError
	var slow tooSlow
	switch {
	case errors.As(err, &certificate):
		return "%s has an invalid certificate"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &slow):
		return "%s doesn't answer in time"
	case errors.As(err, &name):
		return "%s has an unknown host name"
	}
	return "%s can't be reached"
}

// isNetwork reports whether err is an error of the connection, whose text contains addresses. Other errors are the
// server's answers and our own texts.
func isNetwork(err error) bool {
	var certificate *tls.CertificateVerificationError
	var network net.Error
	return errors.As(err, &network) || errors.As(err, &certificate) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF)
}
