package worlds

import (
	"context"
	"sync"

	"slotd/internal/mail"
)

// Mailbox is a sender that keeps the mails.
type Mailbox struct {
	mu    sync.Mutex
	mails []mail.Message
	fail  error
}

// Send keeps the mail, unless Fail was called.
func (b *Mailbox) Send(_ context.Context, m mail.Message) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fail != nil {
		return "", b.fail
	}
	b.mails = append(b.mails, m)
	return "250 ok", nil
}

// Close does nothing.
func (b *Mailbox) Close() error { return nil }

// Fail makes all further mails fail with the error, or go through again if it is nil.
func (b *Mailbox) Fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fail = err
}

// Empty returns the mails since the last call.
func (b *Mailbox) Empty() []mail.Message {
	b.mu.Lock()
	defer b.mu.Unlock()
	mails := b.mails
	b.mails = nil
	return mails
}
