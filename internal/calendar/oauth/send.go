package oauth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"slotd/internal/calendar"
	"slotd/internal/lib/safehttp"
)

// Response is a service's response, fully read. It is either a success or an error whose meaning depends on the
// request.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// Request is one call of a service's API.
type Request struct {
	Method string
	URL    string
	Match  string // the tag that the event must still have; empty: any
	Prefer string // the Prefer header; empty: none
	Body   any    // sent as JSON; nil: none
}

// SendJSON sends the request with the owner's permission.
func (s *Source) SendJSON(ctx context.Context, client *safehttp.Client, q Request) (*Response, error) {
	var body io.Reader
	if q.Body != nil {
		text, err := json.Marshal(q.Body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, q.Method, q.URL, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	if q.Prefer != "" {
		r.Header.Set("Prefer", q.Prefer)
	}
	if q.Match != "" {
		r.Header.Set("If-Match", q.Match)
	}
	return s.Send(client, r)
}

// Send sends a request with the owner's permission. If the token is not accepted, Send renews it once.
func (s *Source) Send(client *safehttp.Client, r *http.Request) (*Response, error) {
	answer, err := s.sendOnce(client, r)
	if err == nil && answer.Status == http.StatusUnauthorized {
		s.Expire()
		answer, err = s.sendOnce(client, r)
	}
	if err != nil {
		return nil, err
	}
	if e := s.commonError(answer); e != nil {
		return nil, e
	}
	return answer, nil
}

func (s *Source) sendOnce(client *safehttp.Client, r *http.Request) (*Response, error) {
	token, err := s.Token(r.Context())
	if err != nil {
		return nil, err
	}
	signed := r.Clone(r.Context())
	if r.GetBody != nil {
		if signed.Body, err = r.GetBody(); err != nil {
			return nil, err
		}
	}
	signed.Header.Set("Authorization", "Bearer "+token.AccessToken)
	response, err := client.Do(signed)
	if err != nil {
		return nil, calendar.Errorf(calendar.Unreachable, "%s can't be reached. %v", s.app.name(), err).
			Advise(calendar.Wait)
	}
	defer response.Body.Close()
	body, err := readBody(response)
	switch {
	case errors.Is(err, safehttp.ErrTooLarge):
		return nil, calendar.Errorf(calendar.Unusable,
			"%s sends more than can be read of one calendar.", s.app.name()).Advise(calendar.ReduceEvents)
	case err != nil:
		return nil, calendar.Errorf(calendar.Unreachable, "The answer of %s breaks off.", s.app.name()).
			Advise(calendar.Wait)
	}
	return &Response{response.StatusCode, response.Header, body}, nil
}

// maxErrorBody is more than a service sends with an error.
const maxErrorBody = 64 << 10

func readBody(response *http.Response) ([]byte, error) {
	if response.StatusCode >= 400 {
		return io.ReadAll(io.LimitReader(response.Body, maxErrorBody))
	}
	return io.ReadAll(response.Body)
}

// Read decodes a successful response. Any other status contradicts the service's documentation. An UnmarshalJSON
// method of the target may return a *calendar.Error, which Read passes on.
func (s *Source) Read(a *Response, into any) error {
	if a.Status != http.StatusOK && a.Status != http.StatusCreated {
		return calendar.Errorf(calendar.Unusable, "%s sent an unexpected response (status %d).", s.app.name(),
			a.Status)
	}
	err := json.Unmarshal(a.Body, into)
	var e *calendar.Error
	switch {
	case errors.As(err, &e):
		return e
	case err != nil:
		return calendar.Errorf(calendar.Unusable, "%s sent something that isn't its calendar.", s.app.name())
	}
	return nil
}
