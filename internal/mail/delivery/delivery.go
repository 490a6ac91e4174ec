// Package delivery delivers complete mails: to an SMTP server, or as files into an outbox. It writes no mails and
// does not decide when to retry; it only reports whether a retry can help. Its errors contain neither the recipient's
// address nor a password.
package delivery

import (
	"context"

	"slotd/internal/mail"
)

// Sender delivers a mail. The receipt is what the other side answered.
//
// An error that is not a *Refused may be temporary or fixable by the operator: try again.
type Sender interface {
	Send(ctx context.Context, m mail.Message) (receipt string, err error)
	Close() error
}

// Refused is an answer that a retry will not change.
type Refused struct {
	Reason     string
	publicText string // the same without the server's name; empty if Reason does not contain it
}

func (r *Refused) Error() string { return "mail refused: " + r.Reason }
