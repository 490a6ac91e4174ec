package mcp

import (
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Origins are the origins of web pages whose scripts may call the endpoint. Requests without an Origin header do not
// come from a page of another site.
type Origins struct {
	allowed  []string
	loopback bool // any loopback origin, because the server itself is on loopback
}

// NewOrigins allows the base URL's own origin and the extra ones.
func NewOrigins(baseURL string, extra []string) (Origins, error) {
	var o Origins
	for _, address := range append([]string{baseURL}, extra...) {
		u, err := url.Parse(strings.TrimSpace(address))
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" ||
			strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.User != nil {
			return o, &url.Error{Op: "read origin", URL: address, Err: errNoOrigin{}}
		}
		o.allowed = append(o.allowed, originOf(u))
	}
	base, _ := url.Parse(baseURL)
	o.loopback = isLoopback(base.Hostname())
	return o, nil
}

type errNoOrigin struct{}

func (errNoOrigin) Error() string { return "an origin has the form https://example.com" }

// check returns the request's origin, or "" if it has none, and whether the request is allowed.
func (o Origins) check(r *http.Request) (origin string, allowed bool) {
	values := r.Header["Origin"]
	if len(values) == 0 {
		return "", true
	}
	origin = values[0]
	u, err := url.Parse(origin)
	if len(values) > 1 || err != nil || u.Scheme == "" || u.Host == "" || u.Path != "" {
		return "null", false
	}
	if o.loopback && isLoopback(u.Hostname()) && (u.Scheme == "http" || u.Scheme == "https") {
		return origin, true
	}
	return origin, slices.Contains(o.allowed, originOf(u))
}

// originOf formats an origin the way browsers do: in lower case, without the default port.
func originOf(u *url.URL) string {
	scheme, host := strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	if (scheme == "http" && u.Port() == "80") || (scheme == "https" && u.Port() == "443") {
		host = host[:strings.LastIndexByte(host, ':')]
	}
	return scheme + "://" + host
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") || strings.HasSuffix(strings.ToLower(host), ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

func preflight(header http.Header) {
	header.Set("Access-Control-Allow-Methods", "POST")
	header.Set("Access-Control-Allow-Headers",
		"Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Idempotency-Key")
	header.Set("Access-Control-Max-Age", "3600")
}

func isJSONWithParameters(contentType string) bool {
	kind, parameters, err := mime.ParseMediaType(contentType)
	if err != nil || kind != "application/json" {
		return false
	}
	charset, ok := parameters["charset"]
	return !ok || strings.EqualFold(charset, "utf-8")
}
