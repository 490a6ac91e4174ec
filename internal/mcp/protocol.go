package mcp

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"time"

	"slotd/internal/lib/strictjson"
)

// modernVersion is the newest revision. In this "modern" era, each request carries its version and capabilities, and
// headers that repeat the body. The older revisions, oldest first, are "legacy".
const modernVersion = "2026-07-28"

var (
	legacyVersions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}
	newestLegacy   = legacyVersions[len(legacyVersions)-1]
	allVersions    = append(slices.Clone(legacyVersions), modernVersion)
)

const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
)

// The protocol's error codes.
const (
	parseError         = -32700
	invalidRequest     = -32600
	methodNotFound     = -32601
	invalidParams      = -32602
	headerMismatch     = -32020
	unsupportedVersion = -32022
)

// answer reads the message and responds to it. It checks things in the order that the specification promises.
func (c *call) answer(header http.Header) (status int) {
	if err := c.doc.Parse(c.body, maxDepth); err != nil {
		return c.failCounted(header, http.StatusBadRequest, parseError,
			"The body is not one valid JSON value: "+err.Error()+".")
	}
	root := c.doc.Root()
	notification, problem := c.readEnvelope(root)
	if problem != "" {
		return c.failCounted(header, http.StatusBadRequest, invalidRequest, problem)
	}
	if !c.isToolCall() || notification {
		if status := c.limitRate(header); status != 0 {
			return status
		}
	}
	if notification {
		return http.StatusAccepted
	}
	if status := c.checkRevision(); status != 0 {
		return c.countRefusal(status)
	}
	return c.dispatch()
}

// countRefusal counts a rejected tool call against the rate limit. All other requests have already been counted.
func (c *call) countRefusal(status int) int {
	if c.isToolCall() {
		if wait := c.h.Reads.Take(c.client(), c.now); wait > 0 {
			return c.failTool(rateLimited(wait))
		}
	}
	return status
}

func (c *call) isToolCall() bool { return c.method.Is("tools/call") }

// readEnvelope reads the message's members. problem is a sentence if the message is not a JSON-RPC request.
func (c *call) readEnvelope(root strictjson.Value) (notification bool, problem string) {
	if root.Kind() == strictjson.Array {
		return false, "Batches are not supported: send one message a request."
	}
	if root.Kind() != strictjson.Object {
		return false, "The message must be a JSON object."
	}
	id := root.Get("id")
	if id.Present() {
		if id.Kind() != strictjson.String && !id.IsInteger() {
			return false, "The id must be a string or an integer."
		}
		c.id = id.Raw()
	}
	c.method, c.params = root.Get("method"), root.Get("params")
	switch {
	case !root.Get("jsonrpc").Is("2.0"):
		return false, `The member jsonrpc must be "2.0".`
	case c.method.Kind() != strictjson.String:
		return false, "The member method must be a string."
	case c.params.Present() && c.params.Kind() != strictjson.Object && c.params.Kind() != strictjson.Null:
		return false, "The member params must be an object."
	}
	return !id.Present(), ""
}

// checkRevision finds out which era the request belongs to and checks that era's rules. It returns 0 if the request is
// valid.
func (c *call) checkRevision() (status int) {
	meta := c.params.Get("_meta")
	version := meta.Get(metaVersion)
	inHeader, sent := c.header("Mcp-Protocol-Version")
	c.modern = version.Present() || isModernVersion(inHeader)
	if !c.modern {
		if sent && !slices.Contains(legacyVersions, inHeader) {
			return c.failVersion(invalidRequest, inHeader)
		}
		return 0
	}
	requested := inHeader
	if version.Kind() == strictjson.String {
		requested = version.Text()
		// A version that is not a date cannot be a revision, so this is only a mismatch with the header.
		if sent && inHeader != requested && !isDate(requested) {
			return c.failHeader("MCP-Protocol-Version", requested)
		}
	}
	if requested != modernVersion && (!version.Present() || version.Kind() == strictjson.String) {
		return c.failVersion(unsupportedVersion, requested)
	}
	if status := c.checkModernHeaders(requested); status != 0 {
		return status
	}
	if version.Kind() != strictjson.String || meta.Get(metaCapabilities).Kind() != strictjson.Object {
		return c.fail(http.StatusBadRequest, invalidParams,
			"params._meta must hold "+metaVersion+" (a string) and "+metaCapabilities+" (an object).")
	}
	return 0
}

// isModernVersion reports whether version is a date on or after the first modern revision.
func isModernVersion(version string) bool { return version >= modernVersion && isDate(version) }

func isDate(version string) bool {
	_, err := time.Parse(time.DateOnly, version)
	return err == nil
}

// header returns a header's first value, and whether the header was sent. The name must be in Go's canonical form.
func (c *call) header(name string) (value string, sent bool) {
	values := c.r.Header[name]
	if len(values) == 0 {
		return "", false
	}
	return values[0], true
}

// checkModernHeaders checks that the headers, which intermediaries read, match the body, which we read. It returns 0 if
// they do.
func (c *call) checkModernHeaders(version string) int {
	if !c.headerIs("Mcp-Protocol-Version", version) {
		return c.failHeader("MCP-Protocol-Version", version)
	}
	if method := c.method.Text(); !c.headerIs("Mcp-Method", method) {
		return c.failHeader("Mcp-Method", method)
	}
	name := c.params.Get("name")
	if c.isToolCall() && name.Kind() == strictjson.String && !c.headerIs("Mcp-Name", name.Text()) {
		return c.failHeader("Mcp-Name", name.Text())
	}
	return 0
}

func (c *call) failHeader(name, want string) int {
	return c.fail(http.StatusBadRequest, headerMismatch,
		"The header "+name+" must be the same as in the body: "+clip(want)+".")
}

// headerIs reports whether a header has exactly this value. Mcp-Name may be encoded as =?base64?…?=, for values that a
// header cannot carry.
func (c *call) headerIs(name, want string) bool {
	values := c.r.Header[name]
	if len(values) != 1 {
		return false
	}
	got := values[0]
	if encoded, ok := strings.CutPrefix(got, "=?base64?"); ok && name == "Mcp-Name" {
		encoded, ok = strings.CutSuffix(encoded, "?=")
		decoded, err := base64.StdEncoding.DecodeString(encoded)
		return ok && err == nil && string(decoded) == want
	}
	return got == want
}

// dispatch runs the method of a valid request.
func (c *call) dispatch() int {
	switch {
	case c.isToolCall():
		return c.callTool()
	case c.method.Is("tools/list"):
		return c.result(c.h.fixed.tools)
	case c.method.Is("server/discover"):
		return c.result(c.h.fixed.discover)
	case c.method.Is("initialize") && !c.modern:
		return c.initialize()
	case c.method.Is("ping") && !c.modern:
		return c.result(resultByEra{legacy: []byte("{}")})
	}
	unknown := "There is no method " + clip(c.method.Text()) +
		" in this revision. It has server/discover, tools/list and tools/call"
	if c.modern {
		return c.fail(http.StatusNotFound, methodNotFound, unknown+".")
	}
	return c.fail(http.StatusOK, methodNotFound, unknown+", initialize and ping.")
}

// initialize agrees on the requested revision if it is a legacy one, and otherwise on the newest legacy one.
func (c *call) initialize() int {
	agreed := newestLegacy
	if requested := c.params.Get("protocolVersion"); requested.Kind() == strictjson.String &&
		slices.Contains(legacyVersions, requested.Text()) {
		agreed = requested.Text()
	}
	return c.result(resultByEra{legacy: c.h.fixed.initialize[agreed]})
}
