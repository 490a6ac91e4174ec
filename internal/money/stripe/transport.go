package stripe

import "net/http"

// maxAnswer is many times the size of the longest answer.
const maxAnswer = 1 << 20

// limitedTransport cuts off an answer that never ends: the library reads all of it into memory.
type limitedTransport struct{ next http.RoundTripper }

func (b limitedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.next.RoundTrip(r)
	if err == nil {
		answer.Body = http.MaxBytesReader(nil, answer.Body, maxAnswer)
	}
	return answer, err
}
