package mcp

import (
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"slotd/internal/lib/limit"
)

// eras is one result in both eras' form.
type eras struct{ legacy, modern []byte }

// result answers with bytes that are ready to send.
func (c *call) result(e eras) int {
	c.open()
	c.out = append(c.out, `"result":`...)
	if c.modern {
		c.out = append(c.out, e.modern...)
	} else {
		c.out = append(c.out, e.legacy...)
	}
	c.out = append(c.out, '}')
	return http.StatusOK
}

// open begins an answer with the request's own id.
func (c *call) open() {
	c.out = append(c.out[:0], `{"jsonrpc":"2.0","id":`...)
	if c.id == nil {
		c.out = append(c.out, "null"...)
	} else {
		c.out = append(c.out, c.id...)
	}
	c.out = append(c.out, ',')
}

// fail answers with a protocol error.
func (c *call) fail(status, code int, message string) int {
	c.openError(code, message)
	c.out = append(c.out, "}}"...)
	return status
}

func (c *call) openError(code int, message string) {
	c.open()
	c.out = append(c.out, `"error":{"code":`...)
	c.out = strconv.AppendInt(c.out, int64(code), 10)
	c.out = append(c.out, `,"message":`...)
	c.out = appendString(c.out, message)
}

// failVersion lists the revisions that would do.
func (c *call) failVersion(code int, asked string) int {
	c.openError(code, "This server does not speak revision "+clip(asked)+" here; see data.supported.")
	c.out = append(c.out, `,"data":{"supported":[`...)
	for i, version := range allVersions {
		if i > 0 {
			c.out = append(c.out, ',')
		}
		c.out = appendString(c.out, version)
	}
	c.out = append(c.out, `],"requested":`...)
	c.out = appendString(c.out, clip(asked))
	c.out = append(c.out, "}}}"...)
	return http.StatusBadRequest
}

// refuse answers what is wrong with the HTTP request itself, before any message is read.
func (c *call) refuse(header http.Header, status int, message string) int {
	return c.failCounted(header, status, invalidRequest, message)
}

// failCounted is fail for requests that never get as far as a method: they count too.
func (c *call) failCounted(header http.Header, status, code int, message string) int {
	if status := c.limited(header); status != 0 {
		return status
	}
	return c.fail(status, code, message)
}

// limited returns 0 if the client may go on, else it has answered 429.
func (c *call) limited(header http.Header) int {
	wait := c.h.Reads.Take(c.client(), c.now)
	if wait == 0 {
		return 0
	}
	seconds := limit.Seconds(wait)
	header.Set("Retry-After", strconv.Itoa(seconds))
	return c.fail(http.StatusTooManyRequests, invalidRequest,
		"Too many requests. Try again in "+strconv.Itoa(seconds)+" s.")
}

// clip keeps what a client sent from filling an answer, and a header's odd bytes from spoiling it.
func clip(s string) string {
	const most = 100
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= most {
		return s
	}
	end := most
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// appendString writes a JSON string. encoding/json would escape <, > and &, which a text
// that holds JSON itself does not need.
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
