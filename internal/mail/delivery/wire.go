package delivery

import (
	"errors"
	"io"
	"net"
)

// maxAnswer bounds what is read in one step, a TLS handshake with its certificates included: a
// server that never ends its answer must not fill the memory.
const maxAnswer = 64 << 10

// wire is the connection below TLS, with an allowance for reading.
type wire struct {
	net.Conn
	allowance int
}

func (w *wire) Read(p []byte) (int, error) {
	if w.allowance <= 0 {
		return 0, errors.New("the answer is too long")
	}
	n, err := w.Conn.Read(p[:min(len(p), w.allowance)])
	w.allowance -= n
	return n, err
}

// greeted begins with a greeting of its own: go-smtp waits for one, and after STARTTLS the server
// does not repeat it (RFC 3207, section 4.2).
type greeted struct {
	net.Conn
	greeting io.Reader
}

func (g *greeted) Read(p []byte) (int, error) {
	if n, err := g.greeting.Read(p); err == nil {
		return n, nil
	}
	return g.Conn.Read(p)
}
