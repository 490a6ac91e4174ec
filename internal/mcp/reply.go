package mcp

import (
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"slotd/internal/lib/limit"
)

// resultByEra is one encoded result in the form of each era.
type resultByEra struct{ legacy, modern []byte }

// result responds with an encoded result.
func (c *call) result(e resultByEra) int {
	c.openResponse()
	c.out = append(c.out, `"result":`...)
	if c.modern {
		c.out = append(c.out, e.modern...)
	} else {
		c.out = append(c.out, e.legacy...)
	}
	c.out = append(c.out, '}')
	return http.StatusOK
}

// openResponse begins a response with the request's id.
func (c *call) openResponse() {
	c.out = append(c.out[:0], `{"jsonrpc":"2.0","id":`...)
	if c.id == nil {
		c.out = append(c.out, "null"...)
	} else {
		c.out = append(c.out, c.id...)
	}
	c.out = append(c.out, ',')
}

// fail responds with a protocol error.
func (c *call) fail(status, code int, message string) int {
	c.openError(code, message)
	c.out = append(c.out, "}}"...)
	return status
}

func (c *call) openError(code int, message string) {
	c.openResponse()
	c.out = append(c.out, `"error":{"code":`...)
	c.out = strconv.AppendInt(c.out, int64(code), 10)
	c.out = append(c.out, `,"message":`...)
	c.out = appendString(c.out, message)
}

// failVersion responds with the list of supported revisions.
func (c *call) failVersion(code int, requested string) int {
	c.openError(code, "This server does not speak revision "+clip(requested)+" here; see data.supported.")
	c.out = append(c.out, `,"data":{"supported":[`...)
	for i, version := range allVersions {
		if i > 0 {
			c.out = append(c.out, ',')
		}
		c.out = appendString(c.out, version)
	}
	c.out = append(c.out, `],"requested":`...)
	c.out = appendString(c.out, clip(requested))
	c.out = append(c.out, "}}}"...)
	return http.StatusBadRequest
}

// refuse rejects an HTTP request before any message is read.
func (c *call) refuse(header http.Header, status int, message string) int {
	return c.failCounted(header, status, invalidRequest, message)
}

// failCounted is fail for requests that never reach a method. They count against the rate limit, too.
func (c *call) failCounted(header http.Header, status, code int, message string) int {
	if status := c.limitRate(header); status != 0 {
		return status
	}
	return c.fail(status, code, message)
}

// limitRate counts the request. It returns 0 if the client may go on; otherwise it responds with 429.
func (c *call) limitRate(header http.Header) int {
	wait := c.h.Reads.Take(c.client(), c.now)
	if wait == 0 {
		return 0
	}
	seconds := limit.Seconds(wait)
	header.Set("Retry-After", strconv.Itoa(seconds))
	return c.fail(http.StatusTooManyRequests, invalidRequest,
		"Too many requests. Try again in "+strconv.Itoa(seconds)+" s.")
}

// clip shortens what a client sent, so that it cannot fill a response, and replaces bytes that are not valid UTF-8.
func clip(s string) string {
	const maxBytes = 100
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= maxBytes {
		return s
	}
	end := maxBytes
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// appendString appends a JSON string. encoding/json would also escape <, > and &, which is not needed in a text that
// itself holds JSON.
func appendString[T string | []byte](out []byte, s T) []byte {
	out = append(out, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		b := s[i]
		if b >= ' ' && b != '"' && b != '\\' {
			continue
		}
		out = append(out, s[from:i]...)
		from = i + 1
		switch b {
		case '"', '\\':
			out = append(out, '\\', b)
		case '\n':
			out = append(out, '\\', 'n')
		case '\t':
			out = append(out, '\\', 't')
		default:
			out = append(out, '\\', 'u', '0', '0', hex[b>>4], hex[b&15])
		}
	}
	out = append(out, s[from:]...)
	return append(out, '"')
}

const hex = "0123456789abcdef"
