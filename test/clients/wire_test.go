package clients

import (
	"net/http"
	"testing"
)

// wire adds the token to what a client sends, and looks at every answer for what this endpoint
// never does, whoever asks: issue a session or open a stream.
type wire struct {
	t     *testing.T
	token string // "": none
}

func (w wire) RoundTrip(r *http.Request) (*http.Response, error) {
	if w.token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+w.token)
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if id := answer.Header.Get("Mcp-Session-Id"); id != "" {
		w.t.Errorf("%s was answered with the session id %s", r.Method, id)
	}
	if kind := answer.Header.Get("Content-Type"); kind != "" && kind != "application/json" {
		w.t.Errorf("%s was answered with the content type %s", r.Method, kind)
	}
	if answer.StatusCode == http.StatusUnauthorized {
		w.t.Errorf("%s was answered with HTTP 401, which hosts take for a sign-in they cannot do", r.Method)
	}
	return answer, nil
}

func (w wire) client() *http.Client { return &http.Client{Transport: w} }
