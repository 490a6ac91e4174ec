package safehttp

import (
	"fmt"
	"io"
	"net/http"
)

// MaxBody is as much as an answer may hold, unpacked.
const MaxBody = 32 << 20

// ErrTooLarge ends the reading of a body that holds more.
var ErrTooLarge = fmt.Errorf("the answer is larger than %d MiB", MaxBody>>20)

// limited ends every body at MaxBody with an error.
type limited struct{ next http.RoundTripper }

func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := l.next.RoundTrip(r)
	if err == nil {
		answer.Body = &limitedBody{ReadCloser: answer.Body, left: MaxBody}
	}
	return answer, err
}

type limitedBody struct {
	io.ReadCloser
	left int64
}

func (b *limitedBody) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, ErrTooLarge
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, ErrTooLarge
	}
	return n, err
}
