package delivery

import (
	"errors"
	"io"
	"net"
)

// maxAnswer bounds what is read in one step, including a TLS handshake with its certificates: a server that never
// ends its answer must not fill the memory.
const maxAnswer = 64 << 10

// limitedConn is the connection below TLS. It limits how much can be read.
type limitedConn struct {
	net.Conn
	remaining int
}

func (w *limitedConn) Read(p []byte) (int, error) {
	if w.remaining <= 0 {
		return 0, errors.New("the answer is too long")
	}
	n, err := w.Conn.Read(p[:min(len(p), w.remaining)])
	w.remaining -= n
	return n, err
}

// greetingConn starts with a greeting of its own: go-smtp waits for a greeting, and after STARTTLS the server does
// not repeat it (RFC 3207, section 4.2).
type greetingConn struct {
	net.Conn
	greeting io.Reader
}

func (g *greetingConn) Read(p []byte) (int, error) {
	if n, err := g.greeting.Read(p); err == nil {
		return n, nil
	}
	return g.Conn.Read(p)
}
