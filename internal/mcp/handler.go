// Package mcp serves the MCP endpoint: JSON-RPC 2.0 over HTTP POST, in every published revision of the Model Context
// Protocol, with five tools.
//
// It is stateless: any request may go to any server. It decodes a request once, into one document, and authorizes and
// executes that same document. It contains no booking rules.
package mcp

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"sync"
	"time"

	"slotd/internal/availability/snapshot"
	"slotd/internal/booking"
	"slotd/internal/identity"
	"slotd/internal/lib/limit"
	"slotd/internal/lib/strictjson"
)

// Handler answers POST /api/mcp.
type Handler struct {
	Booking *booking.Service
	Cache   *snapshot.Cache
	Tokens  *identity.Tokens
	Origins Origins
	Proxies limit.Proxies
	Reads   *limit.Limiter[netip.Addr] // nil: no limit
	Writes  *limit.Limiter[[32]byte]   // by the token's hash; nil: no limit
	Guesses *limit.Limiter[netip.Addr] // counts well-formed tokens that do not exist; nil: no limit
	Now     func() time.Time
	Log     *slog.Logger
	fixed   fixedAnswers
	counts  outcomes
	calls   sync.Pool
}

// New prepares a handler whose exported fields are set, and returns it.
func New(h *Handler, version string) *Handler {
	h.fixed, h.counts = newFixedAnswers(version), newOutcomes()
	h.calls.New = func() any { return &call{h: h} }
	return h
}

const (
	maxBody  = 64 << 10
	maxDepth = 32
)

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := h.calls.Get().(*call)
	defer c.release()
	c.begin(r)
	status := c.serve(w.Header())
	c.send(w, status)
}

// serve checks the request in the order that the specification promises, and leaves the response in c.out.
func (c *call) serve(header http.Header) (status int) {
	header["Vary"] = varyOrigin
	origin, allowed := c.h.Origins.check(c.r)
	if origin != "" && allowed {
		header.Set("Access-Control-Allow-Origin", origin)
	}
	if c.r.Method == http.MethodOptions && origin != "" && allowed {
		preflight(header)
		return http.StatusNoContent
	}
	if c.r.Method != http.MethodPost && !(c.r.Method == http.MethodOptions && origin != "") {
		header.Set("Allow", "POST")
		return c.refuse(header, http.StatusMethodNotAllowed, "Send requests to this endpoint with POST.")
	}
	if !allowed {
		return c.refuse(header, http.StatusForbidden,
			"Requests from this Origin are not allowed. The operator can allow it with --allow-origins.")
	}
	if !isJSON(c.r.Header) {
		return c.refuse(header, http.StatusUnsupportedMediaType, "Send the header Content-Type: application/json.")
	}
	if status := c.readBody(header); status != 0 {
		return status
	}
	return c.answer(header)
}

// readBody reads the body into c.body and returns 0. If it cannot, it responds with an error and returns its status.
func (c *call) readBody(header http.Header) int {
	if c.r.ContentLength > maxBody {
		return c.tooLarge(header)
	}
	size := maxBody + 1
	if c.r.ContentLength >= 0 { // most requests are small, and many may be in progress
		size = int(c.r.ContentLength) + 1
	}
	if len(c.buffer) < size {
		c.buffer = make([]byte, size)
	}
	n, err := io.ReadFull(c.r.Body, c.buffer[:size])
	switch {
	case err == nil:
		return c.tooLarge(header)
	case err == io.ErrUnexpectedEOF || err == io.EOF:
		c.body = c.buffer[:n]
		return 0
	case errors.Is(err, os.ErrDeadlineExceeded):
		return c.refuse(header, http.StatusRequestTimeout, "The request's body took too long to arrive.")
	default:
		return c.refuse(header, http.StatusBadRequest, "The request's body could not be read.")
	}
}

// maxDrained is how much of a too large body is read and discarded. A client that is cut off while it is still writing
// often cannot read the response.
const maxDrained = 32 << 20

func (c *call) tooLarge(header http.Header) int {
	if c.r.ContentLength <= maxDrained {
		io.CopyN(io.Discard, c.r.Body, maxDrained)
	}
	header.Set("Connection", "close")
	return c.refuse(header, http.StatusRequestEntityTooLarge, "The request is larger than 64 KiB.")
}

// isJSON reports whether the body is uncompressed application/json, with charset=utf-8 or none.
func isJSON(header http.Header) bool {
	if len(header["Content-Encoding"]) > 0 {
		return false
	}
	values := header["Content-Type"]
	return len(values) == 1 && (values[0] == "application/json" || isJSONWithParameters(values[0]))
}

var (
	varyOrigin      = []string{"Origin"}
	contentTypeJSON = []string{"application/json"}
)

// send writes the shared content between the parts of this response without copying it. A workspace may describe its
// event types in megabytes, and clients may be slow.
func (c *call) send(w http.ResponseWriter, status int) {
	if len(c.out) > 0 {
		header := w.Header()
		header["Content-Type"] = contentTypeJSON
		header["Content-Length"] = []string{strconv.Itoa(len(c.out) + len(c.content))}
	}
	w.WriteHeader(status)
	if len(c.content) == 0 {
		w.Write(c.out)
		return
	}
	w.Write(c.out[:c.contentAt])
	w.Write(c.content)
	w.Write(c.out[c.contentAt:])
}

// call is one request in progress. Calls are pooled, so that a request whose response is cached allocates next to
// nothing.
type call struct {
	h      *Handler
	r      *http.Request
	now    time.Time
	buffer []byte
	body   []byte // the part of buffer that the client sent
	doc    strictjson.Doc
	out    []byte

	content   []byte // is sent inside out, at contentAt; shared, so it must not be changed
	contentAt int

	id     []byte // as the client sent it; nil: null
	method strictjson.Value
	params strictjson.Value
	modern bool
	tool   string // the name of a known tool, in a tools/call
}

func (c *call) begin(r *http.Request) {
	*c = call{h: c.h, r: r, now: c.h.Now(), buffer: c.buffer, doc: c.doc, out: c.out[:0]}
}

// release drops what is large or shared, and returns the call to the pool.
func (c *call) release() {
	const maxKept = 64 << 10
	if cap(c.out) > maxKept {
		c.out = nil
	}
	c.r, c.content = nil, nil
	c.h.calls.Put(c)
}

// client returns the address that rate limits count by.
func (c *call) client() netip.Addr { return limit.Key(c.h.Proxies.Client(c.r)) }
