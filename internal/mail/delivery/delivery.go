// Package delivery hands complete mails over: to an SMTP server, or as files into an outbox. It
// writes no mail and decides nothing about when to try again; it only says whether trying again
// can help. Neither the recipient's address nor a password stands in any of its errors.
package delivery

import (
	"context"

	"slotd/internal/mail"
)

// Sender hands a mail over. The receipt is what the other side said.
//
// An error that is not a *Refused may pass by itself or be mended by the operator: try again.
type Sender interface {
	Send(ctx context.Context, m mail.Message) (receipt string, err error)
	Close() error
}

// Refused is an answer that trying again will not change.
type Refused struct {
	Reason string
	told   string // the same without the server's name; empty: it is not in the reason
}

func (r *Refused) Error() string { return "mail refused: " + r.Reason }
