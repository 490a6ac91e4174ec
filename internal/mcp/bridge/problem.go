package bridge

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"
)

// People and models in the host read the sentences in this file. They say what to do, and quote as little as possible
// of what an unknown server sent.

func (b *bridge) unreachable(err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("%s gave no answer within %s. Send the request again in a while; repeating it is safe.",
			displayURL(b.endpoint), requestTimeout)
	case errors.Is(err, errTooLarge):
		return fmt.Sprintf("The answer of %s is larger than %d bytes. Ask for less, and check that --url names the "+
			"MCP endpoint.", displayURL(b.endpoint), maxAnswer)
	}
	return fmt.Sprintf("Cannot reach %s (%s). Check that the server runs and that --url is right, then send the "+
		"request again; repeating it is safe.", displayURL(b.endpoint), b.quote(err.Error(), 300))
}

func (b *bridge) redirected(r reply) string {
	to := "another address"
	if target, err := b.endpoint.Parse(r.header.Get("Location")); err == nil && r.header.Get("Location") != "" {
		to = b.quote(displayURL(target), 200)
	}
	return fmt.Sprintf("%s redirects (HTTP %d) to %s. Redirects are not followed, so that the token stays with the "+
		"server it is for. If that is the right endpoint, start the bridge with it as --url.", displayURL(b.endpoint),
		r.status, to)
}

func (b *bridge) invalidAnswer(r reply) string {
	what := "something else than a JSON-RPC answer"
	if len(r.body) == 0 {
		what = "an empty answer"
	} else if kind, _, err := mime.ParseMediaType(b.scrub(r.header.Get("Content-Type"))); err == nil {
		what = fmt.Sprintf("%s instead of a JSON-RPC answer", b.quote(kind, 60))
	}
	return fmt.Sprintf("%s sent %s with %s. %s", displayURL(b.endpoint), what, statusText(r), advice(r))
}

func advice(r reply) string {
	switch r.status {
	case http.StatusTooManyRequests:
		return "Too many requests: wait a little, then send it again."
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return "The server is not ready: send the request again in a while; repeating it is safe."
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired:
		return "Something before the server wants its own sign-in: pass what it asks for with --header."
	}
	return "Check that --url names the MCP endpoint, such as https://book.example/api/mcp."
}

// quote scrubs before it cuts; otherwise the first half of a secret could remain.
func (b *bridge) quote(s string, maxLen int) string {
	s = b.scrub(s)
	if len(s) <= maxLen {
		return s
	}
	return strings.ToValidUTF8(s[:maxLen], "") + "…"
}
