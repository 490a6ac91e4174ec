package load

import (
	"io"
	"net"
	"testing"

	"github.com/emersion/go-smtp"

	"slotd/test/await"
)

// trouble is a failure at some stage of a mail: it returns an error reply, closes the connection or takes time. It
// returns healthy where it does nothing.
type trouble func(at stage, to string, conn net.Conn) error

type stage string

const (
	atMail    stage = "MAIL"
	atRcpt    stage = "RCPT"
	inData    stage = "in mid-DATA"
	afterData stage = "after DATA" // everything is read, no reply is sent yet
)

// healthy means that there is no trouble. It is never sent.
var healthy = &smtp.SMTPError{Code: 250}

// answerWith replies with an error at one stage, for every recipient.
func answerWith(code int, where stage) trouble {
	return func(at stage, to string, _ net.Conn) error {
		if at != where {
			return healthy
		}
		return &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, 0, 0},
			Message: "<" + to + ">: not like this"}
	}
}

func closeInData(at stage, _ string, conn net.Conn) error {
	if at != inData {
		return healthy
	}
	conn.Close()
	return io.ErrClosedPipe
}

// hold is a trouble that blocks mails at one stage until it is released.
type hold struct {
	reached chan string // the recipients
	release chan struct{}
}

func newHold(t *testing.T, m *mailServer, where stage) *hold {
	h := &hold{make(chan string, 1000), make(chan struct{})}
	m.setTrouble(func(at stage, to string, _ net.Conn) error {
		if at == where {
			m.countTrouble()
			h.reached <- to
			<-h.release
		}
		return healthy
	})
	t.Cleanup(h.end)
	return h
}

func (h *hold) end() {
	select {
	case <-h.release:
	default:
		close(h.release)
	}
}

func (h *hold) await(t *testing.T) {
	t.Helper()
	await.Signal(t, "a mail reaches the mail server", h.reached)
}
