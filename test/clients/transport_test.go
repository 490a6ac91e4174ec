package clients

import (
	"net/http"
	"testing"
)

// checkingTransport adds the token to a client's requests and checks every response for what the endpoint must never
// do: issue a session or open a stream.
type checkingTransport struct {
	t     *testing.T
	token string // empty for none
}

func (w checkingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if w.token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+w.token)
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if id := response.Header.Get("Mcp-Session-Id"); id != "" {
		w.t.Errorf("%s was answered with the session id %s", r.Method, id)
	}
	if kind := response.Header.Get("Content-Type"); kind != "" && kind != "application/json" {
		w.t.Errorf("%s was answered with the content type %s", r.Method, kind)
	}
	if response.StatusCode == http.StatusUnauthorized {
		w.t.Errorf("%s was answered with HTTP 401, which hosts take for a sign-in they cannot do", r.Method)
	}
	return response, nil
}

func (w checkingTransport) client() *http.Client { return &http.Client{Transport: w} }
