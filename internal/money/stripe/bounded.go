package stripe

import "net/http"

// maxAnswer is many times what the longest answer takes.
const maxAnswer = 1 << 20

// bounded ends an answer that does not end by itself: the library reads all of it into memory.
type bounded struct{ next http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.next.RoundTrip(r)
	if err == nil {
		answer.Body = http.MaxBytesReader(nil, answer.Body, maxAnswer)
	}
	return answer, err
}
