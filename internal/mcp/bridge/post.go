package bridge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	requestTimeout = 60 * time.Second // for all tries together: hosts give up at about that time
	maxAnswer      = 16 << 20
)

// backoff lists the pauses between tries. They cover the restart of a server behind a proxy, not an outage.
var backoff = []time.Duration{200 * time.Millisecond, time.Second}

var errTooLarge = errors.New("answer too large")

type reply struct {
	status int
	header http.Header
	body   []byte
}

// post sends the same message with the same headers until it gets through. That is safe: the endpoint recognizes a
// repeated write, create_booking by its Idempotency-Key.
func (b *bridge) post(ctx context.Context, message []byte, header http.Header) (reply, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	for _, delay := range backoff {
		r, err := b.try(ctx, message, header)
		if !isTransient(r, err) || b.pause(ctx, delay) != nil {
			return r, err
		}
	}
	return b.try(ctx, message, header)
}

// try uses the transport directly: unlike http.Client it follows no redirect and adds no credentials.
func (b *bridge) try(ctx context.Context, message []byte, header http.Header) (reply, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.endpoint.String(), bytes.NewReader(message))
	if err != nil {
		return reply{}, fmt.Errorf("make request: %w", err)
	}
	req.Header, req.Host = header, header.Get("Host")
	res, err := b.transport.RoundTrip(req)
	if err != nil {
		return reply{}, fmt.Errorf("send: %w", err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if err != nil {
		return reply{}, fmt.Errorf("read answer: %w", err)
	}
	if len(body) > maxAnswer {
		return reply{}, errTooLarge
	}
	return reply{res.StatusCode, res.Header, body}, nil
}

// isTransient reports whether another try may succeed.
func isTransient(r reply, err error) bool {
	if err != nil {
		return !errors.Is(err, errTooLarge)
	}
	switch r.status {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
